// Texts in older encodings, made by inverting Node's decoders.

const tables = new Map<string, Map<string, number[]>>()

/** The bytes of a text in an encoding of one or two bytes a character. */
export function encode(text: string, encoding: string): Buffer {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${encoding} has no ${character}`)
      return bytes
    }),
  )
}

function tableOf(encoding: string) {
  const table = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding, { fatal: true })
  const add = (...bytes: number[]) => {
    try {
      const [character = '', ...more] = decoder.decode(Uint8Array.from(bytes))
      if (more.length === 0 && !table.has(character)) table.set(character, bytes)
    } catch {}
  }
  for (let byte = 0; byte < 256; byte++) add(byte)
  for (let lead = 0x81; lead < 256; lead++)
    for (let trail = 0x40; trail < 256; trail++) add(lead, trail)
  return table
}
