import type { Entry } from './store.ts'
import { fieldOf, splitMail } from './structure.ts'
import { setOf, type Token } from './tokens.ts'

type Test = (entry: Entry, number: number) => boolean
export type Searched = { test: Test; returns: string[] | undefined }

const flagged: Record<string, [flag: string, isSet: boolean]> = {
  ANSWERED: ['\\Answered', true],
  DELETED: ['\\Deleted', true],
  DRAFT: ['\\Draft', true],
  FLAGGED: ['\\Flagged', true],
  SEEN: ['\\Seen', true],
  UNANSWERED: ['\\Answered', false],
  UNDELETED: ['\\Deleted', false],
  UNDRAFT: ['\\Draft', false],
  UNFLAGGED: ['\\Flagged', false],
  UNSEEN: ['\\Seen', false],
}

const dayMs = 86_400_000
const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs)

/** SEARCH (RFC 9051, 6.4.4) with what clients ask for. @throws Error for a key that it does not know. */
export function searchFor(args: Token[], last: { uid: number; number: number }): Searched {
  const rest = [...args]
  const next = () => String(rest.shift() ?? '')
  const returns = /^return$/i.test(String(rest[0])) ? [next(), rest.shift()][1] : undefined
  if (/^charset$/i.test(String(rest[0]))) rest.splice(0, 2)

  const all =
    (tests: Test[]): Test =>
    (entry, number) =>
      tests.every((is) => is(entry, number))
  const field = (name: string, value: string): Test => {
    const wanted = value.toLowerCase()
    return ({ mail }) =>
      fieldOf(splitMail(mail.raw).head, name.toLowerCase())?.toLowerCase().includes(wanted) ?? false
  }
  const arrived = (is: (day: number, given: number) => boolean, text: string): Test => {
    const given = dayOf(new Date(`${text} UTC`))
    return ({ mail }) => is(dayOf(mail.at), given)
  }
  const size =
    (is: (bytes: number) => boolean): Test =>
    ({ mail }) =>
      is(mail.raw.length)

  function one(): Test {
    const token = rest.shift()
    if (Array.isArray(token)) {
      const inner = searchFor(token, last)
      return inner.test
    }
    const key = String(token).toUpperCase()
    const flag = flagged[key]
    if (flag) return ({ mail }) => mail.flags.has(flag[0]) === flag[1]
    if (/^[\d*][\d:,*]*$/.test(key)) {
      const isIn = setOf(key, last.number)
      return (_, number) => isIn(number)
    }
    switch (key) {
      case 'ALL':
        return () => true
      case 'UID': {
        const isIn = setOf(next(), last.uid)
        return ({ uid }) => isIn(uid)
      }
      case 'SINCE':
        return arrived((day, given) => day >= given, next())
      case 'BEFORE':
        return arrived((day, given) => day < given, next())
      case 'ON':
        return arrived((day, given) => day === given, next())
      case 'HEADER':
        return field(next(), next())
      case 'SUBJECT':
      case 'FROM':
      case 'TO':
      case 'CC':
        return field(key, next())
      case 'TEXT':
      case 'BODY': {
        const wanted = next().toLowerCase()
        return ({ mail }) => mail.raw.toString('latin1').toLowerCase().includes(wanted)
      }
      case 'LARGER': {
        const bytes = Number(next())
        return size((n) => n > bytes)
      }
      case 'SMALLER': {
        const bytes = Number(next())
        return size((n) => n < bytes)
      }
      case 'MODSEQ': {
        const least = Number(next())
        return ({ modseq }) => modseq >= least
      }
      case 'NOT': {
        const inner = one()
        return (entry, number) => !inner(entry, number)
      }
      case 'OR': {
        const [a, b] = [one(), one()]
        return (entry, number) => a(entry, number) || b(entry, number)
      }
      default:
        throw new Error(`${key} is not known`)
    }
  }
  const tests: Test[] = []
  while (rest.length > 0) tests.push(one())
  const names = Array.isArray(returns)
    ? returns.map((name) => String(name).toUpperCase())
    : undefined
  return { test: all(tests), returns: names && names.length === 0 ? ['ALL'] : names }
}
