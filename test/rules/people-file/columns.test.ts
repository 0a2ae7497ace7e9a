import { deepEqual, equal } from 'node:assert/strict'
import { recogniseColumns } from '../../../rules/people-file/columns.ts'
import { fieldOfHeading } from '../../../rules/people-file/headings.ts'

/** The fields of the columns of a file, by their headings; the file is CSV without quotation marks. */
const fieldsOf = (text: string) => {
  const rows = text.split('\n').map((line) => line.split(','))
  const { columns, headings } = recogniseColumns(rows, [])
  return { headings, ...Object.fromEntries(columns.map(({ name, field }) => [name, field])) }
}

describe('the columns of a file of people', () => {
  const exports: [string, Record<string, string>][] = [
    [
      'Google Contacts',
      {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'Organization Name': 'company',
        'Organization Title': 'jobTitle',
        'E-mail 1 - Value': 'email',
        'E-mail 2 - Value': 'email',
        'Phone 1 - Value': 'phone',
        'Address 1 - City': 'city',
      },
    ],
    [
      'Google Contacts, as it was',
      {
        'Given Name': 'firstName',
        'Family Name': 'lastName',
        'Organization 1 - Name': 'company',
        'Organization 1 - Title': 'jobTitle',
      },
    ],
    [
      'Outlook',
      {
        'E-mail Address': 'email',
        'E-mail 2 Address': 'email',
        'Job Title': 'jobTitle',
        'Business Phone': 'phone',
        'Mobile Phone': 'phone',
        'Business City': 'city',
      },
    ],
    [
      'Outlook in German',
      {
        Vorname: 'firstName',
        Nachname: 'lastName',
        Firma: 'company',
        Position: 'jobTitle',
        'E-Mail-Adresse': 'email',
        'E-Mail 2: Adresse': 'email',
        'Telefon geschäftlich': 'phone',
        'Telefon (privat)': 'phone',
        Mobiltelefon: 'phone',
        'Ort geschäftlich': 'city',
      },
    ],
    [
      'HubSpot',
      {
        Email: 'email',
        'Additional email addresses': 'email',
        'Phone Number': 'phone',
        'Company Name': 'company',
        'Associated Company': 'company',
        'Job Title': 'jobTitle',
        'Unsubscribed from all email': 'unsubscribed',
        'Email hard bounce reason': 'bounced',
      },
    ],
    [
      'Salesforce',
      {
        FirstName: 'firstName',
        LastName: 'lastName',
        'Account Name': 'company',
        MobilePhone: 'phone',
        MailingCity: 'city',
        HasOptedOutOfEmail: 'unsubscribed',
        'Email Opt Out': 'unsubscribed',
        EmailBouncedDate: 'bounced',
      },
    ],
    [
      'Pipedrive',
      {
        'Person - Name': 'name',
        'Person - Email - Work': 'email',
        'Person - Email - Other': 'email',
        'Person - Phone - Mobile': 'phone',
        'Person - Organization': 'company',
        'Person - Marketing status': 'mailStatus',
      },
    ],
    [
      'address books in Hungarian, Finnish and Romanian',
      {
        Vezetéknév: 'lastName',
        'E-mail cím': 'email',
        Telefonszám: 'phone',
        Cég: 'company',
        Etunimi: 'firstName',
        Sähköposti: 'email',
        Yritys: 'company',
        Prenume: 'firstName',
        'Adresa de email': 'email',
      },
    ],
    ['LinkedIn', { 'Email Address': 'email', Company: 'company', Position: 'jobTitle' }],
    ['Mailchimp', { 'Email Address': 'email', UNSUB_TIME: 'unsubscribed', CLEAN_TIME: 'bounced' }],
    [
      'Brevo',
      {
        EMAIL: 'email',
        FIRSTNAME: 'firstName',
        LASTNAME: 'lastName',
        SMS: 'phone',
        EMAIL_BLACKLISTED: 'unsubscribed',
        OPT_IN: 'consent',
      },
    ],
  ]
  for (const [program, headings] of exports)
    it(`are recognised by the headings of ${program}`, () => {
      const read = Object.keys(headings).map((heading) => [heading, fieldOfHeading(heading)])
      deepEqual(Object.fromEntries(read), headings)
    })

  it('hold second addresses, and no second names', () => {
    const headings: [string, string | undefined][] = [
      ['Secondary Email', 'email'],
      ['Alternate E-mail', 'email'],
      ['Zweite E-Mail', 'email'],
      ['Additional phone numbers', 'phone'],
      ['User email', 'email'],
      ['Additional Name', undefined],
      ['Secondary Contact', undefined],
      ['User Name', undefined],
    ]
    for (const [heading, field] of headings) equal(fieldOfHeading(heading), field, heading)
  })

  const others = [
    ...['Contact owner', 'Contact Owner Email', 'Owner.Email', 'Account Manager', 'Sales Rep'],
    ...['Created By', 'Last Modified By', "Assistant's Email", "Manager's E-mail", 'Reports To'],
    ...['Person - Owner', 'Organization - Owner', 'Referred by', 'Betreuer', 'Kundenbetreuer'],
    ...['Zuständig', 'Verantwortlicher', 'Erstellt von', 'Propriétaire du contact', 'Responsable'],
    ...['Propietario', 'Proprietario contatto', 'Responsável', 'Eigenaar', 'Opiekun', 'Ansvarig'],
    ...[
      'Ответственный',
      'Владелец',
      'Tulajdonos',
      'Omistaja',
      'Відповідальний',
      '负责人',
      '担当者',
      'OwnerEmail',
    ],
  ]
  for (const heading of others)
    it(`of colleagues are none of the person's: ${heading}`, () => {
      const rows = ['ana', 'bo', 'cem'].map((who) => `${who}@x.test,eva@our.test`)
      const beside = fieldsOf([`Email,${heading}`, ...rows].join('\n')) as Record<string, unknown>
      equal(beside['Email'], 'email')
      equal(String(beside[heading]).replace(/^fields\..*/, 'own'), 'own')
      const alone = fieldsOf(
        [`First Name,${heading}`, 'Ana,eva@our.test', 'Bo,eva@our.test'].join('\n'),
      ) as Record<string, unknown>
      equal(String(alone[heading]).replace(/^fields\..*/, 'own'), 'own')
    })

  it('hold no second address of the person by content alone, with headings or without', () => {
    const rows = ['Ana Ruiz,eva@our.test,ana@x.test', 'Bo Lund,eva@our.test,bo@x.test']
    deepEqual(fieldsOf(rows.join('\n')), {
      headings: -1,
      'column 1': 'name',
      'column 2': null,
      'column 3': 'email',
    })
    deepEqual(fieldsOf(['who,via,where', ...rows].join('\n')), {
      headings: 0,
      who: 'fields.who',
      via: 'fields.via',
      where: 'email',
    })
    deepEqual(fieldsOf(['who,Kontakt via,E-Mail', ...rows].join('\n')), {
      headings: 0,
      who: 'fields.who',
      'Kontakt via': 'fields.Kontakt via',
      'E-Mail': 'email',
    })
  })

  const titles: [string, string][] = [
    ['Title,Job Title,Email\nHerr,Einkauf,a@x.test\n,,b@x.test', 'fields.Title'],
    ['Title,Email\nMr.,a@x.test\nDr,b@x.test\nMrs,c@x.test', 'fields.Title'],
    ['Titel,Email\nFrau,a@x.test', 'fields.Titel'],
    ['Título,Email\nSra.,a@x.test\nSr.,b@x.test', 'fields.Título'],
    ['Title,Job Title,Email\n,Einkauf,a@x.test', 'fields.Title'],
    ['Title,Email\nHead of Sales,a@x.test\nDr,b@x.test\nCEO,c@x.test', 'jobTitle'],
  ]
  for (const [text, field] of titles)
    it(`have a title that is ${field}: ${text.replaceAll('\n', ' / ')}`, () => {
      equal(Object.values(fieldsOf(text))[1], field)
    })
})

