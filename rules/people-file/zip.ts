import { crc32, inflateRawSync } from 'node:zlib'

// Reads a zip archive from an untrusted source. The unpacked size that it claims is summed before anything is unpacked, and
// then enforced.

export type ZipEntry = { name: string; content: Buffer }

const mostEntries = 2000
/** Several times the size of the largest workbook of 3 MB in which anybody keeps people. */
const mostUnpacked = 64 * 1024 * 1024

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const [endSize, entrySize, localSize] = [22, 46, 30]

type Listed = { name: string; method: number; packed: number; size: number; at: number }

/** The entries whose names `wanted` accepts, or a sentence that says why the archive is refused. */
export function unzip(bytes: Uint8Array, wanted: (name: string) => boolean): ZipEntry[] | string {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const listed = directoryOf(zip)
    if (typeof listed === 'string') return listed
    if (listed.reduce((sum, { size }) => sum + size, 0) > mostUnpacked)
      return `It unpacks to more than ${mostUnpacked / 1024 / 1024} MB.`
    return listed
      .filter(({ name }) => wanted(name))
      .map((entry) => ({ name: entry.name, content: contentOf(zip, entry) }))
  } catch {
    // The archive is cut off, or its directory contradicts its entries.
    return 'It is a broken archive.'
  }
}

function directoryOf(zip: Buffer): Listed[] | string {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || zip.readUInt32LE(end) !== endSignature || end + endSize > zip.length)
    return 'It is a broken archive.'
  const count = zip.readUInt16LE(end + 10)
  if (count > mostEntries) return `It is an archive of more than ${mostEntries} files.`
  let at = zip.readUInt32LE(end + 16)
  const listed: Listed[] = []
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== entrySignature) return 'It is a broken archive.'
    if (zip.readUInt16LE(at + 8) & 1) return 'It has a password: save it without one.'
    const nameSize = zip.readUInt16LE(at + 28)
    listed.push({
      name: zip.toString('utf8', at + entrySize, at + entrySize + nameSize),
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      at: zip.readUInt32LE(at + 42),
    })
    at += entrySize + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return listed
}

/** Throws if the entry is not what the directory says. */
function contentOf(zip: Buffer, { method, packed, size, at }: Listed): Buffer {
  if (zip.readUInt32LE(at) !== localSignature) throw new Error('no entry')
  const start = at + localSize + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const raw = zip.subarray(start, start + packed)
  if (method !== 0 && method !== 8) throw new Error('an unknown method')
  const content = method === 0 ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  if (content.length !== size) throw new Error('another size')
  return content
}

/** An uncompressed, consistent archive of these entries. */
export function zipStored(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content } of entries) {
    const path = Buffer.from(name)
    // Version 2.0, names in UTF-8, stored, the earliest possible date; sizes; the length of the name.
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(0x0800, 2)
    head.writeUInt16LE(0x21, 8)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(content.length, 14)
    head.writeUInt32LE(content.length, 18)
    head.writeUInt16LE(path.length, 22)
    parts.push(uint32(localSignature), head, path, content)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(uint32(entrySignature), Buffer.from([20, 0]), head, rest, path)
    at += 4 + head.length + path.length + content.length
  }
  const end = Buffer.alloc(endSize)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  )
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

function uint32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
