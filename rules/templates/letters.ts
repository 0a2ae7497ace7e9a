import { cut, plainLine } from '../text.ts'
import { letterMs, longestLetterBytes, parsed, rendered, TemplateTrouble } from './engine.ts'
import { type Mode, settled } from './outputs.ts'
import { scopeOf, type Values } from './variables.ts'

// A letter as a template makes it for one person.

export type LetterTemplate = { subject: string; text: string; html: string | null }

export type Made =
  | {
      kind: 'made'
      /** One line; empty if the template has no subject: then it is that of the thread. */
      subject: string
      text: string
      html: string | null
      /** The variables that were printed and had no value, by name. */
      missing: string[]
    }
  | { kind: 'failed'; member: keyof LetterTemplate; trouble: TemplateTrouble }

export const longestSubject = 250

// Any letter is late when the machine hangs for a moment; one that is late three times takes too long.
const mostTries = 3

/** Makes a letter. With `named`, names of variables stand where values are missing. */
export function makeLetter(template: LetterTemplate, values: Values, named = false): Made {
  for (let tries = 1; ; tries++) {
    const made = tryToMake(template, values, named)
    const isLate = made.kind === 'failed' && made.trouble.code === 'too_much'
    if (!isLate || tries === mostTries || made.trouble.isSure) return made
  }
}

function tryToMake(template: LetterTemplate, values: Values, named: boolean): Made {
  const ends = performance.now() + letterMs
  const seen = { missing: new Set<string>(), named }
  const scope = scopeOf(values)
  let left = longestLetterBytes
  let member: keyof LetterTemplate = 'subject'
  const make = (of: keyof LetterTemplate, mode: Mode) => {
    member = of
    const templates = parsed(template[of] ?? '', mode)
    const ms = Math.max(1, ends - performance.now())
    const text = settled(rendered(templates, { scope, seen, moment: values.moment, ms }))
    left -= Buffer.byteLength(text)
    if (left < 0)
      throw new TemplateTrouble('too_much', `makes more than ${longestLetterBytes} bytes`, 1)
    if (/\{\{|\{%/.test(text))
      throw new TemplateTrouble('syntax', 'prints the signs of a template', 1)
    return text
  }
  try {
    const subject = lineOf(make('subject', 'plain'))
    const text = make('text', 'plain')
    const html = template.html === null ? null : make('html', 'html')
    const missing = [...seen.missing]
    // What was printed was all given by `default`, or by conditions, and came to nothing.
    if (missing.length === 0 && template.subject.trim() !== '' && subject === '')
      missing.push('subject')
    if (missing.length === 0 && text.trim() === '') missing.push('text')
    return { kind: 'made', subject, text, html, missing }
  } catch (error) {
    if (!(error instanceof TemplateTrouble)) throw error
    return { kind: 'failed', member, trouble: error }
  }
}

const lineOf = (text: string) => cut(plainLine(text).replace(/\s+/gu, ' ').trim(), longestSubject)
