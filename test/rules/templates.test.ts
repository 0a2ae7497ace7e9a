import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { issuesOf } from '../../rules/templates/check.ts'
import { makeLetter } from '../../rules/templates/letters.ts'
import type { Values } from '../../rules/templates/variables.ts'
import { variantFor } from '../../rules/templates/variants.ts'
import { randomFrom } from '../faults/random.ts'
import { heavyTemplates } from '../support/heavy-templates.ts'

type Person = NonNullable<Values['person']>

const ada: Person = {
  name: 'Lovelace, Ada',
  email: 'ada@client.example',
  company: 'Engines',
  city: '',
  jobTitle: '  ',
  fields: { plan: 'Gold', 'Job level': 'Head', seats: 0, active: false, note: '{{ old_merge }}' },
}
const valuesWith = (person: Partial<Person> = {}): Values => ({
  person: { ...ada, ...person },
  agent: { name: 'Eva' },
  member: { name: 'Ana Ruiz', jobTitle: 'Sales', signature: 'Ana\nUs & Co' },
  company: { name: 'Us', pitch: 'We keep calm.' },
  product: null,
  goal: 'Book a demo',
  moment: { now: new Date('2027-03-04T23:30:00Z'), zone: 'Europe/Berlin' },
})

function letter(text: string, html: string | null = null, person: Partial<Person> = {}) {
  const template = { subject: 'Hello', text, html }
  const made = makeLetter({ template, values: valuesWith(person) })
  if (made.kind === 'failed') throw new Error(made.trouble.message)
  return made
}
const missing = (text: string) => letter(text).missing
const issues = (text: string, html: string | null = null) =>
  issuesOf({ subject: 'Hello', text, html })

describe('a template', () => {
  it('takes what the letter is about', () => {
    const { text } = letter(
      '{{ person.name }}|{{ person.firstName }}|{{ person.lastName }}|{{ person.email }}|{{ person.company }}|' +
        '{{ person.fields.plan }}|{{ person.fields["Job level"] }}|{{ person.fields.seats }}|{{ person.fields.active }}|' +
        '{{ agent.name }}|{{ member.name }}|{{ member.jobTitle }}|{{ company.name }}|{{ company.pitch }}|{{ campaign.goal }}',
    )
    equal(
      text,
      'Ada Lovelace|Ada|Lovelace|ada@client.example|Engines|Gold|Head|0|false|' +
        'Eva|Ana Ruiz|Sales|Us|We keep calm.|Book a demo',
    )
  })

  it('has dates of the moment of the letter, in its zone, wherever and whenever the machine is', () => {
    const said = (text: string, fields = {}) => letter(text, null, { fields }).text
    const { text, html } = letter('{{ "now" | date: "%Y-%m-%d %H:%M" }}', '{{ "today" | date }}')
    equal(text, '2027-03-05 00:30')
    match(html ?? '', /^Friday, March 5, 2027 at 12:30 am/)
    equal(said('{% assign t = "now" | date: "%s" %}{{ t }}'), '1804203000')
    equal(said('{{ "now" | date_to_xmlschema }}'), '2027-03-05T00:30:00+01:00')
    equal(said('{{ "now" | date_to_rfc822 }}'), 'Fri, 05 Mar 2027 00:30:00 +0100')
    equal(said('{{ "now" | date_to_string }}'), '05 Mar 2027')
    equal(said('{{ "now" | date_to_long_string }}'), '05 March 2027')
    equal(said('{{ "now" | date: "%H:%M", "Asia/Tokyo" }}'), '08:30')
    // A day or a time without a zone is one of the workspace, an instant is shown in its zone.
    for (const [renewal, shown] of [
      ['2027-07-01', '2027-07-01 00:00'],
      ['2027-07-01 09:15', '2027-07-01 09:15'],
      ['2027-07-01T09:15:30.5', '2027-07-01 09:15'],
      ['July 1, 2027', '2027-07-01 00:00'],
      ['07-01-2027', '2027-07-01 00:00'],
      ['2027-07-01T23:15:00Z', '2027-07-02 01:15'],
      ['2027-07-01T23:15:00-05:00', '2027-07-02 06:15'],
      ['Thu, 01 Jul 2027 23:15:00 GMT', '2027-07-02 01:15'],
      [1814483700, '2027-07-02 01:15'],
      ['soon', 'soon'],
    ])
      equal(said('{{ person.fields.renewal | date: "%Y-%m-%d %H:%M" }}', { renewal }), shown)
  })

  it('names each variable that is printed without a value', () => {
    deepEqual(missing('{{ person.city }} {{ person.jobTitle }} {{ product.name }}'), [
      'person.city',
      'person.jobTitle',
      'product.name',
    ])
    for (const text of [
      '{{ person.city | upcase }}',
      '{{ "In " | append: person.city }}',
      '{{ person.city | append: "!" | default: "there" }}',
      '{% assign where = person.city %}{{ where }}',
      '{% assign where = person.city | append: "!" %}{{ where | default: "x" }}',
      '{% capture where %}{{ person.city }}{% endcapture %}{{ where }}',
      '{% echo person.city %}',
      '{% if person.company %}{{ person.city }}{% endif %}',
    ])
      deepEqual(missing(text), ['person.city'], text)
    deepEqual(missing('{{ person.city | default: person.jobTitle }}'), [
      'person.city',
      'person.jobTitle',
    ])
    // What another merge has left is no value, and filters may leave nothing of one.
    deepEqual(missing('{{ person.fields.note }}'), ['person.fields.note'])
    deepEqual(missing('{{ person.fields.plan | remove: "Gold" }}'), ['person.fields.plan'])
  })

  it('may test a variable, give it a value, or leave it out', () => {
    for (const [template, text] of [
      ['{{ person.city | default: "your city" }}', 'your city'],
      ['{{ person.city | upcase | default: "your city" }}', 'your city'],
      ['{{ person.city | default: person.company }}', 'Engines'],
      ['{% if person.city %}in {{ person.city }}{% else %}at home{% endif %}', 'at home'],
      ['{% unless person.jobTitle %}no job{% endunless %}', 'no job'],
      ['{% if person.city == blank %}nowhere{% endif %}', 'nowhere'],
      ['{% assign where = person.city | default: "here" %}{{ where }}', 'here'],
    ] as const) {
      const made = letter(template)
      deepEqual([made.text, made.missing], [text, []], template)
    }
  })

  it('leaves no gap where it printed nothing, and keeps its own blanks', () => {
    equal(
      letter('Hello {{ person.city | default: "" }}, we {% if person.city %}x{% endif %} wrote')
        .text,
      'Hello, we wrote',
    )
    equal(
      letter('Price:   10\n\n\n\nEnd {{ person.company }}').text,
      'Price:   10\n\n\n\nEnd Engines',
    )
    equal(letter('One\n\n{% if person.city %}x{% endif %}\n\nTwo').text, 'One\n\nTwo')
  })

  it('prints values into HTML as text, once', () => {
    const fields = { plan: '<b>"x" & y</b>' }
    const { html, text } = letter(
      '{{ person.fields.plan }}',
      '<i>{{ person.fields.plan }}</i>{{ person.fields.plan | escape }}{{ member.signature | newline_to_br }}' +
        '{% capture c %}<u>{{ person.fields.plan }}</u>{% endcapture %}{{ c }}{% echo person.fields.plan %}',
      { fields },
    )
    const escaped = '&lt;b&gt;&#34;x&#34; &amp; y&lt;/b&gt;'
    equal(text, '<b>"x" & y</b>')
    equal(html, `<i>${escaped}</i>${escaped}Ana<br />\nUs &amp; Co<u>${escaped}</u>${escaped}`)
  })

  it('has a subject of one line', () => {
    const made = makeLetter({
      template: { subject: 'To {{ person.name }}\r\nBcc: x@y.z', text: 'x', html: null },
      values: valuesWith({ name: 'Ada\nLovelace' }),
    })
    equal(made.kind === 'made' && made.subject, 'To Ada Lovelace Bcc: x@y.z')
  })
})

