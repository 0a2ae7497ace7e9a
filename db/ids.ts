import { randomBytes } from 'node:crypto'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * An opaque id with a readable prefix, e.g. `per_01kb…`: ten characters of time, so that ids made later sort later,
 * and sixteen of randomness.
 */
export function newId(prefix: string): string {
  let time = Date.now()
  let id = ''
  for (let i = 0; i < 10; i++) {
    id = digits[time % 32] + id
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) id += digits[byte & 31]
  return `${prefix}_${id}`
}
