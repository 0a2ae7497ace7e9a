import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findSender } from '../../db/conversations/contacts.ts'
import { insertQueuedMessage } from '../../db/conversations/messages.ts'
import { lockConversation } from '../../db/conversations/moves.ts'
import {
  confirmPrepared,
  dropPrepared,
  findPrepared,
  isUnattended,
  keepPrepared,
  lockPrepared,
  type Prepared,
  preparedSent,
  type Standing,
  seenOf,
  standingOf,
  standings,
} from '../../db/conversations/prepared.ts'
import type { Db } from '../../db/database.ts'
import { ApiError, found } from '../http/errors.ts'
import { withinQuotas } from '../http/quotas.ts'
import { type ChangeContext, change, type ReadContext, read } from '../route.ts'
import { addressed, queue, sendErrors } from '../routes/conversations/messages.ts'
import { QueuedMessage } from '../shapes/message.ts'
import { Id, iso, isoOrNull, OneLine, optional, Timestamp, text } from '../shapes/shapes.ts'

// What tools prepare and send. These are calls as all others, with token, scope, key, rate and audit, but only tools make them: they
// are served in this process and not over the network (inside.ts). One file, because they share how a prepared message stands.

const longestPrepared = 20_000

const Named = z.object({
  id: z.string().regex(/^[\w-]{43}$/),
  version: z.coerce.number().int().min(1).max(1_000),
})
type Params = z.output<typeof Named>

/**
 * The key of a step of a prepared message: whoever takes the step again takes it once. Keys are of the workspace, so the token is part
 * of it: otherwise another token that has learnt the name could use the key up.
 */
export const keyOf = (
  { workspace, token }: { workspace: string; token: string },
  { id, version }: Params,
  step: string,
) => createHash('sha256').update(`${workspace}\n${token}\n${id}\n${version}\n${step}`).digest('hex')

export const Words = z.strictObject({
  conversation: Id,
  text: text(longestPrepared),
  subject: optional(OneLine(250)),
  to: optional(OneLine(320).min(1)),
  via: optional(z.string().min(1).max(320)),
  sendAt: optional(Timestamp),
})

export const Shown = z.object({
  conversation: z.string(),
  to: z.string(),
  from: z.object({ connection: z.string(), account: z.string(), name: z.string() }),
  subject: z.string(),
  text: z.string(),
  sendAt: z.string().nullable(),
  expiresAt: z.string(),
  state: z.enum(standings),
  /** Whether it goes without a person. */
  unattended: z.boolean(),
  /** What a person sees who confirms it. */
  seen: z.string(),
})
export type Shown = z.output<typeof Shown>

const of = ({ workspace, token }: Pick<ReadContext, 'workspace' | 'token'>, params: Params) => ({
  workspace: workspace.id,
  token,
  ...params,
})

const what = 'prepared message: it was never made, has expired, or belongs to another token'

/** @throws ApiError invalid_state unless it may still be confirmed or sent. */
function requireOpen(state: Standing) {
  if (state === 'waiting' || state === 'confirmed') return
  throw new ApiError('invalid_state', whyNot[state], { members: { state } })
}
export const whyNot: Record<Exclude<Standing, 'waiting' | 'confirmed'>, string> = {
  sent: 'It was sent already.',
  replaced: 'It was changed since: only its newest version can be sent.',
  expired: 'It is older than 15 minutes: read the conversation and prepare the message again.',
  overtaken:
    'Somebody has written in the conversation since: read it and prepare the message again.',
}

/** The prepared message and its conversation, both locked, so that nobody writes in between. */
async function locked(context: ChangeContext<ReadContext>, params: Params) {
  const { db, workspace, clock } = context
  const named = of(context, params)
  const first = found(await findPrepared(db, named), what)
  await lockConversation(db, workspace.id, first.conversation)
  const row = found(await lockPrepared(db, named), what)
  return { row, state: await standingOf(db, row, params.version, clock.now()) }
}

async function shown(
  db: Db,
  context: ReadContext,
  row: Prepared,
  state: Standing,
): Promise<z.input<typeof Shown>> {
  const { workspace, token } = context
  const { account, name } = found(await findSender(db, workspace.id, row.connection), 'connection')
  return {
    conversation: row.conversation,
    to: row.toAddress,
    from: { connection: row.connection, account, name },
    subject: row.subject,
    text: row.text,
    sendAt: isoOrNull(row.sendAt),
    expiresAt: iso(row.expiresAt),
    state,
    unattended: await isUnattended(db, workspace.id, token),
    seen: seenOf(row),
  }
}

