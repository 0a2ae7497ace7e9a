import { equal } from 'node:assert/strict'
import { cut, isKeepable, isVisible, keepable } from '../../rules/text.ts'

describe('a text that Postgres keeps', () => {
  const texts: [what: string, text: string, kept: string][] = [
    ['is as it was', 'Señor 😀\n', 'Señor 😀\n'],
    ['has no U+0000', 'a\0b', 'ab'],
    ['has no half of a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ]
  for (const [what, text, kept] of texts)
    it(what, () => {
      equal(keepable(text), kept)
      equal(isKeepable(text), text === kept)
      equal(isKeepable(kept), true)
    })
})

describe('a text that is cut', () => {
  it('has the first characters', () => equal(cut('abcdef', 3), 'abc'))
  it('stays as it is where it is short', () => equal(cut('abc', 3), 'abc'))
  it('does not end with half of a pair', () => equal(isKeepable(cut('ab😀', 3)), true))
})

describe('a text that shows nothing', () => {
  const nothing: [what: string, text: string][] = [
    ['nothing', ''],
    ['blanks and line breaks', ' \t\r\n\u00a0\u2003\u3000'],
    ['zero-width spaces and joiners', '\u200b\u200c\u200d\u2060\ufeff'],
    ['soft hyphens', '\u00ad \u00ad'],
    ['marks of direction', '\u200e\u200f\u202a\u2066'],
    ['fillers of Hangul', '\u3164\u115f\u1160\uffa0'],
    ['the blank of Braille', '\u2800'],
    ['variation selectors and a grapheme joiner', '\ufe0f\u034f\u180b'],
    ['tags of flags without a flag', '\u{e0067}\u{e007f}'],
    ['control characters', '\0\x07\x1b'],
  ]
  for (const [what, text] of nothing) it(`has ${what}`, () => equal(isVisible(text), false))
  const something = [
    '.',
    'a\u200b',
    '👍🏽',
    '👨\u200d👩\u200d👧',
    'שלום\u200f',
    '−',
    '한',
    '\u0e33',
  ]
  for (const text of something) it(`is not ${text}`, () => equal(isVisible(text), true))
})
