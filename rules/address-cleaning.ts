import { domainToASCII } from 'node:url'
import { plainLine, withoutInvisible } from './text.ts'

// What keyboards, programs and people leave in and around an address that is no part of it: characters that nobody sees, signs of
// another width, a scheme, a name, quotation marks, a full stop. It is taken away here, once, for every way in which an address
// comes. Pure: the child process that reads an import uses it too.

/** What was taken away: the names of the steps below. */
export type Taken = 'invisible' | 'signs' | 'name' | 'scheme' | 'ends'
export type Cleaned = { text: string; taken: Taken[] }

/** In words, for callers. */
export const takenInWords: Record<Taken, string> = {
  invisible: 'invisible characters',
  signs: 'signs of another width or form',
  name: 'a name or brackets around it',
  scheme: 'a word before it',
  ends: 'signs around it',
}

// No address with a name beside it is longer.
const longestGiven = 2_000

/** The text of one e-mail address without what is no part of it; whether the rest is an address is decided elsewhere. */
export function cleanedEmail(given: string): Cleaned {
  const text = given.slice(0, longestGiven).trim()
  if (given.length > longestGiven || plainEmail.test(text)) return { text, taken: [] }
  return cleaned(text, emailSteps)
}

/** The same of a phone number. */
export function cleanedPhone(given: string): Cleaned {
  const text = given.trim()
  return text.length > longestGiven ? { text, taken: [] } : cleaned(text, phoneSteps)
}

/** The same of the address of a profile. */
export function cleanedProfile(given: string): Cleaned {
  const text = given.trim()
  return text.length > longestGiven ? { text, taken: [] } : cleaned(text, profileSteps)
}

// Most addresses, which need no step.
const plainEmail = /^[\w.+-]{1,250}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,20}$/

type Step = readonly [Taken, (text: string) => string]

// One may stand around another, as in "Nadia <mailto:nadia@roth.example>".
const mostLayers = 4

function cleaned(given: string, steps: readonly Step[]): Cleaned {
  const taken = new Set<Taken>()
  let text = given
  for (let layer = 0; layer < mostLayers; layer++) {
    const layered = text
    for (const [name, step] of steps) {
      const rest = step(text).trim()
      if (rest !== text) taken.add(name)
      text = rest
    }
    if (text === layered) break
  }
  return { text, taken: [...taken] }
}

const joiners = /[\u200c\u200d]/g

/** A domain may have a joiner where its script needs one (RFC 5892, appendix A); it is then written in ASCII. */
function withoutJoiners(text: string): string {
  if (text.search(joiners) < 0) return text
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  const encoded = at > 0 && domain.search(joiners) >= 0 ? domainToASCII(domain) : ''
  return text.slice(0, at).replace(joiners, '') + (encoded || domain.replace(joiners, ''))
}

// Editors make these of a hyphen and an apostrophe.
const hyphens = /[\u2010-\u2013\u2212]/g
const apostrophes = /[\u2018\u2019\u02bc\u00b4]/g
const ideographicStops = /\u3002/g

/** Signs of full width and other forms as those of usual form (NFKC), and hyphens and apostrophes as keyboards have them. */
const withUsualSigns = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? text.replace(apostrophes, "'").normalize('NFKC').replace(hyphens, '-')
    : text

/** Input methods for Chinese and Japanese write a stop of their own between the labels of a domain (UTS 46, 2.3). */
function withUsualStops(text: string): string {
  const at = text.lastIndexOf('@') + 1
  return at === 0 ? text : text.slice(0, at) + text.slice(at).replace(ideographicStops, '.')
}

const before = new Set([...'"\'`“”„«»‹›‚<([ \t\r\n'])
const behind = new Set([...'"\'`“”„«»‹›‚>)].,;: \t\r\n'])

const brackets = ['<>', '‹›', '«»', '〈〉', '《》', '⟨⟩', '[]', '()'] as const

/** The address of `Nadia <nadia@roth.example>`, `Nadia [nadia@roth.example]` and `nadia@roth.example (Nadia)`, and what stands before it. */
function inBrackets(text: string): { address: string; before: string } | undefined {
  for (const [open, close] of brackets) {
    const end = text.lastIndexOf(close as string)
    const start = text.lastIndexOf(open as string, end)
    if (start < 0 || end < start || ![...text.slice(end + 1)].every((sign) => behind.has(sign)))
      continue
    const inside = text.slice(start + 1, end)
    const outside = text.slice(0, start)
    // A domain may be the number of a machine in brackets (RFC 5321, 4.1.3).
    if (outside.endsWith('@')) continue
    // Parentheses beside an address are a comment (RFC 5322, 3.2.2).
    const isComment = open === '(' && outside.includes('@')
    if (inside.includes('@') && !isComment) return { address: inside, before: outside }
    if (outside.includes('@')) return { address: outside, before: '' }
  }
  return undefined
}

const withoutName = (text: string): string => inBrackets(text)?.address ?? text

/** The name before an e-mail address in brackets, as in `"Nadia Roth" <nadia@roth.example>`; empty if there is none. */
export function nameBeside(given: string): string {
  if (given.length > longestGiven) return ''
  const found = inBrackets(withUsualSigns(withoutInvisible(given)).trim())
  const name = plainLine(withoutEnds((found?.before ?? '').trim()))
  return name.includes('@') || !/\p{L}/u.test(name) ? '' : name
}

const scheme = /^(?:mailto|smtp|e-?mail|mail)[ \t]{0,9}:[ \t]{0,9}(?:\/\/)?/i

/** Links say mailto: (RFC 6068), directories smtp:, and forms "E-mail:". */
function withoutScheme(text: string): string {
  const rest = text.replace(scheme, '')
  return rest !== text && /^mailto/i.test(text) ? decoded(rest.split('?', 1)[0] as string) : rest
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Without quotation marks around it, also around the local part alone where they are not needed, and full stops behind it. */
function withoutEnds(text: string): string {
  const unquoted = text.replace(/^"([^"\\\s@]{1,250})"@/, '$1@')
  let from = 0
  let to = unquoted.length
  while (from < to && before.has(unquoted[from] as string)) from++
  while (to > from && behind.has(unquoted[to - 1] as string)) to--
  return unquoted.slice(from, to)
}

const emailSteps: readonly Step[] = [
  ['invisible', withoutInvisible],
  ['signs', withUsualSigns],
  ['name', withoutName],
  ['scheme', withoutScheme],
  ['ends', withoutEnds],
  ['signs', withUsualStops],
  ['invisible', withoutJoiners],
]
const phoneSteps: readonly Step[] = [
  ['invisible', withoutInvisible],
  ['signs', withUsualSigns],
  // What kind of number it is: "+49 30 1234 (Work)", "Mobil: +49 151 1234567".
  ['name', (text) => text.replace(/[([]\p{L}[\p{L}\s.]{0,30}[)\]]$/u, '').trimEnd()],
  ['scheme', (text) => text.replace(/^(?:tel:|\p{L}[\p{L}\s.-]{0,20}:\s*(?=[+(\d]))/iu, '')],
  // A spreadsheet keeps a number as text behind an apostrophe.
  ['ends', (text) => text.replace(/^'+/, '')],
]
const profileSteps: readonly Step[] = [
  ['invisible', withoutInvisible],
  ['ends', (text) => /^<(\S+)>$/.exec(text)?.[1] ?? text],
]
