// Servers may answer with any number of bytes, so no more is read than expected.

/**
 * The body of an answer.
 * @throws RangeError once it is larger than `limit` bytes; the rest is not waited for.
 */
export async function readBounded(response: Response, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > limit) throw new RangeError('The answer is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
