import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { flawsOf } from '../../../activities/ports/model/letter-check.ts'
import { readRules } from '../../../activities/ports/model/rule-book.ts'
import { answerFromWords } from '../../../activities/ports/model/task-words.ts'
import { startThreads } from '../../../activities/ports/model/threads.ts'
import { type Brief, writeByTemplate } from '../../../activities/ports/model/writer.ts'
import { contactsIn } from '../../../rules/contacts.ts'
import { judgeByWords } from '../../../rules/judge/judge.ts'
import { growsFaster } from '../../support/growth.ts'

const brief: Brief = {
  place: 1,
  person: { name: 'Cleo', jobTitle: '', company: '' },
  goal: 'Book a demo',
  company: { name: 'Us', pitch: '', policy: '', facts: [] },
  product: null,
  rules: [],
  knowledge: '',
  materials: [],
  signature: 'Eva',
  firstSubject: null,
}
const pitched = (pitch: string, rules: string[]) =>
  writeByTemplate({ ...brief, company: { ...brief.company!, pitch }, rules })
const numbered = (n: number, text: (i: string) => string) =>
  Array.from({ length: Math.ceil(n / text('0000').length) }, (_, i) =>
    text(i.toString(36).padStart(4, '0')),
  ).join('')

const sizes = [16_000, 160_000]

describe("a tenant's own words", function () {
  this.timeout(120_000)

  // Each text is built afresh, so that nothing cached for the one before helps.
  const texts: Record<string, (n: number) => string> = {
    blanks: (n) => `never say x${' '.repeat(n)}y`,
    lines: (n) => `never say x${'\n'.repeat(n)}y`,
    stops: (n) => `no ${'.'.repeat(n)}x`,
    quotes: (n) => `never say a${"'".repeat(n)}b`,
    'double quotes': (n) => `greet with ${'"a'.repeat(n / 2)}`,
    'one word': (n) => 'a'.repeat(n),
    'words without an end': (n) => 'a b '.repeat(n / 4),
    nicht: (n) => `wir erwähnen nicht ${'nicht '.repeat(n / 6)}`,
    never: (n) => numbered(n, (i) => `Never say w${i}. `),
    'never the same': (n) => 'Never say frills. '.repeat(n / 18),
    'a list of what is forbidden': (n) => `Never mention ${numbered(n, (i) => `w${i}, `)}`,
    mention: (n) => numbered(n, (i) => `Mention that w${i}. `),
    sign: (n) => 'sign '.repeat(n / 5),
    'tell them': (n) => 'tell them '.repeat(n / 10),
    ask: (n) => `ask${' '.repeat(n)}`,
    addresses: (n) => 'a@'.repeat(n / 2),
    domains: (n) => 'a-.'.repeat(n / 3),
    brackets: (n) => '[ '.repeat(n / 2),
    digits: (n) => '00 '.repeat(n / 3),
  }
  const uses: Record<string, (text: string) => unknown> = {
    'are rules': (text) => readRules([text]),
    'are a pitch under rules': (text) => pitched(text, ['Never say frills. At most 5 words.']),
    'are rules of a letter': (text) =>
      pitched(
        numbered(20_000, (i) => `W${i} it. `),
        [text],
      ),
    'are a task': (text) =>
      answerFromWords({ ...brief, words: text, person: brief.person!, messages: [] }),
    'are what a letter is compared with': (text) => [
      contactsIn(text),
      flawsOf({ text: 'Hello.' }, [text], { never: [], maxWords: null }, 1000),
    ],
  }
  for (const [use, work] of Object.entries(uses))
    for (const [name, text] of Object.entries(texts))
      it(`${name}: take time in proportion to their length where they ${use}`, () => {
        let fresh = 0
        const growth = growsFaster(sizes, text, (input) => work(`${input} ${fresh++}`))
        equal(growth, undefined)
      })

  it('judge people one by one, and stop when the time is up', async () => {
    const threads = startThreads()
    const rules = Array.from({ length: 100 }, (_, i) => ({
      kind: 'except' as const,
      text: numbered(1900, (w) => `r${i}w${w} or `),
    }))
    const people = Array.from({ length: 300 }, (_, i) => ({
      id: `p${i}`,
      name: `Person ${i}`,
      city: 'Rome',
      jobTitle: '',
      company: '',
      emails: [],
      phones: ['+393331234567'],
      linkedin: [],
      tags: [],
    }))
    const given = { query: 'people in Italy', rules, people, mostMs: 1 }
    const done = await threads.run({ workspace: 'w' }, 'judge', given)
    await threads.close()
    ok(done.kind === 'done' && done.answer.length > 0 && done.answer.length < people.length)
    deepEqual(done.answer[0], judgeByWords(given.query, rules, people.slice(0, 1))[0])
  })

  it('do not keep other workspaces from their turn', async () => {
    const threads = startThreads({ size: 1 })
    const order: string[] = []
    const ask = async (workspace: string) => {
      await threads.run({ workspace }, 'letter', { brief })
      order.push(workspace)
    }
    await Promise.all([...Array.from({ length: 30 }, () => ask('busy')), ask('other')])
    await threads.close()
    ok(order.indexOf('other') < 3, order.join(' '))
  })

  it('that never finish are ended with their thread, and not retried indefinitely', async () => {
    const entry = new URL('../../support/hanging-thread.ts', import.meta.url)
    const threads = startThreads({ entry, deadlineMs: 100 })
    deepEqual(await threads.run({ workspace: 'w' }, 'letter', { brief }), { kind: 'timed_out' })
    await threads.close()
  })

  it('are tried again later where no thread can be started', async () => {
    const entry = new URL('../../support/no-such-thread.ts', import.meta.url)
    const asked = startThreads({ entry }).run({ workspace: 'w' }, 'letter', { brief })
    await rejects(asked, { type: 'model_unavailable', nonRetryable: false })
  })

  it('are given up once nobody waits for them', async () => {
    const entry = new URL('../../support/hanging-thread.ts', import.meta.url)
    const threads = startThreads({ entry, deadlineMs: 60_000 })
    const signal = AbortSignal.timeout(500)
    const reason = await threads.run({ workspace: 'w', signal }, 'letter', { brief }).catch(String)
    ok(String(reason).includes('Timeout'), String(reason))
    await threads.close()
  })
})
