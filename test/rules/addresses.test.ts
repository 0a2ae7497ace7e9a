import { deepEqual, equal } from 'node:assert/strict'
import { nameBeside } from '../../rules/address-cleaning.ts'
import {
  comparedForm,
  inUnicode,
  leftOut,
  readAddress,
  readEmail,
  shownEmail,
} from '../../rules/addresses.ts'

describe('e-mail addresses', () => {
  const same = [
    ['ann@xn--mller-kva.example', 'ann@müller.example'],
    ['Ann@XN--MLLER-KVA.example', 'ann@müller.example'],
    ['ann@MÜLLER.example', 'ann@müller.example'],
    ['ann@mu\u0308ller.example', 'ann@müller.example'],
    ['ann@mail.xn--mller-kva.xn--p1ai', 'ann@mail.müller.рф'],
    ['ann@xn--strae-oqa.example', 'ann@straße.example'],
    ['ann@xn--j2bd4cyah0f.xn--h2brj9c', 'ann@हिन्दी.भारत'],
  ] as const
  for (const [one, other] of same)
    it(`${one} is ${other}`, () => {
      equal(readEmail(one)?.value, other)
      deepEqual(readEmail(other), { kind: 'email', value: other, given: other })
      equal(comparedForm(` ${one} `), other)
    })

  it('with a domain that cannot be written in Unicode stay as they are', () => {
    for (const address of ['ann@xn--a.example', 'ann@xn--99999999.example'])
      equal(readEmail(address)?.value, address)
    for (const text of ['', 'ann', '@', 'Ann@Example.com', 'ann@xn--', 'ann@[xn--mller-kva]'])
      equal(inUnicode(text), text)
  })

  it('keep the local part as it was given where they are only shown', () => {
    equal(inUnicode('Änn.B@xn--mller-kva.example'), 'Änn.B@müller.example')
    equal(inUnicode('xn--mller-kva@x.example'), 'xn--mller-kva@x.example')
  })

  const longest = `${'a'.repeat(241)}@roth.example`
  it('have at most 254 octets in all, however long their local part is', () => {
    for (const address of [`reply+${'0f'.repeat(40)}@x.example`, longest])
      equal(readEmail(address)?.value, address)
    for (const address of [`a${longest}`, `${'é'.repeat(121)}@roth.example`])
      equal(readEmail(address), undefined)
  })
})

