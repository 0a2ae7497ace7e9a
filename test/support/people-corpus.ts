import { encode } from './encode.ts'
import { partsOf, rowOf, zipPacked } from './workbooks.ts'

// Files of people in the dialects of other programs: with and without titles, sheets, byte order marks, owners, opt-outs and
// several values in a cell. What each says of its people is known, because the people are made first.

export type Someone = {
  first: string
  last: string
  emails: string[]
  phone: string
  company: string
  city: string
  title: string
  stop?: 'unsubscribe' | 'bounce'
  /** The address is that of an office, which others in the file have too, and not theirs. */
  office?: true
}
export type Made = { what: string; content: Buffer; people: Someone[] }

type Column = [heading: string, cell: (person: Someone, i: number) => string]
type Dialect = {
  program: string
  columns: Column[]
  owner?: string
  stops?: Column[]
  card?: 3 | 4
}

const owner = 'eva.berg@our-firm.example'
const office = 'office@client.example'
const switchboard = '+49 30 7654321'
const second = ({ emails }: Someone) => emails[1] ?? ''
const joined =
  (by: string) =>
  ({ emails }: Someone) =>
    emails.join(by)
const when = (reason: Someone['stop'], yes: string, no: string) => (person: Someone) =>
  person.stop === reason ? yes : no
const word = (words: Record<string, string>) => (person: Someone) =>
  words[person.stop ?? 'none'] ?? ''

const names: Column[] = [
  ['First Name', ({ first }) => first],
  ['Last Name', ({ last }) => last],
]
const dialects: Dialect[] = [
  {
    program: 'Google Contacts',
    columns: [
      ...names,
      ['Name Prefix', () => 'Dr.'],
      ['Organization Name', ({ company }) => company],
      ['Organization Title', ({ title }) => title],
      ['Labels', () => '* myContacts ::: Leads'],
      ['E-mail 1 - Label', () => 'Work'],
      ['E-mail 1 - Value', joined(' ::: ')],
      ['Phone 1 - Label', () => 'Mobile'],
      ['Phone 1 - Value', ({ phone }) => phone],
      ['Address 1 - City', ({ city }) => city],
      ['Relation 1 - Value', () => owner],
    ],
  },
  {
    program: 'Outlook',
    owner: "Manager's E-mail",
    columns: [
      ['Title', () => 'Herr'],
      ...names,
      ['Company', ({ company }) => company],
      ['Job Title', ({ title }) => title],
      ['Business City', ({ city }) => city],
      ['Business Fax', () => '+49 30 7654399'],
      ['Company Main Phone', () => switchboard],
      ['Mobile Phone', ({ phone }) => phone],
      ['E-mail Address', ({ emails }) => emails[0] ?? ''],
      ['E-mail Type', () => 'SMTP'],
      ['E-mail Display Name', ({ first, emails }) => `${first} (${emails[0]})`],
      ['E-mail 2 Address', second],
    ],
  },
  {
    program: 'Outlook in German',
    columns: [
      ['Anrede', () => 'Frau'],
      ['Vorname', ({ first }) => first],
      ['Nachname', ({ last }) => last],
      ['Firma', ({ company }) => company],
      ['Position', ({ title }) => title],
      ['Ort geschäftlich', ({ city }) => city],
      ['Telefon Firma', () => switchboard],
      ['Mobiltelefon', ({ phone }) => phone],
      ['E-Mail-Adresse', ({ emails }) => emails[0] ?? ''],
      ['E-Mail 2: Adresse', second],
    ],
  },
  {
    program: 'HubSpot',
    owner: 'Contact owner',
    columns: [
      ['Record ID', (_, i) => String(90_001 + i)],
      ...names,
      ['Email', ({ emails }) => emails[0] ?? ''],
      ['Additional email addresses', second],
      ['Phone Number', ({ phone }) => phone],
      ['Associated Company', ({ company }) => company],
      ['Job Title', ({ title }) => title],
      ['City', ({ city }) => city],
      ['Marketing contact status', () => 'Marketing contact'],
    ],
    stops: [
      ['Unsubscribed from all email', when('unsubscribe', 'true', 'false')],
      ['Email hard bounce reason', when('bounce', 'UNKNOWN_USER', '')],
    ],
  },
  {
    program: 'Salesforce',
    owner: 'Owner.Email',
    columns: [
      ['Id', (_, i) => `0035g00000A${i}`],
      ['Salutation', () => 'Ms.'],
      ['FirstName', ({ first }) => first],
      ['LastName', ({ last }) => last],
      ['Title', ({ title }) => title],
      ['Account.Name', ({ company }) => company],
      ['Email', joined(';')],
      ['MobilePhone', ({ phone }) => phone],
      ['MailingCity', ({ city }) => city],
      ['DoNotCall', () => 'true'],
    ],
    stops: [
      ['HasOptedOutOfEmail', when('unsubscribe', '1', '0')],
      ['EmailBouncedDate', when('bounce', '2026-02-03T10:00:00.000Z', '')],
    ],
  },
  {
    program: 'Pipedrive',
    owner: 'Person - Owner',
    columns: [
      ['Person - Name', ({ first, last }) => `${first} ${last}`],
      ['Person - Organization', ({ company }) => company],
      ['Person - Email - Work', joined(', ')],
      ['Person - Phone - Work', ({ phone }) => phone],
      ['Person - Job title', ({ title }) => title],
      ['Person - City', ({ city }) => city],
    ],
    stops: [
      [
        'Person - Marketing status',
        word({ none: 'Subscribed', unsubscribe: 'Unsubscribed', bounce: 'Bounced' }),
      ],
    ],
  },
  {
    program: 'LinkedIn',
    columns: [
      ...names,
      ['URL', ({ first, last }) => `https://www.linkedin.com/in/${first}-${last}`],
      ['Email Address', ({ emails }) => emails[0] ?? ''],
      ['Company', ({ company }) => company],
      ['Position', ({ title }) => title],
      ['Connected On', () => '01 Nov 2026'],
    ],
  },
  {
    program: 'Mailchimp',
    columns: [
      ['Email Address', ({ emails }) => emails[0] ?? ''],
      ...names,
      ['Phone Number', ({ phone }) => phone],
      ['MEMBER_RATING', () => '2'],
      ['OPTIN_TIME', () => '2025-01-01 10:00:00'],
      ['OPTIN_IP', () => ''],
    ],
    stops: [
      ['UNSUB_TIME', when('unsubscribe', '2026-03-04 05:06:07', '')],
      ['CLEAN_TIME', when('bounce', '2026-03-04 05:06:07', '')],
    ],
  },
  {
    program: 'Brevo',
    columns: [
      ['CONTACT ID', (_, i) => String(i + 1)],
      ['EMAIL', ({ emails }) => emails[0] ?? ''],
      ['FIRSTNAME', ({ first }) => first],
      ['LASTNAME', ({ last }) => last],
      ['SMS', ({ phone }) => phone],
      ['SMS_BLACKLISTED', () => 'true'],
      ['ADDED_TIME', () => '2025-01-01'],
    ],
    stops: [
      ['EMAIL_BLACKLISTED', when('unsubscribe', 'true', 'false')],
      ['HARD_BOUNCE', when('bounce', 'yes', 'no')],
    ],
  },
  { program: 'Apple', columns: [], card: 3 },
  { program: 'Apple, version 4', columns: [], card: 4 },
]

