import { deserialize, serialize } from 'node:v8'

// The messages between a process and its children: two lengths of 32 bits, a structured clone, and raw bytes.

const headLength = 8
/** The largest part of a frame. A mail has at most 40 MiB, and its parsed form is only a little larger. */
const largestPart = 192 * 1024 * 1024

export type Frame = { said: unknown; bytes: Buffer }

/** The pieces of a frame, in order. The bytes are not copied. */
export function frameOf(said: unknown, bytes: Uint8Array = Buffer.alloc(0)): Uint8Array[] {
  const text = serialize(said)
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(text.length, 0)
  head.writeUInt32BE(bytes.length, 4)
  return bytes.length > 0 ? [head, text, bytes] : [head, text]
}

/** Takes the chunks of a stream and passes on each frame once it is complete. @throws RangeError when one is too large. */
export function frameReader(take: (frame: Frame) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = headLength
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size >= wanted) {
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
      const [text, bytes] = [all.readUInt32BE(0), all.readUInt32BE(4)]
      if (text > largestPart || bytes > largestPart) throw new RangeError('A frame is too large.')
      const end = headLength + text + bytes
      chunks = [all]
      wanted = end
      if (size < end) return
      const said = deserialize(all.subarray(headLength, headLength + text))
      const rest = all.subarray(end)
      chunks = rest.length > 0 ? [rest] : []
      size = rest.length
      wanted = headLength
      take({ said, bytes: all.subarray(headLength + text, end) })
    }
  }
}
