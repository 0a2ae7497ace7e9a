import { type Field, isNamed, isOfContent, written } from './fields.ts'
import { hasName } from './kinds.ts'
import type { Letter } from './letters.ts'
import { insteadOf } from './placeholders.ts'
import type { Part } from './tree.ts'
import { type Content, filePart, several, textPart } from './written.ts'

// What a text is among the other texts of its mail: the letter, one of several forms of it, or a file.

/** What is to stand in its place; undefined if it stays as it came. `fields` are those of its part, put right. */
export function contentOf(
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