/** What people add to a file of a program that has no column of its own for it. */
const addedOwners = ['Betreuer', 'Account Manager', 'Sales rep', 'Propriétaire', 'Ответственный']
const addedStops: Column[][] = [
  [
    ['Do not mail', when('unsubscribe', 'x', '')],
    ['Bounced', when('bounce', 'x', '')],
  ],
  [
    ['Werbesperre', when('unsubscribe', 'ja', 'nein')],
    ['Unzustellbar', when('bounce', 'ja', 'nein')],
  ],
  [['Status', word({ none: 'Lead', unsubscribe: 'Opted out', bounce: 'Cleaned' })]],
  [
    ['Consent', when('unsubscribe', 'no', 'yes')],
    ['Hard bounce', when('bounce', '550', '')],
  ],
  [['DND', when('unsubscribe', 'TRUE', 'FALSE')]],
  [
    ['Désabonné', when('unsubscribe', 'oui', 'non')],
    ['Email rebond', when('bounce', 'oui', '')],
  ],
]

const firsts = 'Ana,Bo,Cem,Dora,Emre,Fien,Göran,Hana,Ines,José,Karin,Lê'.split(',')
const lasts = 'Ruiz,Lund,Dere,Weiß,Yılmaz,Smit,Öberg,Novák,Costa,Peña,Roth,Nguyen'.split(',')

