import { deepEqual } from 'node:assert/strict'
import { sources } from '../support/sources.ts'

// A file is one thing. One that is long may be several, so its comment at the top says why it is one.

const most = 300
const imports = /^(?:import [^;]*? from '[^']+'|import '[^']+')\n/gm
const says = /\bone file\b|\b300 lines\b/i

/** The comments before the first line of code that is no import, as one line. */
const topOf = (text: string): string => {
  const lines = text.replaceAll(imports, '').trimStart().split('\n')
  const end = lines.findIndex((line) => line !== '' && !/^(?:\/\/|\/\*| \*)/.test(line))
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^(?:\/\/|\/\*\*?| \*\/?) ?/, ''))
    .join(' ')
}

const isUnexplained = (text: string) =>
  text.trimEnd().split('\n').length > most && !says.test(topOf(text))

describe('a file of more than 300 lines', () => {
  it('says at its top why it is one', () => {
    const found = Object.entries(sources())
      .filter(([path, text]) => !path.startsWith('test/') && isUnexplained(text))
      .map(([path]) => path)
    deepEqual(found, [])
  })

  const long = 'const line = 1\n'.repeat(301)
  const head = "import {\n  one,\n} from './one.ts'\n\n"
  for (const [what, text, is] of [
    ['no reason', `${head}${long}`, true],
    ['a comment without a reason', `${head}// What it does.\n\n${long}`, true],
    ['a reason further down', `${head}const first = 1\n// One file, because.\n${long}`, true],
    [
      'a reason',
      `${head}// What it does. One\n// file, because its parts agree.\n\n${long}`,
      false,
    ],
    ['few lines', `${head}const line = 1\n`, false],
  ] as const)
    it(`is ${is ? 'found' : 'allowed'} with ${what}`, () => deepEqual(isUnexplained(text), is))
})
