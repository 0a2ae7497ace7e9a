// The properties of MAPI in a part of a winmail.dat ([MS-OXTNEF] 2.1.3.4): a number, a type, and one value or several.

export type Properties = Map<number, { bytes: Buffer; isUnicode: boolean }>

const [string8, unicode, object, binary] = [0x1e, 0x1f, 0x0d, 0x102]
const widths: Record<number, number> = {
  ...{ 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4 },
  ...{ 20: 8, 64: 8, 72: 16 },
}
const severalOf = 0x1000
const mostProperties = 5_000

/** Those that could be read, up to the first one that could not. */
export function readProperties(bytes: Buffer): Properties {
  const properties: Properties = new Map()
  let at = 4
  const count = Math.min(bytes.length < 4 ? 0 : bytes.readUInt32LE(0), mostProperties)
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) break
    const type = bytes.readUInt16LE(at)
    const id = bytes.readUInt16LE(at + 2)
    at += 4
    if (id >= 0x8000 && !skipName()) break
    const values = readValues(type)
    if (!values) break
    const [first] = values
    // The bytes of an object begin with the number of its interface.
    if (first && !properties.has(id))
      properties.set(id, {
        bytes: type === object ? first.subarray(16) : first,
        isUnicode: (type & ~severalOf) === unicode,
      })
  }
  return properties

  /** Properties with numbers of their own carry the name that these stand for. */
  function skipName(): boolean {
    if (at + 24 > bytes.length) return false
    const isText = bytes.readUInt32LE(at + 16) === 1
    at += isText ? 24 + padded(bytes.readUInt32LE(at + 20)) : 24
    return at <= bytes.length
  }

  function readValues(type: number): Buffer[] | undefined {
    const base = type & ~severalOf
    const isSized = [string8, unicode, object, binary].includes(base)
    const isSeveral = (type & severalOf) !== 0
    let count = 1
    if (isSeveral || isSized) {
      if (at + 4 > bytes.length) return undefined
      count = bytes.readUInt32LE(at)
      at += 4
    }
    const values: Buffer[] = []
    for (let i = 0; i < count; i++) {
      let width = widths[base]
      if (isSized) {
        if (at + 4 > bytes.length) return undefined
        width = bytes.readUInt32LE(at)
        at += 4
      }
      if (width === undefined || at + width > bytes.length) return undefined
      values.push(bytes.subarray(at, at + width))
      at += padded(width)
    }
    return values
  }
}

const padded = (length: number) => Math.ceil(length / 4) * 4