describe('the headings of a file of people', () => {
  const files: [string, string, number][] = [
    ['a title', 'Contacts November,,\n,,\nFirst name,E-mail,Company\nAna,a@x.test,X', 2],
    ['a title of a known word', 'Contact,,\nName,E-mail,Company\nAna,a@x.test,X', 1],
    ['a date and an author', 'Export,2026-11-01\nBy,eva@our.test\nVorname,E-Mail\nAna,a@x.test', 2],
    ['groups above them', 'Person,,Company,\nFirst name,Email,Name,City\nAna,a@x.test,X,Y', 1],
    ['words that are not known', 'Listi,,\nNafn,Netfang,Númer\nAna,a@x.test,7\nBo,b@x.test,8', 1],
    ['one column', 'Newsletter readers of 2026\nE-Mail\na@x.test', 1],
    ['no title', 'Name,E-mail\nAna,a@x.test', 0],
    ['people before', 'Ana Ruiz,a@x.test\nBo Lund,b@x.test', -1],
    ['rows without an address below', 'Name,E-mail\nContact,\nKunde,Stadt\nAna,a@x.test', 0],
    ['twenty lines of notes', `${'A note.,\n'.repeat(20)}Name,E-mail\nAna,a@x.test`, 20],
  ]
  for (const [what, text, place] of files)
    it(`are found with ${what}`, () => {
      const rows = text.split('\n').map((line) => line.split(','))
      equal(recogniseColumns(rows, []).headings, place)
    })
})
