import { deserialize, serialize } from 'node:v8'

// What a process and its children say to one another: two lengths of 32 bits, a structured clone, and bytes as they are.

const headLength = 8
/** The largest part of a frame; a mail is 32 MB at most, and what is made of it little more. */
const largestPart = 192 * 1024 * 1024

export type Frame = { said: unknown; bytes: Buffer }

/** The pieces of a frame, in order. Bytes are not copied. */
export function frameOf(said: unknown, bytes: Uint8Array = Buffer.alloc(0)): Uint8Array[] {
  const text = serialize(said)
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(text.length, 0)
  head.writeUInt32BE(bytes.length, 4)
  return bytes.length > 0 ? [head, text, bytes] : [head, text]
}

/** Takes chunks of a stream and hands over each frame as it is whole. @throws RangeError when one is too large. */
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
