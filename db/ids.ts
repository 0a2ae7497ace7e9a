import { randomBytes } from 'node:crypto'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const timeDigits = 10
const orderDigits = 3
const randomDigits = 13

let last = 0
let order = 0

/**
 * An opaque id with a readable prefix, e.g. `per_01kb…`: ten characters of time; three that count within a millisecond, so that
 * ids which a process makes later sort later; and thirteen of randomness.
 */
export function newId(prefix: string): string {
  const time = Date.now()
  order = time === last ? order + 1 : 0
  last = time
  let id = `${prefix}_${encode(time, timeDigits)}${encode(order, orderDigits)}`
  for (const byte of randomBytes(randomDigits)) id += digits[byte & 31]
  return id
}

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = digits[rest % 32] + text
  return text
}
