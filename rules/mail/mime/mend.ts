import { wordsOf } from '../html/words.ts'
import { type Field, isNamed, isOfContent, written } from './fields.ts'
import { mendedValue } from './heads.ts'
import { type Letter, readLetter } from './letters.ts'
import { openPackage } from './packages.ts'
import { hasName, type Part, treeOf } from './tree.ts'
import { bytesOf, type Content, filePart, several, textPart } from './written.ts'

// Programs write mail in ways that the parser of mail reads as something else, or as nothing: labels that are wrong or missing,
// broken encodings, packages of other formats. Such parts are rewritten here, in the one way that every parser reads. A mail
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

// What a text is among the other texts of its mail: the letter, one of several forms of it, or a file.

/** What is to stand in its place; undefined if it stays as it came. `fields` are those of its part, put right. */
function contentOf(
  raw: Buffer,
  letter: Letter,
  all: Letter[],
  fields: Field[],
): Content | undefined {
  const { part, is, text, files, isSound } = letter
  const withFiles = (content: Content) =>
    files.length === 0 ? content : several([content, ...files.map(filePart)])
  const choice = choiceOf(part)
  if (choice === undefined) {
    if (hasName(part) && all.some((other) => isBefore(other, letter)))
      return fileOf(raw, part, fields)
  } else if (is === 'plain') {
    const others = all.filter((other) => other !== letter && isWithin(other.part, choice))
    const html = others.find((other) => other.is === 'html')
    // Another form of the same letter, which programs that know its type show in place of this one.
    if (!isPlain(part) && (html || others.some((other) => isPlain(other.part))))
      return fileOf(raw, part, fields)
    const shown = html && insteadOf(text, html.text)
    if (shown !== undefined) return withFiles(textPart(shown))
  }
  return isSound ? undefined : withFiles(textPart(text, is))
}

/** The letter itself, of which one with a name is only a file. */
const isBefore = (other: Letter, { part }: Letter): boolean =>
  other.part !== part &&
  other.text.trim() !== '' &&
  (!hasName(other.part) || choiceOf(other.part) !== undefined || other.part.from < part.from)

const isPlain = ({ type }: Part) => type.value === 'text/plain' || type.value === ''

/** The closest part around it that is one letter in several forms. */
function choiceOf({ parent }: Part): Part | undefined {
  for (let around = parent; around; around = around.parent)
    if (around.type.value === 'multipart/alternative') return around
  return undefined
}

function isWithin({ parent }: Part, choice: Part): boolean {
  for (let around = parent; around; around = around.parent) if (around === choice) return true
  return false
}

function fileOf(raw: Buffer, part: Part, fields: Field[]): Content {
  const isDisposition = isNamed('content-disposition')
  const given = fields.find(isDisposition)?.value ?? ''
  const params = /;[\s\S]*$/.exec(given)?.[0] ?? ''
  return {
    fields: [
      ...fields.filter((field) => isOfContent(field) && !isDisposition(field)).map(written),
      `Content-Disposition: attachment${params}`,
    ],
    body: raw.subarray(part.body, part.end),
  }
}

// A plain text beside HTML that only says that there is HTML, or nothing at all: the HTML says what the letter says.

// Such a text is a line or two.
const longest = 500
const speaksOfIt =
  /\bx?html\b|\bmime\b|plain[- ]text (?:version|part|alternative)|text[- ](?:only )?version|(?:view|see|read|open|display) (?:this|the) (?:e-?mail|message|newsletter) (?:in|with|on|online)|(?:e-?mail|mail|message|browser|client|reader|program) (?:\p{L}+ ){0,4}(?:not support|unable|cannot (?:display|show|render))|textversion|nur[- ]text|textfassung|version texte|versi[oó]n (?:de |en )?texto|versione (?:di )?test[oi]|vers[aã]o (?:de |em )?texto|tekstversie|wersj\p{L} tekstow\p{L}|текстов\p{L}+ верси\p{L}+/iu

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What a mail is to say in place of its plain text; undefined if that says something of its own. */
function insteadOf(plain: string, html: string): string | undefined {
  const said = words(plain.slice(0, longest * 2))
  const isEmpty = said === '' && plain.trim().length < longest
  if (!isEmpty && (plain.length > longest || !speaksOfIt.test(plain))) return undefined
  const shown = wordsOf(html).trim()
  if (words(shown) === '') return undefined
  // Who writes about HTML says the same in both.
  return isEmpty || !words(shown).includes(said) ? shown : undefined
}
