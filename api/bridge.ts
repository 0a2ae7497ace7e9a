import type { Context } from 'koa'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { z } from 'zod'
import { findBridged, reportStatus } from '../db/bridges.ts'
import { again, type Trx } from '../db/database.ts'
import { type Inbound, receiveMessage } from '../db/inbound.ts'
import { unseal } from '../db/secrets.ts'
import { malformed, parseWith, readBody, tooLarge, tryJson } from './body.ts'
import { ApiError, found } from './errors.ts'
import type { Service } from './serve.ts'
import { Timestamp } from './shapes.ts'

// POST /bridge/{connection}: what a bridge tells us, signed as Standard Webhooks 1.0 has it with the secret of the connection.
// It needs no token and no key. README describes it for those who write one.

const bodyLimit = 16 * 1024 * 1024

const Code = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/)
const word = (max: number) => z.string().max(max).default('')

const Message = z.looseObject({
  from: z.looseObject({ address: z.string().trim().min(1).max(320), name: word(300) }),
  text: word(1_000_000),
  subject: word(1000),
  at: Timestamp.optional(),
  /** Of what it answers: the bridge's id or ours. */
  inReplyTo: z.string().max(255).optional(),
  automated: z.boolean().default(false),
  files: z
    .array(z.looseObject({ name: word(300), type: word(200), content: z.base64() }))
    .max(50)
    .default([]),
})
const Status = z.looseObject({
  message: z.string().max(255),
  state: z.enum(['sent', 'delivered', 'failed']),
  reason: Code.catch('undelivered').default('undelivered'),
  id: z.string().max(255).optional(),
})
const Envelope = z.looseObject({ type: z.string().max(100), data: z.unknown() })

export async function receiveFromBridge(ctx: Context, service: Service) {
  const id = /^\/bridge\/([\w.~-]{1,100})\/?$/.exec(ctx.path)?.[1]
  if (!id) throw new ApiError('not_found', 'There is no such bridge.')
  if (ctx.method !== 'POST')
    throw new ApiError('method_not_allowed', 'A bridge posts.', { headers: { Allow: 'POST' } })
  const connection = found(await findBridged(service.db, id), 'bridge')
  ctx.state['log'] = { pattern: '/bridge/{connection}', workspace: connection.workspace }
  const bytes = await readBody(ctx.req, bodyLimit)
  if (!bytes) throw tooLarge('body_too_large', bodyLimit)
  const externalId = verify(ctx, bytes, secretOf(service, connection.secrets))

  const json = tryJson(bytes)
  if (json === undefined) throw malformed()
  const { type, data } = parseWith(Envelope, storable(json), 'body')
  if (type === 'message.received') {
    const message = parseWith(Message, data, 'body')
    await store(service, (trx) =>
      receiveMessage(
        trx,
        inbound(connection, externalId, message, service.clock.now()),
        service.clock.now(),
      ),
    )
  } else if (type === 'message.status') {
    const { message, state, reason, id: given } = parseWith(Status, data, 'body')
    const reported = { connection: connection.id, message, state, reason, externalId: given }
    found(
      (await store(service, (trx) => reportStatus(trx, reported, service.clock.now()))) ||
        undefined,
      'message',
    )
  }
  // What else a bridge may come to tell is taken and means nothing yet.
  ctx.status = 204
}

// A message is not refused for a character that Postgres does not take: its bridge would send it again for ever.
const storable = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )

function secretOf({ secretKey }: Service, secrets: string | null): string {
  if (secretKey === undefined)
    throw new ApiError('unavailable', 'This service was started without SECRET_KEY.')
  const { bridge } = secrets ? unseal<{ bridge?: string }>(secretKey, secrets) : {}
  return found(bridge, 'bridge')
}

/** The webhook-id of a request whose signature is right and not older than five minutes. @throws ApiError invalid_token. */
function verify(ctx: Context, bytes: Buffer, secret: string): string {
  const id = ctx.get('webhook-id')
  try {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': ctx.get('webhook-timestamp'),
      'webhook-signature': ctx.get('webhook-signature'),
    }
    new Webhook(secret).verify(bytes, headers, { jsonParse: false })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    throw new ApiError('invalid_token', 'The signature is not right, or too old.')
  }
  if (id.length <= 255) return id
  throw new ApiError('invalid_token', 'A webhook-id has up to 255 characters.')
}

function inbound(
  connection: { id: string; workspace: string; account: string },
  externalId: string,
  message: z.output<typeof Message>,
  now: Date,
): Inbound {
  // The bridge's clock is real, the business clock need not be: how long ago it was is the same in both.
  const agoMs = message.at ? Math.max(0, Date.now() - Date.parse(message.at)) : 0
  return {
    workspace: connection.workspace,
    connection: connection.id,
    externalId,
    from: message.from,
    to: connection.account,
    subject: message.subject,
    text: message.text,
    at: new Date(now.getTime() - agoMs),
    references: message.inReplyTo ? [message.inReplyTo] : [],
    files: message.files.map(({ name, type, content }) => ({
      ...{ name, type, content: Buffer.from(content, 'base64') },
    })),
    automated: message.automated,
  }
}

const tries = 5

const store = <T>({ db }: Service, work: (trx: Trx) => Promise<T>): Promise<T> =>
  again(tries, () => db.transaction().execute(work))
