import { deepEqual, equal, match } from 'node:assert/strict'
import { readImport } from '../../../rules/people-file/read.ts'
import type { PersonInFile } from '../../../rules/people-file/rows.ts'

const people = async (text: string | Buffer) => {
  const found: PersonInFile[] = []
  const read = await readImport(Buffer.from(text as string), [], ({ people }) => {
    found.push(...people)
  })
  return { read, found }
}

describe('a file that is no table', () => {
  const files: [string, string, RegExp][] = [
    ['JSON', '[{"name":"Ana","email":"a@x.test"}]', /JSON/],
    ['a JSON object', '{\n  "contacts": [\n    {"email": "a@x.test"}\n  ]\n}', /JSON/],
    ['lines of JSON', '{"email":"a@x.test"}\n{"email":"b@x.test"}\n', /JSON/],
    ['jCard', '[["vcard",[["version",{},"text","4.0"],["fn",{},"text","Ana"]]]]', /JSON/],
    ['xCard', '<?xml version="1.0"?><vcards><vcard/></vcards>', /XML/],
    [
      'a list of recipients',
      '"Nadia Roth" <n@x.test>\n"Bo" <b@x.test>\nCem Dere <c@x.test>\n',
      /list of mail addresses/,
    ],
    [
      'recipients on one line',
      '"Roth, Nadia" <n@x.test>, Bo <b@x.test>; <c@x.test>',
      /list of mail addresses/,
    ],
    ['a calendar', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n', /calendar/],
    [
      'LDIF',
      'dn: cn=Ana,dc=x\ncn: Ana\nmail: a@x.test\n\ndn: cn=Bo,dc=x\nmail: b@x.test\n',
      /LDIF/,
    ],
    [
      'a mail',
      'From: a@x.test\nTo: b@x.test\nSubject: Hello\nDate: Mon, 1 Jan 2026\n\nHello',
      /a mail/,
    ],
    ['a mailbox', 'From a@x.test Mon Jan  1 00:00:00 2026\nSubject: Hello\n\nHello', /a mail/],
    ['SQL', '-- dump\nCREATE TABLE people (id int);\nINSERT INTO people VALUES (1);', /SQL/],
    ['YAML', '- name: Ana\n  email: a@x.test\n', /YAML/],
  ]
  for (const [what, text, says] of files)
    it(`is named: ${what}`, async () => {
      const { read } = await people(text)
      match('unreadable' in read ? read.unreadable : 'a table', says)
    })

  it('is a table where only a cell looks so', async () => {
    for (const text of [
      'email\na@x.test\n',
      'Name,Email\n"{""a"":1}",a@x.test\n',
      'a@x.test\nb@x.test\n',
    ])
      equal((await people(text)).found[0]?.addresses[0]?.value, 'a@x.test')
  })
})

describe('visiting cards', () => {
  const cards = [
    [
      'version 3 of Apple',
      [
        'BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Apple Inc.//macOS 15.1//EN\r\nN:Roth;Nadia;;Dr.;',
        'FN:Dr. Nadia Roth\r\nORG:Roth\\, Söhne;Einkauf;\r\nTITLE:Head of Purchasing',
        'EMAIL;type=INTERNET;type=HOME:second@roth.example',
        'item1.EMAIL;type=INTERNET;type=WORK;type=pref:nadia@roth.example\r\nitem1.X-ABLabel:_$!<Work>!$_',
        'TEL;type=WORK;type=FAX:+49 30 999999\r\nTEL;type=CELL;type=VOICE;type=pref:+49 151 12345678',
        'ADR;type=WORK;type=pref:;;Hauptstr. 1;Berlin;;10115;Germany',
        'X-SOCIALPROFILE;type=linkedin;x-user=nadia:http://www.linkedin.com/in/nadia',
        'NOTE:A long note that is\r\n  folded\\nand has two lines\r\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r\n SkZJRg\r\nEND:VCARD',
      ].join('\r\n'),
    ],
    [
      'version 4',
      [
        'BEGIN:VCARD\nVERSION:4.0\nFN:Dr. Nadia Roth\nN:Roth;Nadia;;Dr.;\nORG:Roth\\, Söhne;Einkauf',
        'TITLE:Head of Purchasing\nEMAIL;PREF=2:second@roth.example\nEMAIL;PREF=1;TYPE="work,x":nadia@roth.example',
        'TEL;VALUE=uri;TYPE="voice,cell";PREF=1:tel:+49-151-12345678\nADR;TYPE=work:;;Hauptstr. 1;Berlin;;10115;DE',
        'URL:https://www.linkedin.com/in/nadia\nEND:VCARD\n',
      ].join('\n'),
    ],
    [
      'version 2.1 of Outlook',
      [
        'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=utf-8:Roth;Nadia;;Dr.\r\nFN:Dr. Nadia Roth',
        'ORG;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:Roth, S=C3=B6=\r\nhne;Einkauf\r\nTITLE:Head of Purchasing',
        'EMAIL;PREF;INTERNET:nadia@roth.example\r\nEMAIL;INTERNET:second@roth.example',
        'TEL;CELL;VOICE:+49 151 12345678\r\nADR;WORK:;;Hauptstr. 1;Berlin;;10115;Germany',
        'URL;WORK:https://www.linkedin.com/in/nadia\r\nEND:VCARD',
      ].join('\r\n'),
    ],
  ]
  for (const [what, text] of cards)
    it(`are read: ${what}`, async () => {
      const { read, found } = await people(
        `\ufeff${text}\r\nBEGIN:VCARD\r\nFN:Bo\r\nEMAIL:bo@x.test\r\nEND:VCARD`,
      )
      const [nadia, bo] = found
      deepEqual(nadia?.fields, {
        name: 'Dr. Nadia Roth',
        company: 'Roth, Söhne',
        jobTitle: 'Head of Purchasing',
        city: 'Berlin',
      })
      deepEqual(
        nadia?.addresses.map(({ value }) => value),
        ['nadia@roth.example', 'second@roth.example', '+4915112345678', 'linkedin.com/in/nadia'],
      )
      deepEqual([nadia?.row, bo?.row, bo?.fields.name], [1, 2, 'Bo'])
      equal('unreadable' in read || read.headings, null)
    })

  it('are unreadable where none is whole', async () => {
    const { read } = await people('BEGIN:VCARD\nFN:Ana\n')
    match('unreadable' in read ? read.unreadable : '', /vCard/)
  })
})

describe('several values in a cell', () => {
  const cells: [string, string][] = [
    ['Google', 'a@x.test ::: b@x.test'],
    ['HubSpot', 'a@x.test;b@x.test'],
    ['Pipedrive', '"a@x.test, b@x.test"'],
    ['a spreadsheet', '"a@x.test\nb@x.test"'],
    ['pipes', 'a@x.test | b@x.test'],
  ]
  for (const [program, cell] of cells)
    it(`are read as ${program} writes them`, async () => {
      const { found } = await people(
        `Name,E-mail 1 - Value,Phone\nAna,${cell},+49 30 123456 ::: +49 151 1234567\n`,
      )
      deepEqual(
        found[0]?.addresses.map(({ value }) => value),
        ['a@x.test', 'b@x.test', '+4930123456', '+491511234567'],
      )
    })
})

describe('a file with a note above its headings', () => {
  it("is read as LinkedIn's connections are", async () => {
    const text = [
      'Notes:',
      '"When exporting your connection data, you may notice that some of the email addresses are missing, or not."',
      '',
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
      'Ana,Ruiz,https://www.linkedin.com/in/ana,,Acme,"CEO, Founder",01 Nov 2026',
      'Bo,Lund,https://www.linkedin.com/in/bo,bo@x.test,Acme,CTO,02 Nov 2026',
    ].join('\n')
    const { read, found } = await people(text)
    deepEqual(
      found.map(({ fields, addresses }) => [fields.name, fields.jobTitle, addresses.length]),
      [
        ['Ana Ruiz', 'CEO, Founder', 1],
        ['Bo Lund', 'CTO', 2],
      ],
    )
    equal('unreadable' in read || read.headings, 4)
  })
})

describe('an address in several rows', () => {
  const rows: [string, string[], boolean][] = [
    ['two names of several words', ['Ana Ruiz', 'Bo Lund'], true],
    ['three single words', ['Ana', 'Bo', 'Cem'], true],
    ['two single words', ['Ana', 'Bo'], true],
    ['one family', ['Ana Ruiz', 'Bo Ruiz'], true],
    ['one first name', ['Ana Ruiz', 'Ana Lund'], true],
    ['one name in two orders', ['Ana Ruiz', 'Ruiz, Ana'], false],
    ['a name and its initial', ['Ana Ruiz', 'A. Ruiz'], false],
    ['a name and its beginning', ['Sofia Marín', 'Sofi Marin'], false],
    ['two first names of one person', ['Mike Smith', 'Michael Smith'], false],
    ['a name for short', ['Bob', 'Robert'], false],
    ['two spellings', ['Jürgen Müller', 'Juergen Mueller'], false],
    ['a slip', ['Sofia Marin', 'Sofia Martin'], false],
    ['a title', ['Dr. Ana Ruiz', 'Ana Ruiz'], false],
    ['a second name', ['Ana Maria Ruiz', 'Ana Ruiz'], false],
    ['no name in one of them', ['Ana Ruiz', ''], false],
    ['a letter for a name', ['Ana Ruiz', 'X'], false],
  ]
  for (const [what, names, isShared] of rows)
    it(`${isShared ? 'is nobody’s' : 'is one person’s'} beside ${what}`, async () => {
      const text = `Name,Email\n${names.map((name) => `"${name}",a@x.test`).join('\n')}\n`
      const { read } = await people(text)
      deepEqual('unreadable' in read || read.shared, isShared ? ['email a@x.test'] : [])
    })
})
