import { deepEqual, equal, match } from 'node:assert/strict'
import { type JudgedPerson, judgeByWords, type Rule } from '../../rules/judge/judge.ts'

const blank = {
  city: '',
  jobTitle: '',
  company: '',
  emails: [],
  phones: [],
  linkedin: [],
  tags: [],
}
const people: JudgedPerson[] = [
  {
    ...blank,
    id: 'per_anna',
    name: 'Anna Schmidt',
    city: 'Berlin',
    jobTitle: 'Sales Director',
    company: 'Acme GmbH',
    emails: ['anna@acme-tools.de'],
    phones: ['+4930123456'],
    tags: [{ label: 'CRM', side: 'buyer' }],
  },
  {
    ...blank,
    id: 'per_bob',
    name: 'Bob Brown',
    city: 'München',
    jobTitle: 'Chief Executive Officer',
    company: 'Berlin Hotels',
    emails: ['bob@hotels.example'],
    phones: ['+12125551234'],
    tags: [
      { label: 'CRM', side: 'seller' },
      { label: 'ERP', side: 'buyer' },
    ],
  },
  { ...blank, id: 'per_none', name: '', linkedin: ['linkedin.com/in/nobody'] },
]

/** The initials of those who match: a(nna), b(ob), n(obody known). */
const matching = (query: string, ...rules: Rule[]) =>
  judgeByWords(query, rules, people)
    .map(({ matches }, i) => (matches ? 'abn'[i] : ''))
    .join('')

const only = (text: string): Rule => ({ kind: 'only', text })
const except = (text: string): Rule => ({ kind: 'except', text })

describe('judging by words', () => {
  const queries: Record<string, string> = {
    everyone: 'abn',
    all: 'abn',
    alle: 'abn',
    'All our clients': 'abn',
    'sales directors in Berlin': 'a',
    'Sales Directors': 'a',
    'people in Berlin': 'a',
    'Leute aus München': 'b',
    'people in Munich or Berlin': 'ab',
    'people in Munich and Berlin': 'ab',
    'CEOs in Munich': 'b',
    'VPs, CTOs or CEOs': 'b',
    'in Germany': 'a',
    'German directors': 'a',
    'people from the United States': 'b',
    'contacts in US': 'b',
    'in Berlin, Germany': 'a',
    'directors at Acme': 'a',
    'acme-tools.de': 'a',
    '@hotels.example': 'b',
    'anna@acme-tools.de': 'a',
    'people named Anna': 'a',
    CRM: 'ab',
    'buyers of CRM': 'a',
    'CRM sellers': 'b',
    buyers: 'ab',
    'people with a phone': 'ab',
    'people without a phone number': 'n',
    'contacts with a LinkedIn profile': 'n',
    'everyone without a company': 'n',
    'people not in Berlin': 'bn',
    'everyone except directors in Berlin': 'bn',
    'everyone but people in Munich': 'an',
    'directors but not in Munich': 'a',
    'unicorn wranglers': '',
    'constructor prototype': '',
    '!!!': 'abn',
  }
  for (const [query, expected] of Object.entries(queries))
    it(`“${query}” is ${expected || 'nobody'}`, () => equal(matching(query), expected))

  it('requires every “only” and excludes every “except”', () => {
    equal(matching('everyone', only('people in Berlin')), 'a')
    equal(matching('everyone', only('CRM'), except('sellers')), 'a')
    equal(matching('everyone', except('Munich and Berlin')), 'n')
    equal(matching('everyone', except('sellers in Munich')), 'an')
    equal(matching('everyone', except('not in Berlin')), 'a')
    equal(matching('people in Berlin', except('people in Berlin')), '')
  })

  it('ignores an “except” that names no condition', () => {
    equal(matching('everyone', except('customers')), 'abn')
  })

  it('says why, and that plain rules said so', () => {
    const [anna, bob] = judgeByWords('sales directors in Berlin', [], people)
    deepEqual(anna, {
      matches: true,
      reason: 'Matches “sales directors” (job title), “Berlin” (city). Judged by plain word rules.',
    })
    match(bob?.reason ?? '', /lacks sales directors/i)
    const [excluded] = judgeByWords('everyone', [except('people in Berlin')], people)
    match(excluded?.reason ?? '', /rule “except people in Berlin”.*“Berlin” \(city\)/)
  })

  it('judges at least two thousand people a second', () => {
    const many = Array.from({ length: 4000 }, () => people[0] as JudgedPerson)
    const started = performance.now()
    judgeByWords('sales directors in Germany', [except('people in Munich')], many)
    equal(performance.now() - started < 2000, true)
  })
})
