import { z } from 'zod'
import { listChannels } from '../../../db/accounts/channels.ts'
import { read } from '../../route.ts'
import { isoOrNull, NoNext, OwnId, readCursor, WholeList, withValues } from '../../shapes/shapes.ts'

const Channel = z
  .object({
    id: OwnId,
    kind: z.string().describe(
      withValues('The kind of account.', {
        email: 'an e-mail account',
        professional_network: 'an account of a professional network',
        messenger: 'an account of a messenger',
      }),
    ),
    name: z.string().describe('The name of the connection.'),
    account: z.string().describe('The address of the account.'),
    member: z.string().describe('The id of the member whose account it is.'),
    alive: z
      .boolean()
      .describe(
        'Whether it works, as far as is known: false if the last check could not log in, and until its owner consents. `problem` says why.',
      ),
    problem: z
      .string()
      .nullable()
      .describe(
        'The problem with it, as a stable code such as `smtp_unreachable`, `imap_login_refused` or `consent_needed` (see `POST /channels/{id}/connect`); while the account rests, its cause: `smtp_quota`, `smtp_rate`, `smtp_sessions`, `smtp_sender_refused`, `smtp_disabled`, `smtp_unpaid` or `smtp_refusing`; while its mailbox cannot be read, why: `imap_login_refused`, `imap_throttled`, `imap_too_many_sessions`, `imap_bandwidth`, `imap_unavailable`, `imap_unreachable`, `imap_incomplete` or `imap_folder`; null if there is none.',
      ),
    restsUntil: z
      .string()
      .nullable()
      .describe(
        'Until when the account rests because of what its provider has said; null if it does not rest, or rests until somebody acts.',
      ),
    readAt: z
      .string()
      .nullable()
      .describe(
        'When all folders of its mailbox were last known to be read to their ends; null if they never were, or it has no mailbox that is read.',
      ),
    checkedAt: z
      .string()
      .nullable()
      .describe('When it was last checked; null before the first check.'),
  })
  .meta({ id: 'Channel' })

export const routes = [
  read({
    path: '/channels',
    summary: 'List connections',
    description: 'The accounts of the workspace, and whether each of them works.',
    scopes: ['inbox:read'],
    reduced: true,
    query: WholeList,
    response: z.object({
      channels: z.array(Channel).describe('All connections of the workspace.'),
      next: NoNext,
    }),
    handler: async ({ query }, { db, workspace, clock }) => {
      readCursor(query.cursor)
      const rows = await listChannels(db, workspace.id, clock.now())
      const channels = rows.map((row) => ({
        ...row,
        checkedAt: isoOrNull(row.checkedAt),
        restsUntil: isoOrNull(row.restsUntil),
        readAt: isoOrNull(row.readAt && clock.at(row.readAt)),
      }))
      return { channels, next: null }
    },
  }),
]
