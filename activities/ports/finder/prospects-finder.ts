import type { CountryCode } from 'libphonenumber-js/min'
import type { Db } from '../../../db/database.ts'
import { listProspects } from '../../../db/people/prospects.ts'
import type { FoundPerson } from '../../../db/segments/found-people.ts'
import { readAddress } from '../../../rules/addresses.ts'
import { pointerOf } from '../../../rules/json-pointer.ts'
import { type Portrait, portray, termHolds, wordsOf } from '../../../rules/judge/person.ts'
import { countryCoded, countryNamed } from '../../../rules/judge/places.ts'
import { fold, type Possession, possessions } from '../../../rules/judge/vocabulary.ts'
import { type Clause, parseWords, type Term, type Where } from '../../../rules/judge/words.ts'
import type { FilterProblem, Filters, FindChannel, Finder, Refusal } from './finder.ts'

// The embedded finder searches the prospects from the operator's file, page by page. It is good for some hundred thousand; with
// more, operators use a finder of their own.

const pageSize = 1000

export const prospectsFinder = (db: Db): Finder => ({
  name: 'the prospects of the workspace',

  async search({ workspace, channel, words, filters: given }) {
    const filters = given ?? filtersOf(words)
    const refusal = refusalOf(filters)
    if (refusal) return refusal
    let count = 0
    for await (const _ of fitting(db, workspace, channel, filters, '')) count++
    return { filters, count }
  },

  // One person more than asked for is searched, to know whether the page is the last.
  async people({ workspace, channel, filters, cursor, limit }) {
    const refusal = refusalOf(filters)
    if (refusal) return refusal
    const people = []
    let last: string | null = null
    for await (const { id, ...person } of fitting(db, workspace, channel, filters, cursor ?? '')) {
      if (people.length === limit) return { people, cursor: last }
      people.push(person)
      last = id
    }
    return { people, cursor: null }
  },
})

async function* fitting(
  db: Db,
  workspace: string,
  channel: FindChannel,
  filters: Record<string, unknown>,
  after: string,
) {
  const fits = matcherOf(filters)
  for (let from: string | undefined = after; from !== undefined; ) {
    const page = await listProspects(db, workspace, channel, from, pageSize)
    for (const person of page) {
      // The country is recognised by the phone number, in the form that cards have.
      const phone = readAddress('phone', person.phone)?.value ?? ''
      if (fits({ ...person, phone })) yield person
    }
    from = page.length === pageSize ? page.at(-1)?.id : undefined
  }
}

// Turns words into filters of the embedded finder, and says which people they fit. The interface leaves the members of filters
// open. Here each member is a text or a list: one entry must hold, so nobody fits an empty list, and every given member must
// fit. The members are jobTitle, company, city, country (codes or names) and keywords (anywhere). Every entry of `has` must
// hold, and no entry of `except`. Anything else is refused: a misspelt member would otherwise be ignored, and everybody would
// fit.

const lists = ['jobTitle', 'company', 'city', 'country', 'keywords', 'has', 'except'] as const
type List = (typeof lists)[number]
type Lists = Partial<Record<List, string[]>>

// Words that make a phrase a job; every other phrase may be in any field.
const jobs =
  wordsOf(`manager director owner founder cofounder co-founder head chef chief ceo cto cfo coo cmo cio cro
  vp president officer engineer developer consultant assistant supervisor coordinator specialist analyst architect
  accountant purchaser controller administrator secretary receptionist teacher doctor nurse lawyer designer recruiter
  leiter leiterin chefin inhaber geschaftsfuhrer einkaufer director-general gerente dueno jefe directeur responsable`)

/** The filters for a description. What only a card can have, a tag and its side, is left out. */
function filtersOf(words: string): Filters {
  const filters: Lists = {}
  for (const clause of parseWords(words)) {
    const alternatives = clause.alternatives.map((terms) => terms.filter(({ side }) => !side))
    // If one alternative sets no condition, the whole clause sets none.
    if (alternatives.some((terms) => terms.length === 0)) continue
    const phrases = alternatives.map(phraseOf)
    if (clause.not) filters.except = [...(filters.except ?? []), ...phrases]
    else {
      const list = listOf(alternatives)
      if (list === 'has') filters.has = [...(filters.has ?? []), phrases.join(' or ')]
      else if (list === 'country')
        filters.country = [...new Set([...(filters.country ?? []), ...phrases])]
      else filters[list] = both(filters[list], alternatives.map(plain))
    }
  }
  return filters
}

const mostPhrases = 100
// More than the longest description needs.
const mostGiven = 500

/** Phrases that hold if one of each list does. */
function both(before: string[] | undefined, phrases: string[]): string[] {
  if (!before) return phrases
  return before.flatMap((one) => phrases.map((other) => `${one} ${other}`)).slice(0, mostPhrases)
}

function listOf(alternatives: Term[][]): List {
  const every = (test: (term: Term) => unknown) => alternatives.flat().every(test)
  const single = alternatives.every((terms) => terms.length === 1)
  if (single && every(({ has }) => has)) return 'has'
  if (single && every(({ country }) => country)) return 'country'
  if (every(({ where, country }) => !country && (where === 'in' || where === 'near'))) return 'city'
  if (every(({ where, address }) => where === 'at' || address)) return 'company'
  const isJob = (terms: Term[]) => terms.some(({ stems }) => stems.some((stem) => jobs.has(stem)))
  return alternatives.every(isJob) ? 'jobTitle' : 'keywords'
}

