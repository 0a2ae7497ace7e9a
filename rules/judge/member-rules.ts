import { isFieldName, type OwnValue, withoutExponent } from '../own-fields.ts'
import { cut } from '../text.ts'

// Rules of segments that name a member of the card, in place of words or beside them. Whether a member fits is read from the rows
// (db/segments/verdicts.ts); what follows from it is said here.

/** What a rule asks of a member of the card; all that is given holds together. */
export type OfMember = {
  /** `company`, `city`, `jobTitle`, `tag`, `externalId`, or `fields.` and the name of a field of the client's own. */
  field: string
  in?: OwnValue[] | undefined
  exists?: boolean | undefined
  atLeast?: number | undefined
  atMost?: number | undefined
}

/** A rule in words, of a member of the card, or both. */
export type Rule = { kind: 'only' | 'except'; text?: string | undefined } & Partial<OfMember>
export type Verdict = { matches: boolean; reason: string }

const members = ['company', 'city', 'jobTitle', 'tag', 'externalId'] as const
export type Member = (typeof members)[number] | 'fields'
const ownFields = 'fields.'

export const mostValues = 200

/** The member that a name stands for, and the name of the field; undefined if it stands for none. */
export function memberOf(field: string): { member: Member; name: string } | undefined {
  const name = field.slice(ownFields.length)
  if (field.startsWith(ownFields)) return isFieldName(name) ? { member: 'fields', name } : undefined
  const member = members.find((one) => one === field)
  return member && { member, name: '' }
}

/** A rule in the form in which it is compared with rows. */
export type Condition = {
  /** The place of the rule. */
  n: number
  member: Member
  name: string
  in: string[] | null
  exists: boolean | null
  atLeast: number | null
  atMost: number | null
}

/** The conditions that rules have for members of the card. */
export const conditionsOf = (rules: Rule[]): Condition[] =>
  rules.flatMap((rule, n) => {
    const named = rule.field === undefined ? undefined : memberOf(rule.field)
    if (!named) return []
    const { exists = null, atLeast = null, atMost = null } = rule
    const values = rule.in?.flatMap((value) => formsOf(value)) ?? null
    return [{ n, ...named, in: values, exists, atLeast, atMost }]
  })

/** A value as it stands in rows: a number may have been given with an exponent. */
function formsOf(value: OwnValue): string[] {
  const text = String(value)
  const plain = withoutExponent(text)
  return plain === undefined ? [text] : [text, plain]
}

/**
 * What rules leave to be judged of one person, whose card fits the conditions of the rules at the places `fitting`: a verdict if the
 * members alone decide, otherwise the rules in words that still count. A rule with words and members applies where both do.
 */
export function leftBy(rules: Rule[], fitting: ReadonlySet<number>): Verdict | { words: Rule[] } {
  const words: Rule[] = []
  for (const [n, rule] of rules.entries()) {
    const isOfMember = rule.field !== undefined && memberOf(rule.field) !== undefined
    const fits = !isOfMember || fitting.has(n)
    const isOnly = rule.kind === 'only'
    if (isOfMember && (isOnly ? !fits : fits && rule.text === undefined))
      return { matches: false, reason: `Against the rule “${inWords(rule)}”. ${signature}` }
    if (rule.text !== undefined && fits) words.push(rule)
  }
  return { words }
}

/** The verdict on somebody of whom rules on members alone say that they belong. */
export const matchesBy = (rules: Rule[]): Verdict => ({
  matches: true,
  reason: `Matches ${cut(rules.map((rule) => `“${inWords(rule)}”`).join(', '), longestReason)}. ${signature}`,
})

const signature = 'Judged by the members of the card.'
const longestReason = 900
const mostShown = 5

/** A rule as a text, such as `only fields.tier in gold, silver`. */
export function inWords({ kind, text, field, ...asked }: Rule): string {
  const parts: string[] = []
  if (field !== undefined) {
    if (asked.in) {
      const shown = asked.in.slice(0, mostShown).map((value) => cut(String(value), 60))
      parts.push(`in ${shown.join(', ')}${asked.in.length > mostShown ? ', …' : ''}`)
    }
    if (asked.exists !== undefined) parts.push(asked.exists ? 'is there' : 'is not there')
    if (asked.atLeast !== undefined) parts.push(`at least ${asked.atLeast}`)
    if (asked.atMost !== undefined) parts.push(`at most ${asked.atMost}`)
  }
  const ofMember = field === undefined ? [] : [`${field} ${parts.join(' and ')}`]
  return [kind, [...(text === undefined ? [] : [text]), ...ofMember].join(', and ')].join(' ')
}

/** Those of the rules that fit nobody whatever their cards say, in words; with an `only` of these, nobody can belong. */
export const impossible = (rules: Rule[]): string[] =>
  rules.filter((rule) => rule.kind === 'only' && contradicts(rule)).map(inWords)

const contradicts = ({ field, exists, atLeast, atMost, ...asked }: Rule) =>
  field !== undefined &&
  ((exists === false && (asked.in ?? atLeast ?? atMost) !== undefined) ||
    (atLeast !== undefined && atMost !== undefined && atLeast > atMost))
