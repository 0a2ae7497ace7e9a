import { deepEqual, equal } from 'node:assert/strict'
import { readQuery, tsqueryOf } from '../../../rules/search/query.ts'
import { snippetOf } from '../../../rules/search/snippet.ts'
import { folded, wordsOf } from '../../../rules/search/words.ts'

const foldings: Record<string, string> = {
  'Größe ÆGIR Œuvre': 'grosse aegir oeuvre',
  'Łódź, Køge, İzmir, ısı': 'lodz, koge, izmir, isi',
  'Éléphant déjà vu': 'elephant deja vu',
  'Привет, ЁЛКА': 'привет, елка',
  ΣΊΣΥΦΟΣ: 'σισυφοσ',
  'ＦＵＬＬ １２３': 'full 123',
  קָפֶה: 'קפה',
  مُحَمَّد: 'محمد',
}

const words: Record<string, string[]> = {
  'ana@firm.example': ['ana', 'firm', 'example'],
  "don't stop-it": ['don', 't', 'stop', 'it'],
  'Preis: 12.345,67 €': ['preis', '12', '345', '67'],
  'نص عربي، هنا': ['نص', 'عربي', 'هنا'],
  東京タワーは高い: ['東京タワーは高い'],
  iPhoneを買う: ['iphone', 'を買う'],
}

const queries: [q: string, tsquery: string | undefined][] = [
  ['red chair', `(('/red')) & (('/chair':*) | ('/#chair':*))`],
  ['"red chair"', `(('/red' <-> '/chair'))`],
  ['chair -red', `(('/chair')) & !(('/red'))`],
  ['firm.exam', `(('/firm' <-> '/exam':*))`],
  ['12345', `(('/12345':*) | ('/#12345':*) | ('/12345':*))`],
  ['東京都', `(('/東京' <-> '/京都'))`],
  ['東', `(('/東':*))`],
  ['-red', undefined],
  ['?! ', undefined],
  ['""', undefined],
  ["'\\:*&|!<->", undefined],
]

const snippets: [text: string, q: string, found: string[]][] = [
  ['The offer is in the ATTACHMENT.', 'attach', ['ATTACH']],
  ['Ein Übergang über die Brücke', 'uber brucke', ['über', 'Brücke']],
  ['Die Straße', 'strasse', ['Straße']],
  ['Café au lait', 'cafe', ['Café']],
  ['Vamos mañana a París', '"manana a paris"', ['mañana a París']],
  ['Встреча в Москве', 'москв', ['Москв']],
  ['明日は東京タワーに行く', '東京', ['東京']],
  ['Rufen Sie +49 30 123 45 67 an', '1234567', ['123 45 67']],
  ['😀 Hello 😀 world', 'world', ['world']],
  ['Ana Silva · ana@firm.example', 'ana@firm.example', ['ana@firm.example']],
]

describe('the words of a search', () => {
  for (const [text, expected] of Object.entries(foldings))
    it(`are ${expected} for ${text}`, () => equal(folded(text), expected))
  for (const [text, expected] of Object.entries(words))
    it(`are ${expected.join(' ')} in ${text}`, () =>
      deepEqual(
        wordsOf(folded(text)).map(({ word }) => word),
        expected,
      ))
  for (const [q, expected] of queries)
    it(`of ${q} become ${expected}`, () => {
      const query = readQuery(q)
      equal(query && tsqueryOf(query, '/'), expected)
    })
})

describe('a snippet', () => {
  for (const [text, q, expected] of snippets)
    it(`shows ${q} in ${text}`, () => {
      const query = readQuery(q)
      if (!query) throw new Error('no query')
      const { snippet, matches } = snippetOf(text, query)
      deepEqual(
        matches.map(([from, to]) => snippet.slice(from, to)),
        expected,
      )
    })

  it('is at most 200 characters around the first match', () => {
    const query = readQuery('needle')
    if (!query) throw new Error('no query')
    const { snippet, matches } = snippetOf(
      `${'hay 😀 '.repeat(300)} needle ${'hay '.repeat(300)}`,
      query,
    )
    equal(snippet.length <= 200 && snippet.isWellFormed(), true)
    deepEqual(
      matches.map(([from, to]) => snippet.slice(from, to)),
      ['needle'],
    )
  })
})
