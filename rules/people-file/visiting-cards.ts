import { keepable } from '../text.ts'
import type { Take } from './cells.ts'
import type { Unreadable } from './unreadable.ts'

// Visiting cards (vCard 2.1, 3.0 of RFC 2426 and 4.0 of RFC 6350), as Apple's, Google's and Outlook's address books write them.
// Each becomes a row, under headings that every reader of a table here knows.

const headings = [
  ...['Name', 'First name', 'Last name', 'Email', 'Phone', 'LinkedIn', 'Company', 'Job title'],
  ...['City', 'Notes', 'Categories'],
]
type Property = { name: string; parameters: string; value: string }

export const isCards = (text: string): boolean => /^BEGIN:VCARD/i.test(text.trimStart())

/** Hands each card to `take` as a row with its number, after a row 0 of headings. */
export function takeCards(text: string, take: Take): Unreadable | undefined {
  take(headings, 0)
  let card: Property[] | undefined
  let row = 0
  for (const line of linesOf(text)) {
    const property = propertyOf(line)
    if (!property) continue
    const { name, value } = property
    if (name === 'BEGIN' && /^vcard$/i.test(value.trim())) card = []
    else if (name === 'END' && /^vcard$/i.test(value.trim())) {
      row++
      const cells = cellsOf(card ?? [])
      if (!isGroup(card ?? []) && cells.some((cell) => cell !== '')) take(cells, row)
      card = undefined
    } else card?.push(property)
  }
  return row === 0 ? { unreadable: 'It has no whole visiting card (vCard).' } : undefined
}

/** A card that lists others (RFC 6350, 6.1.4), as Apple's address book writes its groups too. */
const isGroup = (card: Property[]) =>
  card.some(
    ({ name, value }) =>
      /^(?:X-ADDRESSBOOKSERVER-)?KIND$/.test(name) && /^group$/i.test(value.trim()),
  )

/** Lines as they were before they were folded: by a blank, or in version 2.1 by "=" at the end of quoted-printable. */
function* linesOf(text: string): Generator<string> {
  let waiting: string | undefined
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (waiting === undefined) waiting = line
    else if (/^[ \t]/.test(line)) waiting += line.slice(1)
    else if (waiting.endsWith('=') && /;(?:ENCODING=)?QUOTED-PRINTABLE/i.test(waiting))
      waiting = waiting.slice(0, -1) + line
    else {
      yield waiting
      waiting = line
    }
  }
  if (waiting !== undefined) yield waiting
}

/** A line "item1.EMAIL;TYPE=work:ana@x.example"; parameters may hold ":" between quotation marks. */
function propertyOf(line: string): Property | undefined {
  const [, name, parameters = '', value] =
    /^(?:[\w-]{1,50}\.)?([\w-]{1,50})((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/s.exec(line) ?? []
  if (name === undefined || value === undefined) return undefined
  const plain = /QUOTED-PRINTABLE/i.test(parameters) ? unquoted(value, parameters) : value
  return { name: name.toUpperCase(), parameters, value: keepable(plain) }
}

function unquoted(value: string, parameters: string): string {
  const bytes = Buffer.from(
    value.replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )
  const charset = /CHARSET="?([\w-]{1,40})/i.exec(parameters)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** The parts of a value between separators that are not escaped, without their escapes. */
const partsOf = (value: string, separator: ';' | ','): string[] =>
  value
    .split(separator === ';' ? /(?<!\\);/ : /(?<!\\),/)
    .map((part) => part.replace(/\\(.)/gs, (_, of: string) => (/n/i.test(of) ? '\n' : of)).trim())

function cellsOf(card: Property[]): string[] {
  const all = (...names: string[]) => card.filter(({ name }) => names.includes(name))
  const first = (name: string) => all(name)[0]?.value ?? ''
  const text = (name: string) => partsOf(first(name), ';').filter(Boolean).join('; ')
  const preferred = (name: string) =>
    all(name)
      .filter(({ parameters }) => !/fax|pager/i.test(parameters))
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(({ value }) =>
        partsOf(value, ';')
          .join(';')
          .replace(/^mailto:/i, '')
          // A number as an address may have an extension (RFC 3966): tel:+49-30-1234;ext=102.
          .replace(/^tel:([^;]*).*$/is, '$1'),
      )
      .join(' ::: ')
  const [last = '', given = ''] = partsOf(first('N'), ';')
  const links = all('URL', 'X-SOCIALPROFILE', 'SOCIALPROFILE').map(({ value }) => value)
  const cities = all('ADR').map(({ value }) => partsOf(value, ';')[3] ?? '')
  return [
    text('FN'),
    given,
    last,
    preferred('EMAIL'),
    preferred('TEL'),
    links.find((link) => /linkedin\.com\/(?:in|pub)\//i.test(link)) ?? '',
    partsOf(first('ORG'), ';')[0] ?? '',
    text('TITLE') || text('ROLE'),
    cities.find(Boolean) ?? '',
    text('NOTE'),
    text('CATEGORIES'),
  ]
}

/** Which of several is preferred: version 4 writes PREF=1, the others PREF among the types. */
function rankOf({ parameters }: Property): number {
  const rank = /;PREF="?(\d+)/i.exec(parameters)?.[1]
  return rank !== undefined ? Number(rank) : /[;,="]PREF\b/i.test(parameters) ? 1 : 101
}
