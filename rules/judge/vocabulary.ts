import type { Side } from '../sides.ts'

// The words that have a meaning of their own for the embedded judge, in English and German and a little Spanish and French. All
// are folded: lower case, no accents.

/** Words separated by spaces. */
const set = (words: string) => new Set(words.split(/\s+/))

/** Lines of the form `meaning: word word …`, as a map from word to meaning. */
export const table = <T extends string>(lines: string) =>
  new Map(
    lines.split('\n').flatMap((line) => {
      const [meaning = '', words = ''] = line.split(':')
      return words.split(/\s+/).flatMap((word) => (word ? [[word, meaning.trim() as T]] : []))
    }),
  )

/** Words for people that say nothing about them. */
export const generic =
  set(`everyone everybody anyone anybody all any every each people person persons contact contacts client
  clients customer customers lead leads prospect prospects user users company companies firm firms business businesses
  organisation organisations organization organizations folk folks those them us whole entire database list segment
  job title titles position role city town country region area name tag tags label labels
  potential possible current existing known relevant suitable
  alle alles jeder jede leute personen mensch menschen kontakt kontakte kunde kunden firma firmen unternehmen
  todos todas todo gente contactos clientes personas tous toutes tout gens personnes`)

/** Words that only hold a sentence together. */
export const idle =
  set(`a an the only of to for by on our my your their his her this that these please find show me us we i is are
  was be been being work works working worked live lives living located based employed use uses using interested looking
  might may can could would should need needs want wants contain contains containing include includes including
  der die das den dem des ein eine einen von zu fur unsere meine sind ist arbeiten arbeitet wohnen wohnt
  el la los las un una de del le les du`)

/** Which fields the words after these are searched in: see `reach` in person.ts. */
export const places = table<'in' | 'near' | 'from' | 'at'>(`in: in im en within inside
  near: near around nahe
  from: from aus
  at: at bei beim`)

export const starters = set(
  'with who whose that which having have has named called tagged where mit welche deren haben con avec',
)
export const either = set('or oder o ou')
export const both = set('and und y et plus sowie')
export const negations =
  set(`not no but without except excluding exclude excludes minus never nicht kein keine keinen ohne ausser sin
  sans sauf`)
export const having = set(
  'with without have has having no mit ohne kein keine keinen haben con sin avec sans',
)
export const articles = set('a an the any ein eine einen known')

/** In the interface's words: a buyer is a client, a seller a partner. */
export const sides = table<Side>(`buyer: buyer kaufer kaeufer
  seller: seller verkaufer verkaeufer partner`)

export type Possession =
  | 'an e-mail address'
  | 'a phone number'
  | 'a profile'
  | 'a company'
  | 'a city'
  | 'a job title'
  | 'a name'
  | 'a tag'

/** "With a phone", "without a company". */
export const possessions = table<Possession>(`an e-mail address: email mail
  a phone number: phone telephone telefon mobile
  a profile: linkedin profile
  a company: company firma
  a city: city stadt
  a job title: title job
  a name: name
  a tag: tag`)

export const completions = set(
  'number numbers address addresses profile profiles account adresse nummer',
)

// Names of cities in other languages, and of a title, mapped to one word each.
const sameWord = table<string>(`munchen: munich muenchen
  koln: cologne koeln
  wien: vienna
  zurich: zuerich
  genf: geneva geneve
  nurnberg: nuremberg nuernberg
  hannover: hanover
  dusseldorf: duesseldorf
  roma: rome rom
  milano: milan mailand
  torino: turin
  firenze: florence
  napoli: naples
  venezia: venice
  lisboa: lisbon lissabon
  praha: prague prag
  warszawa: warsaw warschau
  kobenhavn: copenhagen kopenhagen
  bruxelles: brussels brussel
  athen: athens
  moskau: moscow
  krakau: krakow cracow
  sevilla: seville
  director: direktor`)

const letters: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd' }

/** Lower case without accents, so that Zürich is zurich. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłæœđ]/g, (letter) => letters[letter] ?? letter)

/**
 * A folded word without the endings of number and, in German, gender. Cards are treated in the same way, so the result need not
 * be a correct word.
 */
export function stem(word: string): string {
  let base = word
  if (word.length > 7 && word.endsWith('innen')) base = word.slice(0, -5)
  else if (/..(?:er|or)in$/.test(word)) base = word.slice(0, -2)
  else if (/..(?:er|or|ent|ist)en$/.test(word)) base = word.slice(0, -2)
  else if (/...ies$/.test(word)) base = `${word.slice(0, -3)}y`
  else if (/..(?:ch|sh|x|z|ss)es$/.test(word)) base = word.slice(0, -2)
  else if (/..[^sui]s$/.test(word)) base = word.slice(0, -1)
  return sameWord.get(word) ?? sameWord.get(base) ?? base
}
