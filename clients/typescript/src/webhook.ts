import type { EventKind } from './events.ts'
import type { EventData } from './generated/schemas.ts'
import { PostroomError } from './problems.ts'

// Webhooks as Standard Webhooks 1.0 describes them (https://www.standardwebhooks.com), verified by WebCrypto.

/** What a webhook sends, by its type. More types are added over time: keep a default where you decide by it. */
export type WebhookEvent = {
  [K in EventKind]: {
    type: K
    timestamp: string
    data: EventData[K] & {
      /** The id of the event: ignore one that you have had. */
      id: string
      workspace: string
      resource: string
    }
  }
}[EventKind]

export type WebhookRequest = {
  /** The body as it came, byte for byte. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** The secret of the webhook; while it rotates, the old one and the new one. */
  secret: string | readonly string[]
  /** How far the time of the request may differ from that of this machine: five minutes by default. */
  toleranceSeconds?: number
  /** Replaces the time of this machine, in milliseconds. */
  now?: number
}

// A rotation has two; nobody makes us check hundreds.
const mostSignatures = 10

/** The event of a webhook, if it is from the service and was sent just now. @throws PostroomError invalid_signature */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: WebhookRequest): Promise<WebhookEvent> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  )
  if (!id || !timestamp || !signature) throw refused('A header of the webhook is missing.')
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(now / 1000 - seconds) <= toleranceSeconds))
    throw refused('The webhook was signed too long ago, or the clocks differ.')
  const bytes = typeof body === 'string' ? encode(body) : body
  const signed = joined(encode(`${id}.${timestamp}.`), bytes)
  const signatures = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, mostSignatures)
    .flatMap((one) => bytesOf(one.slice('v1,'.length)) ?? [])
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one)
    // Takes the same time whatever differs.
    for (const given of signatures)
      if (await crypto.subtle.verify('HMAC', key, given, signed))
        return JSON.parse(new TextDecoder().decode(bytes))
  }
  throw refused('The webhook is not signed by this secret.')
}

const refused = (message: string) => new PostroomError('invalid_signature', message)

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}

async function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes?.length)
    throw new PostroomError('invalid_options', 'secret: is not of the form whsec_….')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

const encode = (text: string) => new TextEncoder().encode(text)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
