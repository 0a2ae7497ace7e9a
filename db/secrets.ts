import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// AES-256-GCM (NIST SP 800-38D): 12 random bytes of nonce, then the tag, then the ciphertext, base64.

const keyOf = (secretKey: string) => createHash('sha256').update(secretKey).digest()

/** Encrypts for storing at rest; `secretKey` is SECRET_KEY. */
export function seal(secretKey: string, plain: unknown): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce)
  const body = Buffer.concat([cipher.update(JSON.stringify(plain), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** @throws when the key is another one or the text was changed. */
export function unseal<T>(secretKey: string, sealed: string): T {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
  return JSON.parse(plain.toString('utf8'))
}
