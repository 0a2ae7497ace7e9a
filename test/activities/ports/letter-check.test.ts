import { deepEqual, equal } from 'node:assert/strict'
import { flawsOf } from '../../../activities/ports/model/letter-check.ts'

const own = [
  'See https://us.example/demo, write to ana@us.example or call +49 30 1234567.',
  'We keep sales teams calm.',
]
const free: { never: string[]; maxWords: number | null } = { never: [], maxWords: null }
const codes = (text: string, subject = 'A demo', rules = free) => [
  ...new Set(flawsOf({ subject, text }, own, rules, 2000).map(({ code }) => code)),
]

describe('the check of a letter', () => {
  it('passes a plain letter, with contacts from our own texts', () => {
    deepEqual(
      codes('Hello Cleo,\n\nwould Tue. 10 a.m. suit you, e.g. by phone? 1.500 EUR.\n\nEva'),
      [],
    )
    deepEqual(codes('See www.us.example/demo/ or us.example, or mail Ana@us.example.'), [])
    deepEqual(codes('Call 0049 30 1234567 or +49301234567.'), [])
  })

  const refused: Record<string, string> = {
    'See https://evil.example/demo': 'foreign_contact',
    'See evil.example today': 'foreign_contact',
    'See https://us.example@evil.example/': 'foreign_contact',
    'See https://us.example/demo?to=evil': 'foreign_contact',
    'Go to EVIL.EXAMPLE': 'foreign_contact',
    'Write to x@y.example': 'foreign_contact',
    'Write to x＠y．example': 'foreign_contact',
    'Write to x (at) y (dot) example': 'foreign_contact',
    'Open 10.0.0.1 in your browser': 'foreign_contact',
    'Call +1 555 123 4567 now': 'foreign_contact',
    'Click javascript:alert(1)': 'foreign_contact',
    'Hello\nBcc: everyone': 'header_line',
    'Hello [Name],': 'placeholder',
    'Hello {{name}},': 'placeholder',
    'A <b>bold</b> word': 'placeholder',
    'I attached the offer.': 'attachment',
    'To unsubscribe say so.': 'unsubscribing',
    'Cal\u200bm': 'hidden_characters',
    'A\u0000B': 'hidden_characters',
    '   ': 'empty',
  }
  for (const [text, code] of Object.entries(refused))
    it(`refuses ${JSON.stringify(text)}: ${code}`, () => deepEqual(codes(text), [code]))

  it('refuses what is too long, by characters and by words', () => {
    deepEqual(codes('word '.repeat(401)), ['too_long'])
    deepEqual(codes('one two three', 'S', { never: [], maxWords: 2 }), ['too_long'])
  })

  it('refuses words that the rules forbid, in the subject too', () => {
    const rules = { never: ['discount'], maxWords: null }
    deepEqual(codes('Big discounts!', 'S', rules), ['forbidden_words'])
    deepEqual(codes('Hello.', 'Your discount', rules), ['forbidden_words'])
  })

  it('refuses a subject of two lines, and an empty one', () => {
    deepEqual(codes('Hello.', 'One\r\nBcc: x'), ['bad_subject', 'header_line'].slice(0, 1))
    deepEqual(codes('Hello.', ' '), ['empty'])
  })

  it('does not require a subject of a reply', () => {
    equal(flawsOf({ text: 'Hello.' }, own, free, 100).length, 0)
  })
})
