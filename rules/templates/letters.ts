import { doesRun, mustNot, readSendable } from '../mail/html/letter.ts'
import { cut, plainLine } from '../text.ts'
import { longestLetterBytes, parsed, rendered, TemplateTrouble, type Trouble } from './engine.ts'
import { letterMs, timeOf } from './limits.ts'
import { type Mode, settled } from './outputs.ts'
import { scopeOf, type Values } from './variables.ts'

// A letter as a template makes it for one person. How long that takes depends on the template, so it is done in a child process
// (process/children/letters.ts).

export const members = ['subject', 'text', 'html'] as const
/** A member of a template. */
export type Member = (typeof members)[number]
export type LetterTemplate = { subject: string; text: string; html: string | null }

/** With `named`, names of variables stand where values are missing. */
export type Ask = { template: LetterTemplate; values: Values; named?: boolean }
export type Asks = [Ask, ...Ask[]]

export type Made =
  | {
      kind: 'made'
      /** One line; empty if the template has no subject: then it is that of the thread. */
      subject: string
      text: string
      html: string | null
      /** What was left out of the HTML, in words. */
      leftOut: string[]
      /** The variables that were printed and had no value, by name. */
      missing: string[]
    }
  | { kind: 'failed'; member: Member; trouble: Trouble }

/** What makes letters, in turns with other workspaces. */
export type Maker = (ask: Ask, workspace: string) => Promise<Made>

export const longestSubject = 250

// The first letters of a process take longer than later ones. One that is late three times takes too long.
const mostTries = 3

/** Is told of each member before it is worked on. */
export type Reached = (member: Member) => void

/** Makes a letter whose HTML has nothing that would run: a value may be an address of a script. */
export function makeLetter(ask: Ask, reached: Reached = () => {}): Made {
  const made = makeUnread(ask, reached)
  if (made.kind === 'failed' || made.html === null) return made
  reached('html')
  // What else a letter must not have, and cannot be left out, is refused when its template is kept.
  const { html, leftOut, findings } = readSendable(made.html)
  const finding = findings.find(doesRun)
  if (!finding) return { ...made, html, leftOut }
  const trouble = { code: 'syntax', message: `the HTML ${mustNot(finding)}`, line: 1 } as const
  return { kind: 'failed', member: 'html', trouble: { ...trouble, isSure: true } }
}

/** Makes a letter whose HTML nobody has looked at. */
export function makeUnread(ask: Ask, reached: Reached): Made {
  for (let tries = 1; ; tries++) {
    const made = tryToMake(ask, reached)
    if (made.kind === 'made' || made.trouble.code !== 'too_much') return made
    if (made.trouble.isSure || tries === mostTries) return made
  }
}

/** The first of these letters that lacks nothing; otherwise the first that can be made, with what it lacks. */
export function makeExample([ask, ...others]: Asks, reached: Reached): Made {
  let best = makeLetter(ask, reached)
  for (const other of others) {
    if (best.kind === 'made' && best.missing.length === 0) break
    const made = makeLetter(other, reached)
    const isBetter = made.kind === 'made' && (best.kind === 'failed' || made.missing.length === 0)
    if (isBetter) best = made
  }
  return best
}

function tryToMake({ template, values, named = false }: Ask, reached: Reached): Made {
  const time = timeOf(letterMs)
  const seen = { missing: new Set<string>(), named }
  const scope = scopeOf(values)
  let left = longestLetterBytes
  let member: Member = 'subject'
  const make = (of: Member, mode: Mode) => {
    member = of
    reached(of)
    const templates = parsed(template[of] ?? '', mode)
    const text = settled(rendered(templates, { scope, seen, moment: values.moment, time }))
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
    return { kind: 'made', subject, text, html, leftOut: [], missing }
  } catch (error) {
    if (!(error instanceof TemplateTrouble)) throw error
    const { code, message, line, isSure } = error
    return { kind: 'failed', member, trouble: { code, message, line, isSure } }
  }
}

const lineOf = (text: string) => cut(plainLine(text).replace(/\s+/gu, ' ').trim(), longestSubject)
