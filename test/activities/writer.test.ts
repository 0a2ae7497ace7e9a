import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { answerFromWords } from '../../activities/model/task-words.ts'
import { countWords } from '../../activities/model/wording.ts'
import { type Brief, writeByTemplate } from '../../activities/model/writer.ts'

const brief: Brief = {
  place: 1,
  person: { name: 'Cleo', jobTitle: 'Head of logistics', company: 'Acme' },
  goal: 'Book a demo',
  company: { name: 'Us Ltd', pitch: 'We keep sales teams calm.', policy: '', facts: [] },
  product: { name: 'CRM', description: 'A light CRM. It has no frills.', conditions: [] },
  rules: [],
  knowledge: '',
  materials: [],
  signature: 'Eva',
  firstSubject: null,
}
const write = (given: Partial<Brief> = {}) => writeByTemplate({ ...brief, ...given })
const ruled = (...rules: string[]) => write({ rules }).text

describe('the embedded writer', () => {
  it('writes a plain letter', () => {
    const { subject, text } = write()
    equal(subject, 'CRM: a question')
    deepEqual(text.split('\n\n'), [
      'Hello Cleo,',
      'We keep sales teams calm.',
      'CRM: A light CRM. It has no frills.',
      'What I have in mind: Book a demo. Would that be of interest to you?',
      'Eva\nUs Ltd\n',
    ])
  })

  const materials = [
    { title: 'Banks', text: 'A bank saved much. It was glad.' },
    { title: 'Logistics', text: 'A logistics firm saved a day a week. A. B. C. D. And more.' },
    { title: 'Ten questions about calm', text: '' },
  ]
  it('relies on the material that fits the person, and on another one in the next letter', () => {
    match(write({ materials }).text, /\n\nA logistics firm saved a day a week\./)
    const second = write({ materials, place: 2 }).text
    doesNotMatch(second, /logistics firm/)
    match(second, /A bank saved much\.|Ten questions about calm\./)
  })

  it('takes the title of a material without a text, and none that holds nothing', () => {
    match(write({ materials: [materials[2]!] }).text, /Ten questions about calm\./)
    equal(write({ materials: [{ title: ' ', text: '' }] }).text, write().text)
  })

  it('keeps to a number of words', () => {
    for (const words of [60, 40, 25, 15]) {
      const text = write({ rules: [`No more than ${words} words.`], materials }).text
      ok(countWords(text) <= words, `${countWords(text)} of ${words}`)
      match(text, /^Hello Cleo,\n\n[\s\S]+\n\nEva\nUs Ltd\n$/)
    }
  })

  it('signs, mentions and keeps silent as it is told', () => {
    match(ruled('Sign as Ana Ruiz'), /\n\nAna Ruiz\n$/)
    match(ruled('Mention the free trial'), /Let me also mention the free trial\./)
    match(ruled('Always mention that setup takes a day.'), /\n\nSetup takes a day\.\n/)
    doesNotMatch(ruled('Never mention frills.'), /frills/)
    doesNotMatch(ruled('Never mention demos.'), /demo/i)
    match(write({ rules: ['Never mention demos.'] }).text, /Would a short talk/)
  })

  it('writes in German when it is told to', () => {
    const text = ruled('Write in German')
    match(text, /^Guten Tag Cleo,/)
    match(text, /Worum es mir geht: Book a demo\./)
  })

  it('greets nobody by what is no name', () => {
    for (const name of ['', 'See https://evil.example', 'x@y.example', 'Bob\nBcc: x', '<b>Bob</b>'])
      match(write({ person: { name, jobTitle: '', company: '' } }).text, /^Hello there,\n/)
    match(ruled('Greet with "Dear {name}!"'), /^Dear Cleo!\n/)
  })

  it('answers the first subject in later letters', () => {
    equal(write({ place: 2, firstSubject: 'Ten minutes' }).subject, 'Re: Ten minutes')
    equal(write({ goal: 'a\nb', product: null, company: null }).subject, 'a b')
  })
})

describe('answering by the words of a task', () => {
  const { place: _, materials: __, firstSubject: ___, ...house } = brief
  const answer = (words: string, rules: string[] = []) =>
    answerFromWords({ ...house, rules, words, person: brief.person!, messages: [] }).text.split(
      '\n\n',
    )

  const dictated: Record<string, string> = {
    'Write: The offer is on its way.': 'The offer is on its way.',
    'reply: thanks, we will call\non Monday': 'thanks, we will call\non Monday.',
    'Send them "See you on Tuesday"': 'See you on Tuesday.',
    'Tell them that the offer ends on Friday. He pays late.': 'The offer ends on Friday.',
    'Let Cleo know we are open': 'We are open.',
    'Ask them whether Tuesday suits': 'I would like to ask whether Tuesday suits.',
    'Remind him that the trial ends soon': 'A short reminder: the trial ends soon.',
  }
  for (const [words, text] of Object.entries(dictated))
    it(`“${words}” says “${text}”`, () =>
      deepEqual(answer(words), ['Hello Cleo,', text, 'Eva\nUs Ltd\n']))

  it('says nothing of words that dictate nothing', () => {
    const [, text] = answer('Follow up; he may have ten percent off at most')
    match(text ?? '', /come back to our conversation/)
  })

  it('writes nothing that the rules forbid', () =>
    deepEqual(answer('Write: You get a discount.', ['Never promise a discount.']), ['']))
})
