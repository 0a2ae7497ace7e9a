import { deepEqual, equal } from 'node:assert/strict'
import { readRules } from '../../activities/model/rule-book.ts'
import { saidOf } from '../../activities/model/wording.ts'

describe('reading rules', () => {
  const lengths: Record<string, number | null> = {
    'No more than 60 words.': 60,
    'Keep it under 61 words': 60,
    'At most 80 words per letter.': 80,
    'Maximum of 50 words': 50,
    '70 words at most, please.': 70,
    'Never write more than 90 words.': 90,
    'Höchstens 40 Wörter.': 40,
    'No more than 60 words.\nAt most 45 words.': 45,
    'Be brief.': null,
  }
  for (const [text, words] of Object.entries(lengths))
    it(`“${text.replaceAll('\n', ' ')}” is ${words ?? 'no length'}`, () =>
      equal(readRules([text]).maxWords, words))

  const forbidden: Record<string, string[]> = {
    'Never promise a discount.': ['discount'],
    'Be brief. Never promise a discount.': ['discount'],
    'Do not mention Acme or our prices': ['Acme', 'prices'],
    "Don't say “cheap”, ever.": ['cheap'],
    'Avoid the word synergy.': ['synergy'],
    'No politics.': ['politics'],
    'Niemals Rabatte versprechen.': ['Rabatte'],
    'Always mention the trial.': [],
    'Never be rude.': [],
  }
  for (const [text, phrases] of Object.entries(forbidden))
    it(`“${text}” forbids ${phrases.join(', ') || 'no words'}`, () =>
      deepEqual(readRules([text]).never, phrases))

  const signatures: Record<string, string | null> = {
    'Sign as Ana Ruiz, Us Ltd.': 'Ana Ruiz, Us Ltd',
    'Sign as Ana and mention the trial.': 'Ana',
    'Please sign every letter with "The team"': 'The team',
    'Unterschreibe als Ana': 'Ana',
    'Show signs of joy.': null,
  }
  for (const [text, name] of Object.entries(signatures))
    it(`“${text}” signs ${name ?? 'as ever'}`, () => equal(readRules([text]).signAs, name))

  it('takes the later of two signatures', () =>
    equal(readRules(['Sign as Eva.', 'Sign as Ana.']).signAs, 'Ana'))

  it('takes what is to be mentioned as a phrase, and as a sentence where it is one', () => {
    deepEqual(readRules(['Mention the free trial.']).mention, [
      { text: 'the free trial', whole: false },
    ])
    deepEqual(readRules(['Always mention that setup takes a day.']).mention, [
      { text: 'setup takes a day', whole: true },
    ])
    deepEqual(readRules(['Say "It takes ten minutes."']).mention, [
      { text: 'It takes ten minutes.', whole: true },
    ])
  })

  it('reads a language, a greeting and a subject', () => {
    equal(readRules(['Write in German.']).language, 'de')
    equal(readRules(['Schreibe auf Deutsch']).language, 'de')
    equal(readRules(['Never write in German.']).language, null)
    equal(readRules(['Greet with "Dear {name},"']).greeting, 'Dear {name},')
    equal(readRules(['Use the subject "Ten minutes"']).subject, 'Ten minutes')
  })

  it('names the rules that have no form it knows', () => {
    deepEqual(readRules(['Be warm. Sign as Eva.', 'Sound like a friend']).ignored, [
      'Be warm.',
      'Sound like a friend',
    ])
  })

  it('finds a phrase in whatever number and case, and no part of a word', () => {
    const phrases = ['discount', 'monthly prices', 'count', '', 'monthly']
    deepEqual(saidOf('All DISCOUNTS end today.', phrases), ['discount'])
    deepEqual(saidOf('Our monthly price', phrases), ['monthly', 'monthly prices'])
    deepEqual(saidOf('We are discounting nothing', phrases), [])
  })
})
