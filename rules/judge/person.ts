import type { Side } from '../sides.ts'
import { isInCountry } from './places.ts'
import { fold, type Possession, stem } from './vocabulary.ts'
import type { Term, Where } from './words.ts'

// The content of a card, prepared for comparison with words.

/** A person as judges see them; labels are names of products. */
export type JudgedPerson = {
  id: string
  name: string
  city: string
  jobTitle: string
  company: string
  emails: string[]
  phones: string[]
  linkedin: string[]
  tags: { label: string; side: Side }[]
}

export type Field = 'name' | 'city' | 'job title' | 'company' | 'tag' | 'e-mail'

export type Portrait = {
  person: JudgedPerson
  words: Record<Exclude<Field, 'tag'>, Set<string>>
  tags: { side: Side; words: Set<string> }[]
  domains: string[]
  /** For each country, the field of the card that shows it. */
  countries: Map<string, string | undefined>
}

/** Words of the description, and the field in which they were found. */
export type Holding = { words: string; by: string }

const abbreviations = Object.entries({
  ceo: 'chief executive officer',
  cto: 'chief technology officer',
  cfo: 'chief financial officer',
  coo: 'chief operating officer',
  cmo: 'chief marketing officer',
  cio: 'chief information officer',
  cro: 'chief revenue officer',
  vp: 'vice president',
  svp: 'senior vice president',
  md: 'managing director',
  hr: 'human resources',
  pm: 'product manager',
})

export const portray = (person: JudgedPerson): Portrait => {
  const domains = person.emails.map((email) =>
    email.slice(email.lastIndexOf('@') + 1).toLowerCase(),
  )
  return {
    person,
    domains,
    countries: new Map(),
    words: {
      name: wordsOf(person.name),
      city: wordsOf(person.city),
      'job title': titleWords(person.jobTitle),
      company: wordsOf(person.company),
      // For mail.acme.example: mail and acme. Whole domains are compared separately (see termHolds).
      'e-mail': wordsOf(domains.map((domain) => domain.replace(/\.[^.]+$/, '')).join(' ')),
    },
    tags: person.tags.map(({ label, side }) => ({ side, words: wordsOf(label) })),
  }
}

/** Each word, and the parts of a hyphenated one: co-founder is cofounder, co and founder. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  if (text === '') return words
  for (const [word] of fold(text).matchAll(/[\p{L}\p{N}]+(?:['’&-][\p{L}\p{N}]+)*/gu)) {
    const parts = word.split(/['’&-]/)
    words.add(stem(parts.join('')))
    if (parts.length > 1) for (const part of parts) words.add(stem(part))
  }
  return words
}

function titleWords(title: string): Set<string> {
  const words = wordsOf(title)
  const plain = fold(title)
  for (const [short, long] of abbreviations) {
    if (words.has(short)) for (const word of long.split(' ')) words.add(stem(word))
    else if (plain.includes(long)) words.add(short)
  }
  return words
}

const everywhere: Field[] = ['job title', 'city', 'company', 'tag', 'e-mail', 'name']
// "In Berlin" does not mean a company called Berlin Hotels, and "at Berlin Hotels" does not mean a city.
const reach: Record<Where, Field[]> = {
  any: everywhere,
  in: ['city', 'job title', 'tag'],
  near: ['city'],
  from: ['city', 'company', 'e-mail'],
  at: ['company', 'e-mail'],
}

/** The field in which a term is found, for the reason; undefined if it is found nowhere. `side` limits tags to one side. */
export function termHolds(term: Term, portrait: Portrait, side?: Side): string | undefined {
  const { person } = portrait
  if (term.has) return hasOne[term.has](person) ? `has ${term.has}` : undefined
  if (term.side && person.tags.some((tag) => tag.side === term.side)) return 'tag'
  if (term.country) {
    const { countries, domains } = portrait
    if (!countries.has(term.country))
      countries.set(term.country, isInCountry(term.country, person.phones, domains))
    const by = countries.get(term.country)
    if (by) return by
  }
  if (term.address)
    return term.address.includes('@', 1)
      ? person.emails.some((email) => email.toLowerCase() === term.address)
        ? 'e-mail'
        : undefined
      : portrait.domains.some((domain) => isWithin(domain, term.address as string))
        ? 'e-mail'
        : undefined
  return reach[term.where].find((field) =>
    field === 'tag'
      ? portrait.tags.some((tag) => (!side || tag.side === side) && hasAll(tag.words, term.stems))
      : hasAll(portrait.words[field], term.stems),
  )
}

const hasAll = (words: Set<string>, stems: string[]) => stems.every((stem) => words.has(stem))

const isWithin = (domain: string, wanted: string) =>
  domain === wanted || domain.endsWith(`.${wanted}`)

const hasOne: Record<Possession, (person: JudgedPerson) => boolean> = {
  'an e-mail address': (person) => person.emails.length > 0,
  'a phone number': (person) => person.phones.length > 0,
  'a profile': (person) => person.linkedin.length > 0,
  'a company': (person) => person.company !== '',
  'a city': (person) => person.city !== '',
  'a job title': (person) => person.jobTitle !== '',
  'a name': (person) => person.name !== '',
  'a tag': (person) => person.tags.length > 0,
}
