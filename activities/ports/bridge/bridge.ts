import type { ConnectionRow } from '../../../db/accounts/connections.ts'
import type { Bridge } from '../../../db/accounts/tables.ts'
import { connectionSecrets, type SecretKey } from '../../../db/secrets.ts'
import { type Exchange, exchange } from '../../../process/network/exchange.ts'
import { signed } from '../../../process/network/signature.ts'
import type { Handover } from '../mail/smtp.ts'

// A messenger or professional network is reached through a bridge: a small HTTP service of the operator, described in
// docs/bridges.md. The bridge knows a message by our id, so a message that is handed over twice is sent once.

export type BridgeMessage = {
  /** Our id; the bridge must treat a second message with the same id as the first. */
  id: string
  connection: string
  account: string
  conversation: string
  to: string
  text: string
  /** The bridge's id of the last message that came in to the conversation; null for the first. */
  inReplyTo: string | null
  /** Only if it has any; the content is in base64. */
  files?: { name: string; type: string; content: string }[]
}

type Line = { url: string; secret: string }

const timeoutMs = 15_000
// Files take their time: so many bytes of a request are given another second.
const bytesPerSecond = 256 * 1024
const answerLimit = 64 * 1024

/**
 * The address of a connection's bridge, with the secret that both sides sign with; undefined if it has none.
 * @throws SealError.
 */
export function lineOf(
  { secretKey }: { secretKey: SecretKey },
  connection: ConnectionRow,
): Line | undefined {
  const { bridge: secret } = connectionSecrets(secretKey, connection)
  const { url } = (connection.bridge as Bridge | null) ?? {}
  return url && secret ? { url: url.replace(/\/+$/, ''), secret } : undefined
}

/**
 * Hands a message over. If no clear answer comes, the bridge is asked at once whether it has the message. The outcome is
 * unknown only if it cannot say.
 */
export async function postMessage(line: Line, message: BridgeMessage): Promise<Handover> {
  const answer = await call(line, 'POST', '/messages', message.id, JSON.stringify(message))
  if (answer.problem !== null) return answer.reached ? askMessage(line, message.id) : deferred(null)
  const { status, body } = answer
  if (status >= 200 && status < 300) {
    const externalId = idIn(body)
    return externalId ? { kind: 'accepted', externalId } : askMessage(line, message.id)
  }
  if (status === 408 || status === 429 || status === 503) return deferred(status)
  // A redirect is not followed: the address is wrong, and the bridge took nothing.
  if (status < 400) return deferred(status)
  if (status < 500) return { kind: 'refused', code: status, reason: reasonIn(body) }
  return askMessage(line, message.id)
}

/**
 * Whether the bridge has a message that may have been handed over. accepted: it has. deferred: it does not know the message,
 * which may be handed over again under the same id. refused: it has given the message up. unknown: no clear answer.
 */
export async function askMessage(line: Line, id: string): Promise<Handover> {
  const answer = await call(line, 'GET', `/messages/${encodeURIComponent(id)}`, id)
  if (answer.problem !== null) return { kind: 'unknown' }
  if (answer.status === 404) return deferred(404)
  if (answer.status < 200 || answer.status >= 300) return { kind: 'unknown' }
  const said = read(answer.body)
  if (said['state'] === 'failed')
    return { kind: 'refused', code: answer.status, reason: reasonIn(answer.body) }
  const externalId = idIn(answer.body)
  return externalId ? { kind: 'accepted', externalId } : { kind: 'unknown' }
}

/** What is wrong with a bridge, as a safe code; null if it reports that it is healthy. */
export async function checkBridge(line: Line): Promise<string | null> {
  const answer = await call(line, 'GET', '/health', 'health')
  if (answer.problem !== null) return `bridge_${answer.problem}`
  return answer.status >= 200 && answer.status < 300 ? null : `bridge_error_${answer.status}`
}

const deferred = (code: number | null): Handover => ({ kind: 'deferred', code })

function call(
  { url, secret }: Line,
  method: 'GET' | 'POST',
  path: string,
  id: string,
  body?: string,
): Promise<Exchange> {
  const headers = { accept: 'application/json', ...signed([secret], id, body ?? '') }
  return exchange({
    method,
    url: url + path,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
    timeoutMs: timeoutMs + Math.round(((body?.length ?? 0) / bytesPerSecond) * 1000),
    answerLimit,
  })
}

function read(body: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function idIn(body: string): string | undefined {
  const { id } = read(body)
  return typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id) ? id : undefined
}

// The bridge's own reason, shown only if it is a code and not a sentence.
function reasonIn(body: string): string {
  const { reason } = read(body)
  return typeof reason === 'string' && /^[a-z][a-z0-9_]{0,59}$/.test(reason) ? reason : 'refused'
}
