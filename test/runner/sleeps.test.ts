import { deepEqual } from 'node:assert/strict'
import { sources } from '../support/sources.ts'

// A sleep is either too long, and everybody waits, or too short, and the test fails on a busy machine. `eventually` waits for what
// a test needs; what remains, such as a look at whether nothing happens, says why it takes its time.

const longestMs = 300
const fixed = /(?<!\.)\b(?:sleep|setTimeout)\((?:resolve, |[^()]*\) => [^()]*, )?([\d_]+)\b/g
const isComment = (line = '') => /^\s*(?:\/\/|\*|\/\*)|\s\/\/ /.test(line)

const unexplained = (text: string): string[] => {
  const lines = text.split('\n')
  return lines.filter((line, i) => {
    const longest = Math.max(
      ...[...line.matchAll(fixed)].map(([, ms = '']) => Number(ms.replaceAll('_', ''))),
    )
    return longest > longestMs && ![line, lines[i - 1], lines[i - 2]].some(isComment)
  })
}

describe('sleeps in tests', () => {
  it('are short, or have a reason beside them', () => {
    const found = Object.entries(sources())
      .filter(([path]) => /^test\/(?!runner\/)/.test(path))
      .flatMap(([path, text]) => unexplained(text).map((line) => `${path}: ${line.trim()}`))
    deepEqual(found, [])
  })

  for (const line of [
    'await sleep(301)',
    'await new Promise((resolve) => setTimeout(resolve, 1_500))',
  ])
    it(`are found: ${line}`, () => deepEqual(unexplained(`\n${line}`), [line]))

  for (const text of [
    'await sleep(300)',
    '// The lease is one second.\nawait sleep(1_100)',
    'sleep(ms)',
  ])
    it(`are allowed: ${text.replace('\n', ' ')}`, () => deepEqual(unexplained(text), []))
})