/** The first issue of a text, which is found within a second and a half of processor time. */
function soon(text: string) {
  const before = process.cpuUsage()
  const [first] = issues(text)
  const { user, system } = process.cpuUsage(before)
  ok(user + system < 1_500_000, `${text.slice(0, 50)} took ${user + system} µs`)
  return first
}

describe('a template is refused', () => {
  it('with the line of what is wrong', () => {
    for (const [text, code, said] of [
      ['a\n{{ person.nope }}', 'unknown_variable', /^line 2: person\.nope is no variable/],
      ['a\n\n{{ foo }}', 'unknown_variable', /^line 3: foo /],
      ['{{ person }}', 'unknown_variable', /^line 1: person /],
      ['{{ person.name.nope }}', 'unknown_variable', /^line 1/],
      ['\n{% if person.name == x %}{% endif %}', 'unknown_variable', /^line 2: x /],
      ['{% assign person = "x" %}', 'unknown_variable', /^line 1: person .*cannot be assigned/],
      ['a\n{{ person.name', 'template_syntax', /^line 2: /],
      ['{% if person.name %}', 'template_syntax', /^line 1: .*not closed/],
      ['\n{{ person.name | nope }}', 'template_syntax', /^line 2: undefined filter: nope/],
      ['{{ "{{" }}', 'template_syntax', /signs of a template/],
      ...['include "x"', 'render "x"', 'layout "x"', 'raw', 'tablerow a in b'].map(
        (tag) => [`{% ${tag} %}`, 'template_syntax', /^line 1: tag .* not found/] as const,
      ),
      ['{{ person.name | raw }}', 'template_syntax', /undefined filter/],
    ] as const) {
      const [first] = issues(text)
      equal(first?.code, code, text)
      match(first?.message ?? '', said)
      equal(first?.member, 'text')
    }
    deepEqual(
      issues('{% for tag in person.fields %}{{ tag[0] }} {{ forloop.index }}{% endfor %}'),
      [],
    )
  })

  it('if its HTML has what would run', () => {
    const codes = issues(
      'x',
      '<p onclick="x"><script>1</script><form></form><a href="java&#10;script:x">',
    ).map(({ code }) => code)
    deepEqual(codes.sort(), ['event_handler', 'form', 'javascript', 'script'])
  })

  it('if it would take too long or make too much, and says so soon', () => {
    for (const text of [
      '{% for i in (1..1000000000) %}x{% endfor %}',
      '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}',
      '{% for i in (1..60000) %}xx{% endfor %}',
      `{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
      '{{ "now" | date: "%1000000000d" }}',
      '{% if true %}'.repeat(5000) + '{% endif %}'.repeat(5000),
    ])
      equal(soon(text)?.code, 'template_too_much', text.slice(0, 50))
  })

  for (const [what, text, code] of heavyTemplates)
    it(`or costs little: ${what}`, function () {
      this.timeout(20_000)
      const first = soon(text)
      if (code) equal(first?.code, code, first?.message)
    })
})

describe('1,000 people and 3 templates', () => {
  const { integer } = randomFrom(14)
  const some = (value: string) => [value, value, '', '   ', undefined][integer(0, 4)]
  const people = Array.from({ length: 1000 }, (_, i): Person => {
    const of = (value: string) => some(value) ?? ''
    const fields = Object.fromEntries(
      ['plan', 'Job level', 'city-2', 'renewal'].flatMap((name) => {
        const value = some(`${name} of ${i}`)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    return {
      ...{ name: of(`Ada Number${i}`), email: `p${i}@client.example`, company: of('Engines  Ltd') },
      ...{ city: of('Rome'), jobTitle: of('Head'), fields },
    }
  })
  const templates = [
    'Hello {{ person.firstName }}, how is {{ person.city }} with {{ person.fields.plan }} ?',
    'Hello {{ person.firstName | default: "there" }}, {% if person.city %}in {{ person.city }}{% endif %} you {% if person.jobTitle %}as {{ person.jobTitle }} {% endif %}have {{ person.fields["Job level"] | default: person.fields.plan }} .',
    '{% assign plan = person.fields.renewal | default: "" %}Plan {{ plan }} for {{ person.company | default: "" }} and {{ person.fields["city-2"] | upcase | default: person.city | default: "you" }} ends {{ person.lastName }}',
  ]

  it('make no letter with a gap: it has all its values or names those that are missing', () => {
    const counts = { whole: 0, waiting: 0 }
    for (const template of templates)
      for (const person of people) {
        const made = makeLetter({
          template: {
            subject: `{{ person.company | default: "You" }}`,
            text: template,
            html: `<p>${template}</p>`,
          },
          values: valuesWith(person),
        })
        ok(made.kind === 'made')
        if (made.missing.length > 0) {
          counts.waiting++
          for (const name of made.missing) match(name, /^person\.[\w. -]+$/)
          continue
        }
        counts.whole++
        for (const text of [made.subject, made.text, made.html ?? ''])
          doesNotMatch(text, /\{\{|undefined|null| {2}/, JSON.stringify([template, person]))
      }
    ok(counts.whole > 500 && counts.waiting > 500, JSON.stringify(counts))
  })

  it('name just what the card lacks', () => {
    for (const person of people) {
      const has = (value: unknown) => typeof value === 'string' && value.trim() !== ''
      const lacking = [
        ...(has(person.name) ? [] : ['person.firstName']),
        ...(has(person.city) ? [] : ['person.city']),
        ...(has(person.fields['plan']) ? [] : ['person.fields.plan']),
      ]
      deepEqual(letter(templates[0] as string, null, person).missing, lacking)
    }
  })

  it('get one variant each, by weight, whatever becomes of weights later', () => {
    const given = [
      { variant: 'a', weight: 75 },
      { variant: 'b', weight: 25 },
    ]
    const of = (person: number, kept: string | null = null, from = given) =>
      variantFor(from, { campaign: 'cmp_1', person: `per_${person}`, kept })?.variant as string
    const chosen = people.map((_, i) => of(i))
    deepEqual(
      people.map((_, i) => of(i)),
      chosen,
    )
    deepEqual(
      people.map((_, i) => of(i, null, given.toReversed())),
      chosen,
    )
    const b = chosen.filter((variant) => variant === 'b').length
    ok(b > 200 && b < 300, String(b))
    const turned = given.map(({ variant, weight }) => ({ variant, weight: 100 - weight }))
    deepEqual(
      people.map((_, i) => of(i, chosen[i], turned)),
      chosen,
    )
    const [, onlyB] = given
    ok(people.every((_, i) => of(i, chosen[i], [onlyB as (typeof given)[0]]) === 'b'))
  })
})