/** The n-th file, always the same. */
export function fileOfPeople(n: number): Made {
  const dialect = dialects[n % dialects.length] as Dialect
  const round = Math.floor(n / dialects.length)
  const shape = (['plain', 'title', 'workbook', 'titled workbook'] as const)[round % 4] ?? 'plain'
  const hasStops = round % 3 !== 1 && dialect.card === undefined
  const stops = hasStops ? (dialect.stops ?? addedStops[round % addedStops.length] ?? []) : []
  const saysBounced = stops.length > 1 || /tatus/.test(stops[0]?.[0] ?? '')
  const people = Array.from({ length: 4 + (n % 5) }, (_, i): Someone => {
    const [first = '', last = ''] = [firsts[(n + i) % 12], lasts[(n * 5 + i * 7) % 12]]
    const emails = [`p${i}.${n}@client${i}.example`, `p${i}.${n}@home.example`]
    const person: Someone = {
      ...{ first, last },
      emails: takesTwo(dialect) && i % 3 === 1 ? emails : emails.slice(0, 1),
      phone: round % 2 === 0 && i < 3 ? switchboard : `+49 151 ${1_000_000 + n * 10 + i}`,
      ...{ company: `Firm ${i % 3}`, city: 'Berlin', title: 'Head of Sales' },
    }
    if (round % 4 === 2 && i > 1) Object.assign(person, { emails: [office], office: true })
    if (hasStops && i === 1) person.stop = 'unsubscribe'
    if (hasStops && saysBounced && i === 2) person.stop = 'bounce'
    return person
  })
  const byOwner =
    dialect.owner ?? (round % 2 === 0 ? addedOwners[n % addedOwners.length] : undefined)
  const owned: Column[] = byOwner === undefined ? [] : [[byOwner, () => owner]]
  const columns = [...dialect.columns, ...owned, ...stops]
  const what = `${n}: ${dialect.program}, ${dialect.card ? 'cards' : shape}`
  const content = dialect.card ? cardsOf(people, dialect.card) : tableOf(columns, people, shape, n)
  return { what, content, people }
}

const takesTwo = ({ program }: Dialect) => !['LinkedIn', 'Mailchimp', 'Brevo'].includes(program)

function tableOf(columns: Column[], people: Someone[], shape: string, n: number): Buffer {
  const rows = [
    columns.map(([heading]) => heading),
    ...people.map((person, i) => columns.map(([, cell]) => cell(person, i))),
  ]
  const titles = [[`Contacts of ${n}`], [], ['Exported', '2026-11-28']].slice(0, 1 + (n % 3))
  const all = shape.includes('title') ? [...titles, ...rows] : rows
  if (shape.includes('workbook')) {
    const sheet = all.map((cells, i) => wideRow(i + 1, cells)).join('')
    const readMe = wideRow(1, ['Read me']) + wideRow(2, ['Questions', 'help@vendor.example'])
    return zipPacked(partsOf(n % 2 === 0 ? [readMe, sheet] : [sheet, readMe]))
  }
  const by = [',', ';', '\t'][n % 3] ?? ','
  const width = columns.length
  const quoted = (cell: string) => (/[,;\t"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const text = all
    .map((cells) => Array.from({ length: width }, (_, i) => quoted(cells[i] ?? '')).join(by))
    .join('\r\n')
  if (n % 7 === 3) return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (n % 7 === 5 && !/[^\0-\xff]/.test(text)) return encode(text, 'windows-1252')
  return Buffer.from(n % 2 === 0 ? `\ufeff${text}` : text)
}

/** A row of texts; more than the alphabet has letters is not needed here. */
const wideRow = (row: number, cells: string[]) =>
  rowOf(
    row,
    cells.map((cell) => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  )

function cardsOf(people: Someone[], version: 3 | 4): Buffer {
  const lines = people.flatMap(({ first, last, emails, phone, company, city, title }) => [
    ...['BEGIN:VCARD', `VERSION:${version}.0`, `N:${last};${first};;;`, `FN:${first} ${last}`],
    ...emails.map((email, i) =>
      version === 4
        ? `EMAIL;PREF=${i + 1}:${email}`
        : `item${i + 1}.EMAIL;type=INTERNET${i === 0 ? ';type=pref' : ''}:${email}`,
    ),
    version === 4 ? `TEL;VALUE=uri:tel:${phone.replaceAll(' ', '-')}` : `TEL;type=CELL:${phone}`,
    ...[`ORG:${company};`, `TITLE:${title}`, `ADR:;;Street 1;${city};;10115;DE`, 'END:VCARD'],
  ])
  return Buffer.from(lines.join('\r\n'))
}