const plain = (terms: Term[]) => terms.map(({ shown }) => shown).join(' ')

// Written as in the description, so that it reads, and is understood, in the same way.
function phraseOf(terms: Term[]): string {
  const [only] = terms
  if (terms.length === 1 && only?.has) return `with ${only.has}`
  if (terms.length === 1 && only?.country) return only.country
  let where: Where = 'any'
  return terms
    .map((term) => {
      const joint = term.where === where || term.where === 'any' ? '' : `${term.where} `
      where = term.where
      return joint + term.shown
    })
    .join(' ')
}

/** What the embedded finder does not know in a caller's own filters; undefined if it knows everything. */
function refusalOf(filters: Filters): Refusal | undefined {
  const problems = Object.entries(filters).flatMap(([name, value]) => problemsOf(name, value))
  const [first] = problems
  return first && { refused: `${first.member.slice(1)} ${first.message}`, problems }
}

function problemsOf(name: string, value: unknown): FilterProblem[] {
  const member = pointerOf([name])
  const problem = (code: string, message: string, place = member) => [
    { member: place, code, message },
  ]
  if (!lists.some((list) => list === name))
    return problem('unknown_member', `is not a filter: there are ${lists.join(', ')}`)
  if (value === null || typeof value === 'string') return []
  if (!Array.isArray(value)) return problem('invalid_type', 'must be a text or a list of texts')
  if (value.length > mostGiven) return problem('too_big', `must hold at most ${mostGiven}`)
  return value.flatMap((text, i) =>
    typeof text === 'string' ? [] : problem('invalid_type', 'must be a text', `${member}/${i}`),
  )
}

/** Whether a person fits filters that were not refused. null for a member means that it was not given. */
function matcherOf(filters: Filters): (person: FoundPerson) => boolean {
  const tests = lists.flatMap((list) => {
    const value = filters[list]
    return value === undefined || value === null ? [] : [testOf(list, textsOf(value))]
  })
  return (person) => {
    const portrait = portraitOf(person)
    return tests.every((test) => test(portrait))
  }
}

type Test = (portrait: Portrait) => boolean

function testOf(list: List, phrases: string[]): Test {
  if (list === 'has') {
    const entries = phrases.map((phrase) => phrase.split(' or ').flatMap(possessionOf))
    return (portrait) =>
      entries.every((some) => some.some((has) => termHolds(termOf('', 'any', { has }), portrait)))
  }
  if (list === 'except') {
    const clauses = phrases.map((phrase) => parseWords(phrase)).filter((all) => all.length > 0)
    return (portrait) => !clauses.some((all) => all.every((clause) => holds(clause, portrait)))
  }
  if (list === 'country') {
    const terms = phrases.map(countryTerm)
    return (portrait) => terms.some((term) => termHolds(term, portrait))
  }
  const where = ({ city: 'near', company: 'at', jobTitle: 'any', keywords: 'any' } as const)[list]
  const all = phrases.map((phrase) => termsOf(phrase, where)).filter((terms) => terms.length > 0)
  const inTitle: Test =
    list === 'jobTitle'
      ? ({ words }) =>
          all.some((terms) =>
            terms.some(({ stems }) => stems.some((it) => words['job title'].has(it))),
          )
      : () => true
  return (portrait) =>
    inTitle(portrait) && all.some((terms) => terms.every((term) => termHolds(term, portrait)))
}

const holds = ({ alternatives, not }: Clause, portrait: Portrait) =>
  alternatives.some((terms) => terms.every((term) => termHolds(term, portrait))) !== not

const termOf = (shown: string, where: Where, more: Partial<Term> = {}): Term => ({
  shown,
  stems: [],
  where,
  ...more,
})

function termsOf(phrase: string, where: Where): Term[] {
  return phrase.split(/\s+/).flatMap((word) => {
    const plain = word.replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}]+$/gu, '')
    if (/@|[^.]\.[^.]/.test(plain))
      return [termOf(plain, where, { address: plain.toLowerCase().replace(/^@/, '') })]
    return [...wordsOf(plain)].slice(0, 1).map((stem) => termOf(plain, where, { stems: [stem] }))
  })
}

function countryTerm(text: string): Term {
  const country: CountryCode | undefined =
    countryCoded(text.trim().toUpperCase()) ?? countryNamed(fold(text.trim()))
  return termOf(text, 'in', { stems: [...wordsOf(text)], ...(country && { country }) })
}

function possessionOf(text: string): Possession[] {
  const words = fold(text).match(/[\p{L}-]+/gu) ?? []
  const [known] = words.flatMap((word) => possessions.get(word.replaceAll('-', '')) ?? [])
  return known ? [known] : []
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text): text is string => text.trim() !== '')

const portraitOf = ({ email, phone, linkedin, ...person }: FoundPerson): Portrait =>
  portray({
    ...person,
    id: '',
    emails: email ? [email] : [],
    phones: phone ? [phone] : [],
    linkedin: linkedin ? [linkedin] : [],
    tags: [],
  })
