/**
 * A share of `mostMs` that is the same for an id each time, so that what falls due for many at one moment is spread over that time.
 * It is the FNV-1a hash of the id, of 32 bits, with the last step of MurmurHash3: ids that differ in their last letters alone would
 * lie close to each other without it.
 */
export function spreadMs(id: string, mostMs: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return Math.floor((((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * mostMs)
}
