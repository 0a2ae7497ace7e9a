// RTF as it is compressed in MAPI ([MS-OXRTFCP]): bytes stand for themselves, or for a piece of what came within the last 4,096.

const [compressed, uncompressed] = [0x75465a4c, 0x414c454d]
const size = 4096
// What every text is taken to begin with.
const before = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
)
const longest = 4 * 1024 * 1024

/** Of bytes that are cut it gives those that are there; undefined if it is none. */
export function inflateRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 16) return undefined
  const kind = bytes.readUInt32LE(8)
  const length = Math.min(bytes.readUInt32LE(4), longest)
  if (kind === uncompressed) return bytes.subarray(16, 16 + length)
  if (kind !== compressed) return undefined
  const window = Buffer.alloc(size)
  before.copy(window)
  const found = Buffer.alloc(length)
  let [place, count, at] = [before.length, 0, 16]
  const put = (byte: number) => {
    found[count++] = byte
    window[place] = byte
    place = (place + 1) % size
  }
  while (at < bytes.length && count < length) {
    const control = bytes[at++] as number
    for (let bit = 0; bit < 8 && at < bytes.length && count < length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] as number)
        continue
      }
      const low = bytes[at + 1]
      if (low === undefined) return found.subarray(0, count)
      const from = ((bytes[at] as number) << 4) | (low >> 4)
      at += 2
      // A piece of what comes next: the end.
      if (from === place) return found.subarray(0, count)
      const end = Math.min(count + (low & 15) + 2, length)
      for (let source = from; count < end; source++) put(window[source % size] as number)
    }
  }
  return found.subarray(0, count)
}
