import { equal } from 'node:assert/strict'
import { cut, isKeepable, keepable } from '../../rules/text.ts'

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
