import { contactsIn } from './contacts.ts'

// What a person is called in a letter. The name on a card comes from imports and clients: it may be reversed, in capitals, or a
// placeholder for no name.

const longest = 80

/** The name as a letter writes it: “Müller, Jürgen” becomes Jürgen Müller. Undefined if it is not a person's name. */
export function personalName(given: string): string | undefined {
  const plain = given.trim()
  if (plain.length > longest || foreign.test(plain) || contactsIn(plain).length > 0)
    return undefined
  const name = turned(
    plain
      .replace(asides, ' ')
      .replace(/\p{Extended_Pictographic}\p{M}*/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
  )
  const words = name?.split(' ').filter((word) => /\p{L}/u.test(word)) ?? []
  if (!name || words.length === 0 || words.every(isNoName) || companies.test(name)) return undefined
  if (/^\p{Script=Latin}\.?$/u.test(name)) return undefined
  return cased(name.split(' ')).join(' ')
}

// Long numbers, signs that no name has, and invisible characters.
const foreign = /[\p{Cc}\p{Cf}<>{}[\]@/\\|_=+*#%&:;!?"“”„$€]|\p{Nd}{4}/u
const asides = /\([^()]*\)/g
const suffixes =
  /^(?:jr|sr|junior|senior|ii|iii|iv|ph\.?\s?d|mba|m\.?\s?a|b\.?\s?a|m\.?\s?sc|b\.?\s?sc|md|esq|cpa|llm|ll\.m|dipl\.?[- ].+|c[efo]o)\.?$/iu
// Only when it stands alone, or comes last.
const companies =
  /(?:^|\s)(?:gmbh|mbh|kg|ohg|ug|ltd|limited|inc|llc|llp|corp|corporation|s\.?l\.?u?|sarl|s\.r\.l|b\.?v|oy|ab|aps|plc|e\.\s?v|e\.\s?k)\.?$|^(?:s\.a\.?)$/iu

/** The parts before and after a comma in the order of speech, without those that do not belong to the name. */
function turned(text: string): string | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !suffixes.test(part))
  const [last = '', first] = parts
  if (parts.length > 2) return undefined
  return first === undefined ? last : `${first} ${last}`
}

// What forms and exports enter for a missing name, and the names of addresses that belong to no single person.
const noNames = new Set(
  `na n.a nn n.n null nil none nan undefined unknown unnamed anonymous empty blank no name xx xxx yyy asdf foo
  bar tbd tba todo contact somebody someone firstname lastname surname vorname nachname nombre
  apellido prenom nom unbekannt anonym leer keine angabe k.a o.a desconocido sin inconnu sans vide info information office mail
  email e-mail sales support service team admin administrator webmaster postmaster hello hi noreply no-reply reception accounting
  accounts payable billing invoice marketing press hr jobs human resources management vertrieb verkauf einkauf buchhaltung
  rechnung zentrale sekretariat empfang kontakt geschaftsleitung geschaftsfuhrung verwaltung personal bewerbung rezeption ventas
  compras contabilidad contacto recepcion administracion comptabilite achats accueil secretariat direction the der die das frau
  herr mr mrs ms dr and und dear sir madam customer client guest user owner buyer manager director managing office test tester
  kunde kundin inhaber inhaberin geschaftsfuhrer geschaftsfuhrerin gast benutzer cliente usuario gerente directeur directrice
  utilisateur`.split(/\s+/),
)
const isNoName = (word: string) =>
  noNames.has(
    word
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[\d.'’-]+$/u, ''),
  )

const particles = new Set(
  `von vom zu zum zur van der den de het ter ten del della di da do dos das du la le y e af av bin ibn al el`.split(
    ' ',
  ),
)
const numerals = /^(?:II|III|IV|VI{0,3}|IX)$/

/** Words in capitals, or a name in small letters only, in the usual spelling of names. */
function cased(words: string[]): string[] {
  const letters = words.join('').replace(/[^\p{L}]/gu, '')
  const shouted = letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  const whispered = letters === letters.toLowerCase() && letters !== letters.toUpperCase()
  return words.map((word, i) => {
    const bare = word.replace(/[^\p{L}]/gu, '')
    const loud = bare.length > (shouted ? 1 : 2) && bare === bare.toUpperCase()
    if (!(loud || whispered) || (bare === bare.toLowerCase()) === !whispered) return word
    if (numerals.test(bare) || /^(?:\p{L}\.)+$/u.test(word)) return word
    if (shouted && words.length === 1 && bare.length === 2) return word
    const small = word.toLowerCase()
    if (i > 0 && particles.has(small)) return small
    return small
      .replace(/(?<!\p{L}|\p{L}\p{M}|\p{L}['’]|\p{M})\p{L}/gu, upper)
      .replace(/(?<=^(?:o|d|l)['’])\p{L}/iu, upper)
      .replace(/(?<=^mc)\p{L}(?=\p{L}{2})/iu, upper)
  })
}

const upper = (letter: string) => letter.toUpperCase()
