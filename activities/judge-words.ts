import type { CountryCode } from 'libphonenumber-js/min'
import type { Side } from '../db/schema.ts'
import { countryCoded, countryNamed } from './judge-places.ts'

// How a description in words becomes conditions. All clauses must hold; of a clause's alternatives one must; of an
// alternative all terms. "Sales directors in Berlin or Munich, not at Acme" is (sales and director) and (Berlin or Munich)
// and not (Acme). Known limits: "and" joins conditions except after a place, where it lists; a negation reaches to the end
// of the sentence.

export type Term = {
  /** As written. */
  shown: string
  stems: string[]
  where: 'any' | 'in' | 'near' | 'from' | 'at'
  side?: Side
  country?: CountryCode
  /** A domain, or a whole address. */
  address?: string
  has?: 'an e-mail address' | 'a phone number' | 'a profile' | 'a company' | 'a city' | 'a job title' | 'a name' | 'a tag'
}
export type Clause = { not: boolean; alternatives: Term[][] }

const set = (words: string) => new Set(words.split(/\s+/))

const generic = set(`everyone everybody anyone anybody all any every each people person persons contact contacts client
  clients customer customers lead leads prospect prospects user users company companies firm firms business businesses
  organisation organisations organization organizations folk folks those them us whole entire database list segment
  job title titles position role city town country region area name
  alle alles jeder jede leute person personen mensch menschen kontakt kontakte kunde kunden firma firmen unternehmen
  todos todas todo gente contactos clientes personas tous toutes tout gens personnes contacts clients`)
const idle = set(`a an the of to for by on our my your their his her this that's these please find show me us we i is are
  was be been being working work works worked living live lives located based employed using use uses interested looking
  der die das den dem des ein eine einen von zu fur unsere meine sind ist arbeiten arbeitet wohnen wohnt
  el la los las un una de del le les du des`)
const places: Record<string, Term['where']> = {
  in: 'in', im: 'in', en: 'in', within: 'in', inside: 'in', near: 'near', around: 'near', nahe: 'near', from: 'from',
  aus: 'from', at: 'at', bei: 'at', beim: 'at',
}
const starters = set('with who whose that which having have has named called tagged where mit welche deren haben con avec')
const either = set('or oder o ou')
const both = set('and und y et as well sowie plus')
const negations = set('not no without except excluding exclude excludes minus never nicht kein keine keinen ohne ausser sin sans sauf')
const having = set('with without have has having no mit ohne kein keine keinen haben con sin avec sans')
const articles = set('a an the any ein eine einen known')
const sides: Record<string, Side> = {
  buyer: 'buyer', kaufer: 'buyer', kaeufer: 'buyer', seller: 'seller', verkaufer: 'seller', verkaeufer: 'seller',
  partner: 'seller',
}
const possessions: Record<string, Term['has']> = {
  email: 'an e-mail address', mail: 'an e-mail address', phone: 'a phone number', telephone: 'a phone number',
  telefon: 'a phone number', mobile: 'a phone number', linkedin: 'a profile', profile: 'a profile', company: 'a company',
  firma: 'a company', city: 'a city', stadt: 'a city', title: 'a job title', job: 'a job title', name: 'a name', tag: 'a tag',
}
// Names of a city in other languages, and a title, under one of them.
const sameWord: Record<string, string> = {
  munich: 'munchen', muenchen: 'munchen', cologne: 'koln', koeln: 'koln', vienna: 'wien', zuerich: 'zurich', geneva: 'genf',
  geneve: 'genf', nuremberg: 'nurnberg', nuernberg: 'nurnberg', hanover: 'hannover', duesseldorf: 'dusseldorf', rome: 'roma',
  rom: 'roma', milan: 'milano', mailand: 'milano', turin: 'torino', florence: 'firenze', naples: 'napoli', venice: 'venezia',
  lisbon: 'lisboa', lissabon: 'lisboa', prague: 'praha', prag: 'praha', warsaw: 'warszawa', warschau: 'warszawa',
  copenhagen: 'kobenhavn', kopenhagen: 'kobenhavn', brussels: 'bruxelles', brussel: 'bruxelles', athens: 'athen',
  moscow: 'moskau', krakow: 'krakau', cracow: 'krakau', seville: 'sevilla', direktor: 'director',
}

/** Lower case without accents, so that Zürich is zurich. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłæœđ]/g, (letter) => ({ ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd' })[letter] ?? letter)

/** A folded word without the endings of number and, in German, gender. The same is done to cards, so it need not be right. */
export function stem(word: string): string {
  let base = word
  if (word.length > 7 && word.endsWith('innen')) base = word.slice(0, -5)
  else if (/..(?:er|or)in$/.test(word)) base = word.slice(0, -2)
  else if (/..(?:er|or|ent|ist)en$/.test(word)) base = word.slice(0, -2)
  else if (/...ies$/.test(word)) base = `${word.slice(0, -3)}y`
  else if (/..(?:ch|sh|x|z|ss)es$/.test(word)) base = word.slice(0, -2)
  else if (/..[^sui]s$/.test(word)) base = word.slice(0, -1)
  return sameWord[word] ?? sameWord[base] ?? base
}

