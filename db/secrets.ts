import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

// Secrets at rest: AES-256-GCM (NIST SP 800-38D) under keys that are derived from SECRET_KEY by HKDF (RFC 5869), one for each
// column. `v1:<key id>:` is followed by nonce, tag and ciphertext in base64. What a sealed text is bound to is authenticated with
// it: copied into another row or column, it does not open. The id distinguishes one SECRET_KEY from another and reveals
// neither.

/** SECRET_KEY, which seals and opens, and SECRET_KEY_PREVIOUS, which only opens. */
export type SecretKey = { readonly current: string; readonly previous?: string | undefined }

/** Every column that holds sealed texts; `npm run reseal` goes through this list. */
export const sealedColumns = {
  'connections.secrets': { table: 'connections', column: 'secrets' },
  'calendars.secrets': { table: 'calendars', column: 'secrets' },
  'webhooks.secret': { table: 'webhooks', column: 'secret' },
  'operations.answerBody': { table: 'operations', column: 'answerBody' },
  'logins.accessToken': { table: 'logins', column: 'accessToken' },
  'logins.refreshToken': { table: 'logins', column: 'refreshToken' },
  'verifications.secrets': { table: 'verifications', column: 'secrets' },
  'connectTickets.secrets': { table: 'connectTickets', column: 'secrets' },
  'erasureKeys.secret': { table: 'erasureKeys', column: 'secret' },
} as const
export type SealedColumn = keyof typeof sealedColumns

/** What a sealed text is bound to: its column, and the id of its row. */
export type SealBinding = { in: SealedColumn; id: string }

const nonceBytes = 12
const tagBytes = 16

/** Encrypts a text for storage in this row and column, and no other. */
export function seal({ current }: SecretKey, plain: unknown, binding: SealBinding): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(current, binding.in), nonce)
  cipher.setAAD(named(binding))
  const body = Buffer.concat([cipher.update(JSON.stringify(plain), 'utf8'), cipher.final()])
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
  return `v1:${keyId(current)}:${sealed}`
}

/** @throws SealError if the text is sealed under a key that was not given, was changed, or belongs elsewhere. */
export function unseal<T>(secretKey: SecretKey, sealed: string, binding: SealBinding): T {
  const keys = [secretKey.current, secretKey.previous].filter((key) => key !== undefined)
  const [, id, text] = /^v1:([0-9a-f]{8}):(.*)$/s.exec(sealed) ?? []
  if (id === undefined || text === undefined)
    throw new SealError(`${told(binding)} is not a sealed text.`)
  const key = keys.find((one) => keyId(one) === id)
  if (key === undefined)
    throw new SealError(
      `${told(binding)} is sealed under the SECRET_KEY with the id ${id}; this process has ${keys.map(keyId).join(' and ')}.`,
    )
  try {
    return open(keyFor(key, binding.in), text, named(binding)) as T
  } catch {
    throw new SealError(`${told(binding)} was changed, or sealed for another place.`)
  }
}

/** Whether a text is already sealed under the present key and in the present format. */
export const isSealedNow = ({ current }: SecretKey, sealed: string) =>
  sealed.startsWith(`v1:${keyId(current)}:`)

/** HMAC-SHA256 of a text, in hexadecimal digits: whoever has the database alone cannot try what the text may have been. */
export const hashedUnder = (secretKey: string, text: string) =>
  createHmac('sha256', derived(secretKey, 'hashes', 32))
    .update(text)
    .digest('hex')

/** Distinguishes one SECRET_KEY from another: eight hexadecimal digits derived from it. */
export const keyId = (secretKey: string) => derived(secretKey, 'key id', 4).toString('hex')

/** A secret at rest that cannot be opened here. Its message names rows and ids of keys, and nothing private. */
export class SealError extends Error {
  override name = 'SealError'
}

const told = ({ in: column, id }: SealBinding) => `${column} of ${id}`

// Neither tables nor columns have a colon in their names, so no two are written alike.
function named(binding: SealBinding) {
  const { table, column } = sealedColumns[binding.in]
  return Buffer.from(`${table}:${binding.id}:${column}`)
}

const keyFor = (secretKey: string, column: SealedColumn) => derived(secretKey, column, 32)

const derived = (secretKey: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `postroom v1 ${purpose}`, bytes))

function open(key: Buffer, text: string, authenticated: Buffer): unknown {
  const bytes = Buffer.from(text, 'base64')
  const tagEnd = nonceBytes + tagBytes
  if (bytes.length < tagEnd) throw new Error('too short')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(authenticated)
  decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd))
  const plain = Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()])
  return JSON.parse(plain.toString('utf8'))
}

export type ConnectionSecrets = { smtp?: string; imap?: string; bridge?: string; oauth?: string }

/** The sealed secrets of a connection; empty if it has no passwords. @throws SealError. */
export const connectionSecrets = (
  secretKey: SecretKey,
  { id, secrets }: { id: string; secrets: string | null },
): ConnectionSecrets =>
  secrets ? unseal<ConnectionSecrets>(secretKey, secrets, { in: 'connections.secrets', id }) : {}
