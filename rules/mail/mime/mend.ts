import { type Field, isOfContent, written } from './fields.ts'
import { mendedValue } from './heads.ts'
import { readLetter } from './letters.ts'
import { openPackage } from './packages.ts'
import { contentOf } from './roles.ts'
import { type Part, treeOf } from './tree.ts'
import { bytesOf } from './written.ts'

// Programs write mail in ways that the parser of mail reads as something else, or as nothing: labels that are wrong or missing,
// broken encodings, packages of other formats. Such parts are written anew here, in the one way that every parser reads. A mail
// without any stays as it came, byte for byte.

type Edit = { from: number; to: number; bytes: Buffer }

// A signed mail within a signed one, and so on.
const deepest = 3

/** The mail as the parser is to read it. */
export function mended(raw: Buffer, depth = 0): Buffer {
  const root = treeOf(raw)
  if (!root || depth > deepest) return raw
  const parts = partsOf(root)
  const letters = parts.flatMap((part) => readLetter(raw, part) ?? [])
  const hasText = letters.some(({ text }) => text.trim() !== '')
  const likely = letters.find(({ charset }) => charset !== '')?.charset ?? ''
  const again = (within: Buffer) => mended(within, depth + 1)
  const edits = parts.flatMap((part): Edit[] => {
    const fields = part.fields.map((field) => ({ ...field, value: mendedValue(field, likely) }))
    const content = contentIn(part, fields)
    if (content) {
      const others = fields.filter((field) => !isOfContent(field)).map(written)
      return [{ from: part.from, to: part.end, bytes: bytesOf(content, others) }]
    }
    if (isSame(part.fields, fields)) return []
    const head = bytesOf({ fields: fields.map(written), body: Buffer.alloc(0) })
    return [{ from: part.from, to: part.body, bytes: head }]
  })
  return edits.length === 0 ? raw : edited(raw, edits)

  function contentIn(part: Part, fields: Field[]) {
    const letter = letters.find((one) => one.part === part)
    if (letter) return contentOf(raw, letter, letters, fields)
    return part.parts.length === 0 ? openPackage(raw, part, fields, { hasText, again }) : undefined
  }
}

const partsOf = (part: Part): Part[] => [part, ...part.parts.flatMap(partsOf)]

const isSame = (some: Field[], others: Field[]) =>
  some.every(({ value }, at) => value === others[at]?.value)

/** No two of them overlap, and they are in the order of the bytes. */
function edited(raw: Buffer, edits: Edit[]): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const { from, to, bytes } of edits) {
    pieces.push(raw.subarray(at, from), bytes)
    // What stood at the end of a part without a body was the empty line of its head.
    if (bytes.at(-1) !== 10 && raw[to] === 45) pieces.push(Buffer.from('\r\n'))
    at = to
  }
  pieces.push(raw.subarray(at))
  return Buffer.concat(pieces)
}