type Token = { raw: string; word: string; mark: '' | ',' | '.' }

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = /([,;/|]|[.!?\n]+(?=\s|$)|\n)|(@?[\p{L}\p{N}]+(?:['’&._+@-]+[\p{L}\p{N}]+)*)/gu
  for (const [, mark, raw] of text.normalize('NFC').matchAll(pattern)) {
    if (raw) tokens.push({ raw, word: fold(raw).replace(/['’]s$/, ''), mark: '' })
    else if (mark === '/' || mark === '|') tokens.push({ raw: 'or', word: 'or', mark: '' })
    else tokens.push({ raw: '', word: '', mark: mark === ',' ? ',' : '.' })
  }
  return tokens
}

/** The conditions of a text; none when it asks for everyone. `negated` reads it as what must not hold. */
export function parseWords(text: string, negated = false): Clause[] {
  const tokens = tokensOf(text)
  const clauses: Clause[] = []
  let clause: Clause
  let where: Term['where']
  const terms = () => clause.alternatives.at(-1) as Term[]
  const isEmpty = () => clause.alternatives.every((alternative) => alternative.length === 0)
  const open = (not: boolean) => {
    clause = { not, alternatives: [[]] }
    where = 'any'
    clauses.push(clause)
  }
  const orElse = () => void clause.alternatives.push([])
  open(negated)

  for (let i = 0; i < tokens.length; i++) {
    const { word, mark } = tokens[i] as Token
    clause = clauses.at(-1) as Clause
    where ??= 'any'
    if (mark === '.') open(negated)
    else if (mark === ',') {
      if (clause.not || isPlace(where) || listsAlternatives(tokens, i)) skipQualifier()
      else open(false)
    } else if (negations.has(word) && !isEmpty()) open(!negated)
    else if (negations.has(word)) clause.not = !clause.not
    else if (either.has(word)) orElse()
    else if (both.has(word)) {
      if (clause.not || isPlace(where)) orElse()
    } else if (places[word]) {
      if (!clause.not && !isEmpty() && terms().length > 0) open(false)
      where = places[word]
    } else if (starters.has(word)) {
      if (!clause.not && !isEmpty()) open(false)
      where = 'any'
    } else {
      const [term, width] = termAt(tokens, i, where)
      if (term) terms().push(term)
      i += width - 1
    }

    // "Berlin, Germany" is Berlin; "Germany, Austria" and "Berlin, Munich" are lists.
    function skipQualifier() {
      const [next, width] = termAt(tokens, i + 1, where)
      const only = clause.alternatives.length === 1 ? terms() : []
      const last = tokens[i + 1 + width]
      const ends = last === undefined || (last.mark !== ',' && !either.has(last.word) && !both.has(last.word))
      if (next?.country && only.length > 0 && !only.some((term) => term.country) && ends) i += width
      else orElse()
    }
  }
  return clauses
    .map(({ not, alternatives }) => ({ not, alternatives: alternatives.filter((terms) => terms.length > 0) }))
    .filter(({ alternatives }) => alternatives.length > 0)
}

const isPlace = (where: Term['where']) => where !== 'any'

// "CEOs, CTOs or CFOs": the comma means what the last joint of its list means.
function listsAlternatives(tokens: Token[], from: number): boolean {
  for (const { word, mark } of tokens.slice(from)) {
    if (either.has(word)) return true
    if (mark === '.' || both.has(word) || places[word] || starters.has(word) || negations.has(word)) return false
  }
  return false
}

/** The term that begins at a token and how many tokens it takes; no term for words that ask for nothing. */
function termAt(tokens: Token[], at: number, where: Term['where']): [Term | undefined, number] {
  for (let width = 4; width > 0; width--) {
    const part = tokens.slice(at, at + width)
    if (part.length < width || part.some((token) => token.mark)) continue
    const shown = part.map((token) => token.raw).join(' ')
    const country = countryNamed(part.map((token) => token.word).join(' '), fold)
    if (country) return [{ shown, stems: part.map((token) => stem(token.word)), where, country }, width]
  }
  const token = tokens[at]
  if (!token || token.mark) return [undefined, 1]
  const { raw, word } = token
  const before = tokens.slice(0, at).findLast((token) => !articles.has(token.word))
  const has = before && having.has(before.word) && possessions[stem(word.replaceAll('-', ''))]
  if (has) return [{ shown: raw, stems: [], where, has }, 1]
  const coded = isPlace(where) ? countryCoded(raw) : undefined
  if (coded) return [{ shown: raw, stems: [stem(word)], where, country: coded }, 1]
  if (generic.has(word) || idle.has(word)) return [undefined, 1]
  if (/^@|[^@.]\.[^.]|@/.test(word)) return [{ shown: raw, stems: [], where, address: word.replace(/^@/, '') }, 1]
  const base = stem(word.replace(/[^\p{L}\p{N}]/gu, ''))
  return [{ shown: raw, stems: [base], where, ...(sides[base] && { side: sides[base] }) }, 1]
}
