import { deepEqual, equal, ok } from 'node:assert/strict'
import { checkAside, makeExampleAside, makeLetterAside } from '../../../process/children/letters.ts'
import type { Ask } from '../../../rules/templates/letters.ts'

describe('letters that are made in a child', function () {
  this.timeout(60_000)

  const template = { subject: 'Hello', text: 'In {{ person.city }}', html: null }
  const ask = (city: string, text = template.text): Ask => ({
    template: { ...template, text },
    values: {
      person: { name: 'Ada', email: 'a@b.example', company: '', city, jobTitle: '', fields: {} },
      ...{ agent: null, member: null, company: null, product: null, goal: '' },
      moment: { now: new Date(0), zone: 'Europe/Rome' },
    },
  })

  it('are as this process would make them', async () => {
    deepEqual(await makeLetterAside(ask('Rome'), 'wsp_a'), {
      ...{ kind: 'made', subject: 'Hello', text: 'In Rome', html: null, leftOut: [], missing: [] },
    })
    const dated = await makeLetterAside(ask('', '{{ "now" | date: "%Y-%m-%d %H:%M" }}'), 'wsp_a')
    ok(dated.kind === 'made')
    equal(dated.text, '1970-01-01 01:00')
  })

  it('fail with the member and the line of the template', async () => {
    const made = await makeLetterAside(
      ask('', 'a\n{% for i in (1..999999999) %}x{% endfor %}'),
      'wsp_a',
    )
    ok(made.kind === 'failed')
    deepEqual([made.member, made.trouble.code, made.trouble.line], ['text', 'too_much', 2])
  })

  it('are, as examples, those of the first person who lacks nothing', async () => {
    const text = async (...cities: [string, ...string[]]) => {
      const [first, ...others] = cities.map((city) => ask(city)) as [Ask, ...Ask[]]
      const made = await makeExampleAside([first, ...others], 'wsp_a')
      return made.kind === 'made' ? made.text : made
    }
    equal(await text('', 'Rome', 'Paris'), 'In Rome')
    equal(await text('', ''), 'In ')
  })

  it('name each template of several, and its member', async () => {
    const issues = await checkAside(
      [template, { ...template, html: '{{ nobody }}' }, { ...template, subject: '{{' }],
      'wsp_a',
    )
    deepEqual(
      issues.map(({ template: at, member, code }) => [at, member, code]),
      [
        [1, 'html', 'unknown_variable'],
        [2, 'subject', 'template_syntax'],
      ],
    )
  })
})
