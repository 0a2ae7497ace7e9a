import { z } from 'zod'
import { findChannelIds } from '../../../db/accounts/channels.ts'
import { listSenderHealth, presentHealth } from '../../../db/accounts/senders.ts'
import { listVoices } from '../../../db/workspace/members.ts'
import { invalid } from '../../http/errors.ts'
import { awaited, change, type ReadContext, read } from '../../route.ts'
import {
  Id,
  NoNext,
  OwnId,
  optional,
  readCursor,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'

const Budget = z
  .object({
    day: z.number().describe('Per day.'),
    week: z.number().describe('Per week, from Monday.'),
  })
  .meta({ id: 'SendingBudget' })
const levels = {
  normal: 'nothing is wrong',
  caution: 'there is a problem: its limits are halved',
  restricted: 'no campaign letter goes through it',
  blocked: 'it cannot be used, or must not be',
  unknown: 'it has not been checked yet',
}

const Health = z
  .object({
    checked: z.boolean().describe('Whether every account has been checked.'),
    accounts: z
      .array(
        z
          .object({
            connection: z.string().describe('The id of the connection.'),
            channel: z.string().describe('The kind of the connection, such as `email`.'),
            account: z.string().describe('The address of the account.'),
            health: z
              .object({
                level: z.string().describe(withValues('The level of its worst signal.', levels)),
                limits: Budget.describe('How many letters may be sent, given its health.'),
                weakest: z
                  .array(z.string())
                  .describe('The keys of the signals that lower its health.'),
                signals: z
                  .array(
                    z
                      .object({
                        key: z.string().describe(
                          withValues('What was checked.', {
                            login: 'whether the account accepts the login',
                            bridge: 'whether its bridge answers',
                            mailbox: 'whether its mailbox is read, so that replies are seen',
                            spf: 'who may send for its domain (SPF)',
                            dkim: 'whether its mail can be signed (DKIM)',
                            dmarc: 'what its domain wants done with forged mail (DMARC)',
                            bounces: 'how many letters bounced',
                            complaints: 'how many letters were marked as unwanted',
                            provider: 'how often its server refused or failed',
                          }),
                        ),
                        level: z.string().describe(withValues('The level of the signal.', levels)),
                        score: z.number().describe('From 0, the worst, to 100.'),
                        facts: z
                          .record(z.string(), z.unknown())
                          .describe('The numbers and findings behind the signal.'),
                      })
                      .meta({ id: 'HealthSignal' }),
                  )
                  .describe('The signals that determine the health of the account.'),
              })
              .meta({ id: 'AccountHealth' })
              .describe('The health of the account, and the limits that follow from it.'),
            used: Budget.describe('How many letters of any kind have been sent.'),
          })
          .meta({ id: 'SendingAccount' }),
      )
      .describe('The sending accounts.'),
  })
  .meta({ id: 'SendersHealth' })

async function readHealth({
  db,
  workspace,
  clock,
}: Pick<ReadContext, 'db' | 'workspace' | 'clock'>) {
  const now = clock.now()
  return presentHealth(await listSenderHealth(db, workspace.id, workspace.timezone, now))
}

const Voice = z
  .object({
    id: OwnId,
    member: z.string().describe('The id of the member.'),
    name: z.string().describe('The name of the member.'),
    connection: z.string().describe('The id of the e-mail account.'),
    signature: z.string().describe('How they sign.'),
  })
  .meta({ id: 'Voice' })

export const routes = [
  read({
    path: '/senders/health',
    operationId: 'getSendersHealth',
    summary: 'Read the health of the sending accounts',
    description: 'Health, limits and use of each account that sends.',
    scopes: ['inbox:read'],
    response: Health,
    handler: (_, context) => readHealth(context),
  }),

  change({
    method: 'POST',
    path: '/senders/health/check',
    operationId: 'checkSendersHealth',
    summary: 'Check the health of sending accounts',
    description: 'Checks one account or all, and answers once that is done.',
    scopes: ['inbox:write'],
    action: 'senders.checked',
    body: z
      .strictObject({
        connection: optional(Id).describe(
          'The id of the connection to check; by default all accounts.',
        ),
      })
      .meta({ id: 'SenderCheck' }),
    response: Health,
    errors: ['still_running'],
    async handler({ body: { connection } }, context) {
      const { db, workspace, operation } = context
      if (
        connection !== undefined &&
        !(await findChannelIds(db, workspace.id, [connection])).has(connection)
      )
        throw invalid('/connection', 'unknown_id', 'is not a connection of this workspace')
      const input = {
        operation: operation.id,
        workspace: workspace.id,
        connection: connection ?? null,
      }
      await context.start('checkSenders', [input], connection ? { Connection: connection } : {})
      context.changed(connection ?? workspace.id)
      return awaited
    },
  }),

  read({
    path: '/senders/voices',
    operationId: 'listVoices',
    summary: 'List voices',
    description:
      'A voice is a mailbox with the member in whose name its letters are written, and how that member signs.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z
      .object({
        voices: z.array(Voice).describe('All voices, in order of name.'),
        next: NoNext,
      })
      .meta({ id: 'VoiceList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const rows = await listVoices(db, workspace.id)
      // The interface leaves open what a voice is: a mailbox with the member it belongs to, so each mailbox has one.
      const voices = rows.map((row) => ({ id: `voi_${row.connection}`, ...row }))
      return { voices, next: null }
    },
  }),
]
