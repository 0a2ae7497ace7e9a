// Templates that take long, or would, if nothing stopped them: each by what it does, and how it is refused.

const tooMuch = 'template_too_much'
const chain = (value: string, filter: string, times: number) =>
  `{{ "${value}"${` | ${filter}`.repeat(times)} | size }}`
const lines = (of: string, times: number) => `{% liquid\n${`${of}\n`.repeat(times)}%}`
const nested = 'assign a = "x" | split: ","\n'
/** Each list holds the one before it twice. */
const doubled = `${nested}${'assign a = a | push: a\n'.repeat(60)}`

export const heavyTemplates: [what: string, text: string, code: string | undefined][] = [
  ['20,000 signs through 250 filters', chain('%'.repeat(20_000), 'url_encode', 250), tooMuch],
  ['a text that grows in 20 filters', chain('%'.repeat(20_000), 'url_encode', 20), tooMuch],
  ...['cgi_escape', 'uri_escape', 'slugify', 'url_decode'].map(
    (filter): [string, string, string] => [
      `3,000 times ${filter}`,
      chain('%'.repeat(20_000), filter, 3_000),
      tooMuch,
    ],
  ),
  [
    'filters in a condition',
    `{% if "${'%'.repeat(20_000)}"${' | url_encode'.repeat(250)} %}x{% endif %}`,
    tooMuch,
  ],
  ['a date of 15,000 zones', chain('utc('.repeat(15_000), 'date: "%Y"', 2), undefined],
  ['a date of brackets', chain('('.repeat(60_000), 'date: "%Y"', 2), undefined],
  ['a date of digits', chain('1'.repeat(60_000), 'date: "%Y"', 2), undefined],
  ['a tag of 5,000 lines', lines('assign a = 1', 5_000), tooMuch],
  ['a tag of 5,000 branches', lines('if a\nelsif a\nendif', 1_700), tooMuch],
  [
    'a tag of two loops and 4,600 lines',
    `{% liquid\nfor i in (1..9999)\nfor j in (1..9999)\n${'assign a = 1\n'.repeat(4_600)}endfor\nendfor\n%}`,
    tooMuch,
  ],
  ['lists within lists', `{% liquid\n${doubled}%}{{ a }}`, tooMuch],
  ['lists within lists, joined', `{% liquid\n${doubled}%}{{ a | join }}`, tooMuch],
  ['lists within lists, as a text', `{% liquid\n${doubled}%}{{ a | upcase }}`, tooMuch],
  [
    'a list of long texts',
    `{% assign s = "${'x'.repeat(30_000)}" %}{% assign a = s | split: "," %}{% for i in (1..3000) %}{% assign a = a | push: s %}{% endfor %}`,
    tooMuch,
  ],
  [
    'a search in a long list',
    '{% for i in (1..9999) %}{% assign b = (1..9999) | has: "a" %}{% endfor %}',
    tooMuch,
  ],
  ['a loop over a billion', '{% for i in (1..1000000000) %}x{% endfor %}', tooMuch],
  ['12,000 variables in one output', `{{ ${'a or '.repeat(12_000)}a }}`, 'unknown_variable'],
  ['paths within paths', `{{ ${'a['.repeat(20_000)}1${']'.repeat(20_000)} }}`, undefined],
  ['a long way through conditions', '{% if true %}'.repeat(5_000), tooMuch],
]