const path = '/prepared/{id}/{version}'

export const insideRoutes = [
  read({
    path,
    operationId: 'readPrepared',
    summary: 'Read a prepared message',
    scopes: ['send'],
    params: Named,
    response: Shown,
    async handler({ params }, context) {
      const { db, clock } = context
      const row = found(await findPrepared(db, of(context, params)), what)
      return shown(db, context, row, await standingOf(db, row, params.version, clock.now()))
    },
  }),
  change({
    method: 'PUT',
    path,
    operationId: 'prepareMessage',
    summary: 'Prepare a message',
    scopes: ['send'],
    action: 'message.prepared',
    params: Named,
    body: Words,
    // No words: they stay in the row, which is gone soon.
    response: z.object({ version: z.number() }),
    errors: [...sendErrors, 'invalid_state'],
    async handler({ params, body }, context) {
      const { db, clock } = context
      const { conversation: id, ...words } = body
      const asked = await addressed({ params: { id }, body: words }, context)
      const given = {
        conversation: id,
        toAddress: asked.to.handle,
        connection: asked.via.id,
        subject: asked.subject,
        text: words.text,
        sendAt: asked.sendAt,
      }
      if (!(await keepPrepared(db, of(context, params), given, clock.now())))
        throw new ApiError('invalid_state', 'It was changed or sent meanwhile: prepare it again.')
      context.changed(id, undefined, { via: asked.via.id, sendAt: isoOrNull(asked.sendAt) })
      return { version: params.version }
    },
  }),
  change({
    method: 'POST',
    path: `${path}/confirm`,
    operationId: 'confirmPrepared',
    summary: 'A person has seen it and agrees',
    scopes: ['send'],
    action: 'message.prepared',
    params: Named,
    body: z.strictObject({ seen: z.string().max(64) }),
    response: z.object({ confirmed: z.literal(true) }),
    errors: ['invalid_state'],
    async handler({ params, body }, context) {
      const { row, state } = await locked(context, params)
      requireOpen(state)
      if (seenOf(row) !== body.seen) requireOpen('replaced')
      await confirmPrepared(context.db, row, 'client')
      return { confirmed: true as const }
    },
  }),
  change({
    method: 'DELETE',
    path,
    operationId: 'dropPrepared',
    summary: 'A person does not agree',
    scopes: ['send'],
    action: 'message.prepared',
    params: Named,
    response: z.object({ dropped: z.literal(true) }),
    async handler({ params }, context) {
      const { row } = await locked(context, params)
      await dropPrepared(context.db, row)
      return { dropped: true as const }
    },
  }),
  change({
    method: 'POST',
    path: `${path}/send`,
    operationId: 'sendPrepared',
    summary: 'Send what was prepared',
    scopes: ['send'],
    action: 'message.queued',
    params: Named,
    response: QueuedMessage,
    errors: [...sendErrors, 'invalid_state'],
    async handler({ params }, context) {
      const { db, workspace, token, clock } = context
      const { row, state } = await locked(context, params)
      requireOpen(state)
      // Not final, so that the same call goes on once somebody has confirmed it.
      if (state === 'waiting' && !(await isUnattended(db, workspace.id, token)))
        throw new ApiError('insufficient_scope', 'A person has to confirm it first.')
      const letter = {
        text: row.text,
        subject: row.subject,
        to: row.toAddress,
        via: row.connection,
        ...(row.sendAt && { sendAt: iso(row.sendAt) }),
      }
      const words = { text: row.text, html: null, cids: [], leftOut: [] }
      const queued = await queue(
        { params: { id: row.conversation }, body: letter },
        context,
        words,
        {
          lock: async () => [],
          async store(message, { beside }) {
            await insertQueuedMessage(db, message, beside)
            await withinQuotas(context, { queuedMessages: 1, bytes: true })
          },
        },
        { confirmedBy: row.confirmedBy ?? 'token' },
      )
      await preparedSent(db, row, clock.now())
      return queued
    },
  }),
]
