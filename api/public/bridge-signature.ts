import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { ApiError } from '../http/errors.ts'

// Signatures of Standard Webhooks 1.0, computed while the body arrives, so that a long body is never hashed in one
// go.

const toleranceMs = 5 * 60_000
// There are two signatures while a secret is rotated; a sender that lists many is guessing.
const mostSignatures = 10

export type Stamp = { id: string; timestamp: string; signatures: Buffer[] }

/** Reads the signature from the headers. @throws ApiError invalid_token when it is malformed or older than five minutes. */
export function readStamp(ctx: Context): Stamp {
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
export function signatureOver({ id, timestamp, signatures }: Stamp, secret: string | undefined) {
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
