import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readRules } from '../../../activities/ports/model/rule-book.ts'
import { saidOf } from '../../../activities/ports/model/wording.ts'

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
    'Sign as Ana Keep.': 'Ana Keep',
    'Sign as Ana, never promise a discount.': 'Ana',
    'Show signs of joy.': null,
  }
  for (const [text, name] of Object.entries(signatures))
    it(`“${text}” signs ${name ?? 'as usual'}`, () => equal(readRules([text]).signAs, name))

  it('takes the later of two signatures', () =>
    equal(readRules(['Sign as Eva.', 'Sign as Ana.']).signAs, 'Ana'))

  it('treats what is to be mentioned as a phrase, or as a sentence where it is one', () => {
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

  // What is mentioned in a letter, and with a full stop at the end what is said there as a sentence of its own.
  const mentioned: Record<string, string | null> = {
    'Say why you write to this person.': null,
    'Say who you are and why you write.': null,
    'Mention how you found them.': null,
    'Say what we charge.': null,
    'Tell them where we are.': null,
    'Say hello.': null,
    'Say so.': null,
    'Mention it only once.': null,
    'Mention their city.': null,
    'Mention the name of your company.': null,
    'Include a link.': null,
    'Include a short greeting.': null,
    'Prices include VAT.': null,
    'Everything you mention must be true.': null,
    'Say that you write on behalf of Ana.': null,
    'Do not, under any circumstances, mention Acme.': null,
    'Mention the trial if they ask.': null,
    'Tell them about the trial.': 'the trial',
    'Say something about the trial.': 'the trial',
    'Mention the trial only once.': 'the trial',
    'Mention the trial in the second paragraph.': 'the trial',
    'Mention the trial at the end of the letter, please.': 'the trial',
    'In the first letter, mention the trial.': 'the trial',
    'Do not forget to mention the trial.': 'the trial',
    'Mention the trial and sign as Ana.': 'the trial',
    'Mention the trial, keep it short.': 'the trial',
    'Mention the trial and never promise a discount.': 'the trial',
    'Mention the trial, but not the price.': 'the trial',
    'Mention the Write Room.': 'the Write Room',
    'Mention the always open support line.': 'the always open support line',
    'Mention Dr. Smith and his book.': 'Dr. Smith and his book',
    'Tell people the trial is free.': 'the trial is free',
    'Point out that we keep records and sign contracts.': 'we keep records and sign contracts.',
    'Mention that doors never close.': 'doors never close.',
    'Mention that our engineers write to you within a day.':
      'our engineers write to you within a day.',
    'Say to them that it is free.': 'it is free.',
    'Mention that you can cancel.': 'you can cancel.',
    'Mention that "Fridge Sensor" is waterproof.': '"Fridge Sensor" is waterproof.',
    'Say: It takes a day.': 'It takes a day.',
    'Say "It takes a day. No more."': 'It takes a day. No more.',
    'Mention the phrase "free trial".': 'free trial.',
  }
  for (const [text, said] of Object.entries(mentioned))
    it(`“${text}” has letters mention ${said ?? 'nothing'}`, () =>
      deepEqual(
        readRules([text]).mention.map(({ text, whole }) =>
          whole ? text.replace(/\.?$/, '.') : text,
        ),
        said === null ? [] : [said],
      ))

  it("leaves alone rules that need words of the writer's own, also in the demo", () => {
    const { agents } = parse(readFileSync('dev/demo.yml', 'utf8'))
    for (const { rules } of agents) deepEqual(readRules([rules]).mention, [])
    deepEqual(readRules(['Say why you write to this person.']).ignored, [
      'Say why you write to this person.',
    ])
  })

  it('forbids what must never be mentioned', () => {
    deepEqual(readRules(['Mention no prices.']).never, ['prices'])
    deepEqual(readRules(['Say nothing about prices or discounts.']).never, ['prices', 'discounts'])
    deepEqual(readRules(['Mention the trial, but not the discount.']).never, ['discount'])
    deepEqual(readRules(['Never say we write code.']).never, ['we write code'])
  })

  it('reads a language, a greeting and a subject', () => {
    equal(readRules(['Write in German.']).language, 'de')
    equal(readRules(['Schreibe auf Deutsch']).language, 'de')
    equal(readRules(['Never write in German.']).language, null)
    equal(readRules(['Greet with "Dear {name},"']).greeting, 'Dear {name},')
    equal(readRules(['Use the subject "Ten minutes"']).subject, 'Ten minutes')
  })

  it('names the rules whose form it does not know', () => {
    deepEqual(readRules(['Be warm. Sign as Eva.', 'Sound like a friend']).ignored, [
      'Be warm.',
      'Sound like a friend',
    ])
  })

  it('finds a phrase in singular or plural and any case, but not within a word', () => {
    const phrases = ['discount', 'monthly prices', 'count', '', 'monthly']
    deepEqual(saidOf('All DISCOUNTS end today.', phrases), ['discount'])
    deepEqual(saidOf('Our monthly price', phrases), ['monthly', 'monthly prices'])
    deepEqual(saidOf('We are discounting nothing', phrases), [])
  })
})
