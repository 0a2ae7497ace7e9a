import { deepEqual, equal, ok } from 'node:assert/strict'
import { encode } from '../../support/encode.ts'
import { type Caller, startService, type TestService } from '../../support/service.ts'
import { partsOf, rowOf, workbook, zipPacked } from '../../support/workbooks.ts'

const base64 = (content: string | Buffer) => Buffer.from(content as string).toString('base64')

describe('the formats of POST /people/import', () => {
  let service: TestService
  let call: Caller
  before(async () => {
    service = await startService()
    call = (await service.workspace()).call
  })
  after(() => service.close())

  const ask = (content: string | Buffer, name = 'people.xlsx') =>
    call('POST', '/people/import', { file: { name, content: base64(content) } }, { key: null })
  const plan = async (content: string | Buffer) => {
    const reply = await ask(content)
    equal(reply.status, 200, reply.text)
    return reply.body
  }

  describe('a workbook', () => {
    it('is read by its first sheet with rows, from its first row with cells, as a person would read it', async () => {
      const { columns, rows, sample, errors } = await plan(
        workbook(
          '<row r="1"/><row r="2"><c r="A2" s="1"/></row>',
          [
            rowOf(3, [
              { as: 't="s"', v: '0' },
              { as: 't="s"', v: '1' },
              'Phone',
              'City',
              'Company',
            ]),
            rowOf(4, ['Jos&#233; &amp; Co', 'jose@x.test', 4915112345678, 'C&#xE1;diz', 3]),
            rowOf(7, ['Ann', 'ann@x.test', { as: '', v: '4.9301234567E10' }, null, null]),
          ].join(''),
          rowOf(1, ['email', 'other@x.test']),
        ),
      )
      deepEqual(
        columns.map(({ name, field }: Record<string, string>) => `${name}: ${field}`),
        ['Name: name', 'E-mail: email', 'Phone: phone', 'City: city', 'Company: company'],
      )
      deepEqual([rows.total, rows.new, errors], [2, 2, []])
      deepEqual(
        sample.map((p: Record<string, string>) => [p['row'], p['name'], p['phone'], p['city']]),
        [
          [4, 'José & Co', '4915112345678', 'Cádiz'],
          [7, 'Ann', '49301234567', ''],
        ],
      )
      equal(sample[0].company, '3')
    })

    it('is read without cell references, which may be left out', async () => {
      const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
      const rows = [
        `<row>${['Name', 'E-mail', 'City'].map(cell).join('')}</row>`,
        `<row spans="1:3">${cell('Ann')}${cell('ann@x.test')}<c/></row>`,
        `<row r="5">${cell('Bob')}<c r="C5" t="inlineStr"><is><t>Ulm</t></is></c></row>`,
        `<row>${cell('Cem')}${cell('cem@x.test')}${cell('Bonn')}</row>`,
      ]
      const { rows: counts, sample, errors } = await plan(workbook(rows.join('')))
      deepEqual([counts.total, counts.new, counts.invalid], [3, 2, 1])
      deepEqual(
        sample.map(({ name, email, city }: Record<string, string>) => [name, email, city]),
        [
          ['Ann', 'ann@x.test', ''],
          ['Cem', 'cem@x.test', 'Bonn'],
        ],
      )
      equal(errors[0].row, 5)
    })

    const cells: [string, Parameters<typeof rowOf>[1][number], string][] = [
      ['a day', { as: 's="1"', v: '29358' }, '1980-05-17'],
      ['a day with a time', { as: 's="2"', v: '45293.645833333336' }, '2024-01-02 15:30'],
      ['a time', { as: 's="2"', v: '0.375' }, '09:00'],
      ['yes', { as: 't="b"', v: '1' }, 'TRUE'],
      ['a fraction', { as: '', v: '0.30000000000000004' }, '0.3'],
      ['twenty digits', { as: '', v: '12345678901234567890' }, '12345678901234567890'],
      ['a text of a formula', { as: 't="str"', v: 'Berlin' }, 'Berlin'],
      ['an error of a formula', { as: 't="e"', v: '#DIV/0!' }, ''],
      ['a formula that has no value yet', { as: 't="str"', v: '' }, ''],
      ['an escaped U+0000 and half a pair', 'a_x0000_b_xD800_c', 'ab\ufffdc'],
    ]
    for (const [what, cell, text] of cells)
      it(`has ${what} in a cell`, async () => {
        const content = workbook(
          rowOf(1, ['email', 'city']) + rowOf(2, ['ann@x.test', cell]) + rowOf(3, ['b@x.test']),
        )
        equal((await plan(content)).sample[0].city, text)
      })

    it('may be compressed and hold pictures', async () => {
      const sheet = rowOf(1, ['email']) + rowOf(2, ['ann@x.test'])
      const picture = { name: 'xl/media/a.png', content: Buffer.alloc(100_000, 'picture') }
      equal((await plan(zipPacked([picture, ...partsOf([sheet])]))).rows.new, 1)
    })

    it('may hold as many rows as fit into three megabytes', async function () {
      this.timeout(60_000)
      const rows = Array.from({ length: 40_000 }, (_, i) =>
        rowOf(i + 2, [`P ${i}`, `p${i}@x.test`]),
      )
      const content = zipPacked(partsOf([rowOf(1, ['Name', 'Email']) + rows.join('')]))
      equal((await plan(content)).rows.new, 40_000)
    })
  })

  describe('a text', () => {
    const text = 'Name;E-mail;City\nJosé Ñandú;jose@x.test;Łódź\n李娜;li@x.test;北京\n'
    const utf16 = (mark: string) => Buffer.from(mark + text, 'utf16le')
    const unicode: [string, Buffer][] = [
      ['UTF-8', Buffer.from(text)],
      ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
      ['UTF-16LE with a mark', utf16('\ufeff')],
      ['UTF-16BE with a mark', utf16('\ufeff').swap16()],
      ['UTF-16LE', utf16('')],
      ['UTF-16BE', utf16('').swap16()],
    ]
    for (const [encoding, content] of unicode)
      it(`is read in ${encoding}`, async () => {
        const { columns, sample } = await plan(content)
        deepEqual(
          columns.map(({ name }: { name: string }) => name),
          ['Name', 'E-mail', 'City'],
        )
        deepEqual(
          sample.map(({ name, city }: Record<string, string>) => [name, city]),
          [
            ['José Ñandú', 'Łódź'],
            ['李娜', '北京'],
          ],
        )
      })

    const names: [string, string[]][] = [
      ['Jürg Müller', ['windows-1252']],
      ['José Peña', ['windows-1252', 'macintosh']],
      ['Zoë “the boss” – O’Neil', ['windows-1252']],
      ['Søren Kjær', ['windows-1252']],
      ['João Simões', ['windows-1252']],
      ['Cœur 50 €', ['windows-1252', 'iso-8859-15']],
      ['Michał Dąbrowski', ['windows-1250', 'iso-8859-2']],
      ['Jiří Dvořák', ['windows-1250', 'iso-8859-2']],
      ['Gergő Szűcs', ['windows-1250', 'iso-8859-2']],
      ['Иван Петров', ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic']],
      ['Олексій Їжакевич', ['windows-1251', 'koi8-u']],
      ['Γιώργος Παπαδόπουλος', ['windows-1253', 'iso-8859-7']],
      ['Ayşe Yılmaz', ['windows-1254']],
      ['דוד כהן', ['windows-1255', 'iso-8859-8']],
      ['محمد علي', ['windows-1256', 'iso-8859-6']],
      ['Giedrė Žukauskaitė', ['windows-1257', 'iso-8859-13']],
      ['Þórður Sæmundsson', ['windows-1252']],
      ['สมชาย ใจดี', ['windows-874']],
      ['山田太郎', ['shift_jis', 'euc-jp']],
      ['ひまわり ハナコ', ['shift_jis', 'euc-jp']],
      ['张伟', ['gb18030']],
      ['陳大文', ['big5']],
      ['김철수', ['euc-kr']],
    ]
    for (const [name, encodings] of names)
      for (const encoding of encodings)
        it(`with the name ${name} is read in ${encoding}`, async () => {
          const { sample } = await plan(encode(`name,email\n${name},a@x.test\n`, encoding))
          equal(sample[0].name, name)
        })

    it('has its encoding recognized by lines far down', async () => {
      const lines = Array.from({ length: 20_000 }, (_, i) => `P ${i},p${i}@x.test\n`).join('')
      const content = encode(`name,email\n${lines}Иван Петров,i@x.test\n`, 'windows-1251')
      const { rows } = await plan(content)
      equal(rows.new, 20_001)
    })
  })

  describe('what cannot be read', () => {
    const sheet = rowOf(1, ['email']) + rowOf(2, ['ann@x.test'])
    const packed = zipPacked(partsOf([sheet]))
    const far = (ref: string, row = 1) =>
      workbook(`<row r="${row}"><c r="${ref}${row}"><v>1</v></c></row>`)
    const entities = Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
    )
    const laughs = `<!DOCTYPE x [<!ENTITY l0 "ha">${entities.join('')}]><worksheet><sheetData>${rowOf(1, ['&l9;'])}</sheetData></worksheet>`
    const files: [string, string | Buffer][] = [
      [
        'a workbook that unpacks to a gigabyte',
        zipPacked(partsOf([' '.repeat(64 << 20)]).map((part) => ({ ...part }))),
      ],
      [
        'one that says it unpacks to little',
        zipPacked(
          partsOf([' '.repeat(80 << 20)]).map((part) =>
            part.content.length > 1 << 20 ? { ...part, says: 1000 } : part,
          ),
        ),
      ],
      [
        'one that says it unpacks to much',
        zipPacked(partsOf([sheet]).map((p) => ({ ...p, says: 2 ** 30 }))),
      ],
      ['one of thousands of entries', zipPacked(partsOf([sheet]), 0, 500)],
      ['one with a password', zipPacked(partsOf([sheet]), 1)],
      ['one that is cut off', packed.subarray(0, packed.length / 2)],
      [
        'one that lacks its beginning',
        Buffer.concat([packed.subarray(0, 4), packed.subarray(400)]),
      ],
      [
        'one that laughs a billion times',
        zipPacked(partsOf([], { 'xl/worksheets/sheet0.xml': laughs })),
      ],
      ['one that is not XML', workbook('<row r="1"><c r="A1"><v>1</row>')],
      ['one with a million columns', far('BDWGN')],
      ['one without a row', workbook('', '')],
      ['one without a sheet', workbook()],
      [
        'an archive of something else',
        zipPacked([{ name: 'a.xml', content: Buffer.from('<a/>') }]),
      ],
      ['an archive of nothing', Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')],
      ['the beginning of an archive', Buffer.from('504b0304140006000800', 'hex')],
      [
        'an old workbook',
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      ],
      [
        'a PDF',
        '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
      ],
      ['a page', '<!DOCTYPE html><table><tr><td>ann@x.test</td></tr></table>'],
      ['a picture', Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')],
      [
        'noise',
        Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256)),
      ],
      [
        'UTF-16 that breaks off',
        Buffer.concat([Buffer.from('\ufeffemail\nann@x.test', 'utf16le'), Buffer.from([0x41])]),
      ],
      [
        'UTF-8 with a broken byte',
        Buffer.concat([Buffer.from('name,email\nJosé Ñandú Łódź,a@x.test\n'), Buffer.from([0xff])]),
      ],
    ]
    for (const [what, content] of files)
      it(`is ${what}`, async function () {
        this.timeout(60_000)
        const reply = await ask(content)
        equal(`${reply.status} ${reply.body.code}`, '422 unreadable_file', reply.text)
        equal(reply.body.errors[0].pointer, '/file/content')
        ok(reply.body.errors[0].message.length > 10)
      })

    it('is a sheet whose cells lie too far apart; the process is unaffected', async function () {
      this.timeout(60_000)
      const before = process.memoryUsage().rss
      const reply = await ask(far('A', 4_000_000_000))
      equal(`${reply.status} ${reply.body.code}`, '422 unreadable_file', reply.text)
      ok(process.memoryUsage().rss - before < 100 << 20)
    })

    it('does not include a million empty rows with one person above them', async function () {
      this.timeout(60_000)
      const rows = Array.from({ length: 300_000 }, (_, i) => `<row r="${i + 3}"/>`).join('')
      equal((await plan(zipPacked(partsOf([sheet + rows])))).rows.total, 1)
    })
  })
})
