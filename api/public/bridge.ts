import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { z } from 'zod'
import { retrying, type Trx } from '../../db/database.ts'
import { findBridged, reportStatus } from '../../db/inbox/bridges.ts'
import type { Inbound } from '../../db/inbox/inbound.ts'
import { receiveMessage } from '../../db/inbox/receive-message.ts'
import { connectionSecrets } from '../../db/secrets.ts'
import { keepable } from '../../rules/text.ts'
import { parseWith } from '../http/body.ts'
import { ApiError, found } from '../http/errors.ts'
import { ofBridges, openIntake, tooLarge } from '../http/intake.ts'
import { parseJson } from '../http/json.ts'
import type { Patience } from '../http/patience.ts'
import { openUnproven } from '../http/unproven.ts'
import type { Service } from '../serve.ts'
import { Timestamp } from '../shapes/shapes.ts'

// POST /bridge/{connection}: the messages and reports of a bridge, signed with the secret of the connection as in
// Standard Webhooks 1.0. It needs no token and no key. docs/bridges.md describes it for
// authors of bridges.

const bodyLimit = 16 * 1024 * 1024

const Code = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/)
const word = (max: number) => z.string().max(max).default('')

/** The data of `message.received`, which docs/bridges.md describes. */
export const Message = z.looseObject({
  from: z.looseObject({ address: z.string().trim().min(1).max(320), name: word(300) }),
  text: word(1_000_000),
  subject: word(1000),
  at: Timestamp.optional(),
  /** The message that this one answers: the bridge's id or ours. */
  inReplyTo: z.string().max(255).optional(),
  automated: z.boolean().default(false),
  files: z
    .array(z.looseObject({ name: word(300), type: word(200), content: z.base64() }))
    .max(50)
    .default([]),
})
/** The data of `message.status`. */
export const Status = z.looseObject({
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
    throw new ApiError('method_not_allowed', 'Bridges send POST requests only.', {
      headers: { Allow: 'POST' },
    })
  ctx.state['log'] = { pattern: '/bridge/{connection}' }
  // The signature covers the whole body, so whatever can be checked without the body is checked first.
  const stamp = readStamp(ctx)
  const connection = await findBridged(service.db, id)
  const secret = secretOf(service, connection)
  const { bytes, isRight } = await listen(ctx, secret, stamp, service.patience)
  if (!isRight || !connection) throw new ApiError('invalid_token', 'The signature is not valid.')
  ctx.state['log'] = { ...ctx.state['log'], workspace: connection.workspace }
  const intake = openIntake(`bridge ${id}`, { pool: ofBridges })
  try {
    intake.hold(bytes.length)
    const { json, refusal } = parseJson(bytes)
    if (refusal) throw refusal
    await take(service, connection, stamp.id, json)
  } finally {
    intake.close()
  }
  // Any other kind that a bridge may send is accepted and has no effect yet.
  ctx.status = 204
}

/**
 * Where there is no bridge, the body is read all the same and discarded, so nobody learns which connections have a
 * bridge.
 */
async function listen(
  ctx: Context,
  secret: string | undefined,
  stamp: Stamp,
  patience: Patience | undefined,
) {
  const unproven = openUnproven(ctx, patience)
  try {
    const pieces: Buffer[] = []
    const signature = signatureOver(stamp, secret)
    const size = await unproven.receive(ctx, bodyLimit, (piece) => {
      signature.update(piece)
      if (secret) pieces.push(piece)
    })
    if (size === undefined) throw tooLarge('body_too_large', bodyLimit)
    const isRight = signature.isRight()
    return { bytes: isRight ? Buffer.concat(pieces) : Buffer.alloc(0), isRight }
  } finally {
    unproven.close()
  }
}

type Connection = NonNullable<Awaited<ReturnType<typeof findBridged>>>

async function take(service: Service, connection: Connection, externalId: string, json: unknown) {
  const { type, data } = parseWith(Envelope, storable(json), 'body')
  if (type === 'message.received') {
    const message = parseWith(Message, data, 'body')
    await store(service, (trx) =>
      receiveMessage(
        trx,
        inbound(connection, externalId, message, service.clock.now()),
        service.clock.now(),
        service.secretKey,
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
}

// A message is not refused for a character that Postgres does not accept: its bridge would send it again and again.
const storable = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === 'string' ? keepable(value) : value,
  )

/** The secret of a connection that has a bridge. @throws ApiError unavailable in a process without SECRET_KEY. */
function secretOf({ secretKey }: Service, connection: Connection | undefined): string | undefined {
  if (secretKey === undefined)
    throw new ApiError('unavailable', 'This service was started without SECRET_KEY.')
  return connection && connectionSecrets(secretKey, connection).bridge
}

function inbound(
  connection: { id: string; workspace: string; account: string },
  externalId: string,
  message: z.output<typeof Message>,
  now: Date,
): Inbound {
  // The bridge's clock is real, while the business clock may be shifted: the age of a message is the same by both.
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
      name,
      type,
      content: Buffer.from(content, 'base64'),
    })),
    automated: message.automated,
  }
}

const tries = 5

const store = <T>({ db }: Service, work: (trx: Trx) => Promise<T>): Promise<T> =>
  retrying(tries, () => db.transaction().execute(work))

// Signatures of Standard Webhooks 1.0, computed while the body arrives, so that a long body is never hashed in one
// go.

const toleranceMs = 5 * 60_000
// There are two signatures while a secret is rotated; a sender that lists many is guessing.
const mostSignatures = 10

type Stamp = { id: string; timestamp: string; signatures: Buffer[] }

/** Reads the signature from the headers. @throws ApiError invalid_token when it is malformed or older than five minutes. */
function readStamp(ctx: Context): Stamp {
  const id = ctx.get('webhook-id')
  const timestamp = ctx.get('webhook-timestamp')
  const ageMs = Date.now() - Number(timestamp) * 1000
  const signatures = ctx
    .get('webhook-signature')
    .split(' ')
    .flatMap((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1] ?? [])
    .map((one) => Buffer.from(one, 'base64'))
  const isRight =
    id !== '' &&
    id.length <= 255 &&
    /^\d{1,12}$/.test(timestamp) &&
    Math.abs(ageMs) <= toleranceMs + 1000 &&
    signatures.length > 0 &&
    signatures.length <= mostSignatures
  if (isRight) return { id, timestamp, signatures }
  throw new ApiError('invalid_token', 'The signature is malformed or too old.')
}

/** The signature over a body that is still to arrive. Without a secret no signature is valid. */
function signatureOver({ id, timestamp, signatures }: Stamp, secret: string | undefined) {
  const key = secret ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : randomBytes(32)
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`)
  return {
    update: (piece: Buffer) => void hmac.update(piece),
    isRight() {
      const expected = hmac.digest()
      const matching = signatures.filter((one) => timingSafeEqual(one, expected))
      return matching.length > 0 && secret !== undefined
    },
  }
}