describe('the name beside an address', () => {
  const given: [string, string][] = [
    ['Nadia Roth <nadia@roth.example>', 'Nadia Roth'],
    ['"Roth, Nadia" <nadia@roth.example>;', 'Roth, Nadia'],
    ['Nadia ‹nadia@roth.example›', 'Nadia'],
    ['Nadia ＜nadia@roth.example＞', 'Nadia'],
    ['Nadia Roth [mailto:nadia@roth.example]', 'Nadia Roth'],
    ['Nadia Roth (nadia@roth.example)', 'Nadia Roth'],
    ['Na\u200bdia\r\nRoth <nadia@roth.example>', 'Nadia Roth'],
    ['nadia@roth.example (work)', ''],
    ['nadia@old.example <nadia@roth.example>', ''],
    ['<nadia@roth.example>', ''],
    ['- <nadia@roth.example>', ''],
    ['nadia@roth.example', ''],
  ]
  for (const [text, name] of given)
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(name)}`, () => equal(nameBeside(text), name))
})

describe('what is no part of an address', () => {
  const invisible = 'invisible characters'
  const signs = 'signs of another width or form'
  const named = 'a name or brackets around it'
  const word = 'a word before it'
  const ends = 'signs around it'
  const nadia = 'nadia@roth.example'
  const given: [given: string, left: string | undefined][] = [
    ['\u200bnadia@roth.example', invisible],
    ['na\u00addia@roth.example', invisible],
    ['nadia\u2060@ro\u200bth.example', invisible],
    ['\u202anadia@roth.example\u202c', invisible],
    ['na\u200cdia@roth\u200d.example', invisible],
    ['nadia\ufe0f@roth.example', invisible],
    ['nadia\u{e0061}@roth.example', invisible],
    ['na\u3164dia\u034f@roth.example\ufffc', invisible],
    ['\ufeff\u00a0nadia@roth.example\u3000', undefined],
    ['nadia＠roth.example', signs],
    ['ｎａｄｉａ＠ｒｏｔｈ．ｅｘａｍｐｌｅ', signs],
    ['nadia﹫roth。example', signs],
    ['𝐧𝐚𝐝𝐢𝐚@roth.example', signs],
    ['mailto:nadia@roth.example', word],
    ['MailTo: nadia@roth.example?subject=Hello', word],
    ['mailto:nadia%40roth.example', word],
    ['smtp:nadia@roth.example', word],
    ['E-mail: nadia@roth.example', word],
    ['Nadia <nadia@roth.example>', named],
    ['"Roth, Nadia" <nadia@roth.example>;', named],
    ['nadia@old.example <nadia@roth.example>', named],
    ['<nadia@roth.example>', named],
    ['＜nadia@roth.example＞', `${signs}, ${named}`],
    ['Nadia ‹nadia@roth.example›', named],
    ['Nadia «nadia@roth.example»', named],
    ['Nadia 〈nadia@roth.example〉', named],
    ['nadia@roth.example (Nadia Roth)', named],
    ['Nadia Roth (nadia@roth.example)', named],
    ['Nadia [mailto:nadia@roth.example]', `${named}, ${word}`],
    ['nadia@roth.example <mailto:nadia@roth.example>', `${named}, ${word}`],
    ['[nadia@roth.example](mailto:nadia@roth.example)', `${named}, ${ends}`],
    ["'nadia@roth.example'", ends],
    ['“nadia@roth.example”', ends],
    ['"nadia"@roth.example', ends],
    ['nadia@roth.example.', ends],
    ['nadia@roth.example;', ends],
    ['<nadia@roth.example', ends],
    [
      '\u200b"Nadia" <mailto:nadia＠roth.example.>,',
      `${invisible}, ${signs}, ${named}, ${word}, ${ends}`,
    ],
    [nadia, undefined],
  ]
  for (const [text, left] of given)
    it(`is left out of ${JSON.stringify(text)}, and named`, () => {
      deepEqual([readEmail(text)?.value, leftOut('email', text)], [nadia, left])
      equal(comparedForm(text), nadia)
    })

  it('is left out where hyphens and apostrophes are those of an editor', () => {
    equal(
      readEmail('anna\u2011maria@roth\u2010export.example')?.value,
      'anna-maria@roth-export.example',
    )
    equal(readEmail('o’brien@roth.example')?.value, "o'brien@roth.example")
  })

  it('is not a joiner that a domain is written with', () => {
    equal(readEmail('ann@نامه\u200cای.example')?.value, 'ann@xn--mgba3gch31f060k.example')
  })

  it('is left out of an address that is only shown, whose case stays', () => {
    equal(shownEmail('Na\u00addia.Roth＠Roth.example'), 'Nadia.Roth@Roth.example')
  })

  const none = [
    ...[
      'nadia @roth.example',
      'a@b.example, c@d.example',
      'CEO @acme.example',
      'na\u0000dia@x.example',
    ],
    ...['nadia@[192.0.2.1]', '@', 'Nadia <>', 'nadia@roth', 'na\ud800dia@roth.example', '\u200b'],
  ]
  for (const text of none)
    it(`makes no address of ${JSON.stringify(text)}`, () => equal(readEmail(text), undefined))

  const others = [
    ['phone', '\u202a+49 151 12345678\u202c', '+4915112345678', invisible],
    ['phone', '＋４９（１５１）１２３４５６７８', '+4915112345678', signs],
    ['phone', '+49\u00a0151\u201112345678', '+4915112345678', signs],
    ['phone', "'+4915112345678", '+4915112345678', ends],
    ['phone', 'tel:+4915112345678', '+4915112345678', word],
    ['linkedin', '\u200bhttps://linkedin.com/in/nadia\u2060', 'linkedin.com/in/nadia', invisible],
    ['linkedin', '<https://linkedin.com/in/nadia>', 'linkedin.com/in/nadia', ends],
  ] as const
  for (const [kind, text, value, left] of others)
    it(`is left out of ${JSON.stringify(text)} too`, () =>
      deepEqual([readAddress(kind, text)?.value, leftOut(kind, text)], [value, left]))
})
