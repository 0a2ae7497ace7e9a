import { deepEqual, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { growsFaster } from './growth.ts'
import { type Literal, literalsIn } from './literals.ts'

// Code that reads the words of strangers takes time in proportion to its input. Each regular expression of these files is fed its own
// words, and what is bad for many, over and over. The longer the input, the smaller the part of it that has to repeat before the time
// shows it: linear-long.test.ts feeds ten to twenty times as much.

const foreign = [
  'activities/inbox',
  'activities/archive',
  'activities/calendar',
  'activities/ports/calendar',
  'activities/ports/finder',
  'activities/ports/mail/imap.ts',
  'activities/ports/bridge/bridge.ts',
  'rules/address-cleaning.ts',
  'rules/addresses.ts',
  'rules/people-file',
  'rules/answers',
  'rules/calendar',
  'rules/mail',
  'db/conversations/routing.ts',
]

/** Expressions that see so many characters at most: what is longer was refused or cut before, or an operator wrote it. */
const bounded: { file: string; source: string; characters: number; by: string }[] = [
  {
    file: 'activities/ports/bridge/bridge.ts',
    source: '\\/+$',
    characters: 1_000,
    by: "{ url: url.replace(/\\/+$/, ''), secret }",
  },
  {
    file: 'rules/mail/charsets/labels.ts',
    source: '^["\'=]+|',
    characters: 60,
    by: 'label.length > 60',
  },
  {
    file: 'rules/mail/charsets/labels.ts',
    source: '^(?:x-ms-|',
    characters: 60,
    by: 'label.length > 60',
  },
  {
    file: 'rules/mail/display-names.ts',
    source: '\\.+$',
    characters: 300,
    by: '.slice(0, longestName)',
  },
  {
    file: 'rules/mail/display-names.ts',
    source: '\\s*\\(?(?:via',
    characters: 300,
    by: 'const name = given.slice(0, longestName)',
  },
]

/** What is bad for many when it repeats. */
export const units = [
  ...[' ', '\n', '\r\n', '\t', ' \n', '> ', '>', '<', '</', '<a ', '&', '"', "'"],
  ...['(', ')', '[', '{', 'a', 'a ', ' a', '0', '0 ', '1.', 'a@', '@', 'a.', '.', '-', '--'],
  ...['_', ',', ';', ':', '=', '/', '\\', 'é', '\u0001', 'a\n', 'x@x.', '<a@b>'],
]

/** Words an expression itself names: its way into its own loops. */
const wordsIn = (source: string) => [
  ...new Set(
    source
      .replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?/g, ' ')
      .split(/[^a-zA-Z0-9:@<>;"=.-]+/)
      .filter((word) => word.length > 0 && word.length < 30)
      .slice(0, 8),
  ),
]

function attack({ source, flags }: Literal, sizes: number[], ends: string[]): string | undefined {
  const words = wordsIn(source)
  for (const start of ['', ...words])
    for (const unit of [...units, ...words, ...words.map((word) => `${word} `)])
      for (const end of ends) {
        const pattern = new RegExp(source, flags)
        const inputOf = (size: number) => start + unit.repeat(size / unit.length) + end
        const slow = growsFaster(sizes, inputOf, (input) =>
          flags.includes('g') ? input.replace(pattern, '') : pattern.test(input),
        )
        if (slow) return `${JSON.stringify([start, unit, end])}: ${slow}`
      }
  return undefined
}

/** Feeds expressions so many characters, each size ten times the last, and at their end one of `ends`. */
export function feedExpressions(expressions: number[], ends: string[]) {
  const literals = literalsIn(foreign)

  it('is reported when its time grows faster than its input', () => {
    const quadratic = { file: '', source: '^[>\\s]*message-id:', flags: 'gim' }
    ok(attack(quadratic, [2_000, 20_000], ends))
    ok(literals.length > 60, `${literals.length} expressions are known`)
  })

  it('is listed where its input is bounded', () => {
    for (const { file, source, by } of bounded) {
      ok(readFileSync(file, 'utf8').includes(by), `${file}: ${by}`)
      ok(
        literals.some((one) => one.file === file && one.source.startsWith(source)),
        source,
      )
    }
  })

  for (const file of new Set(literals.map(({ file }) => file)))
    it(`takes time in proportion to its input in ${file}`, () => {
      const slow = literals
        .filter((literal) => literal.file === file)
        .flatMap((literal) => {
          const bound = bounded.find(
            (one) => one.file === file && literal.source.startsWith(one.source),
          )
          const sizes = expressions.filter((n) => n <= (bound?.characters ?? n))
          const said = attack(literal, sizes, ends)
          return said ? [`/${literal.source}/ ${said}`] : []
        })
      deepEqual(slow, [])
    })
}
