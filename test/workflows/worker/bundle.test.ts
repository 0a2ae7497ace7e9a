import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { withoutSources } from '../../../activities/worker/bundle.ts'
import { bundle } from '../../support/service.ts'
import { sources } from '../../support/sources.ts'

const mark = 'sourceMappingURL=data:application/json;charset=utf-8;base64,'

function split(code: string) {
  const at = code.lastIndexOf(mark)
  ok(at > 0, 'the bundle ends with its source map')
  return {
    body: code.slice(0, at),
    map: JSON.parse(Buffer.from(code.slice(at + mark.length), 'base64').toString()),
  }
}

describe('the bundle of a worker', () => {
  it('leaves out the text of the sources, and nothing that errors name', async () => {
    const made = await bundle()
    if (!('code' in made)) throw new Error('no code')
    const [full, small] = [split(made.code), split(withoutSources(made.code))]
    ok(full.map.sourcesContent.length > 0)
    equal(small.body, full.body)
    const { sourcesContent: _, ...rest } = full.map
    deepEqual(small.map, rest)
  })

  it('holds only modules that keep nothing, because all workflows of a thread share them', async () => {
    const { made, ours } = await oursIn()
    const keeps =
      /^(?:export )?(?:let|var)\b.*|^(?:export )?const \w+(?:: (?!Readonly)[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)\b.*|\[\]|\{\})/gm
    for (const line of ['let count = 0', 'const seen: Map<string, string> = new Map()'])
      ok(line.match(keeps), line)
    deepEqual(
      ours.flatMap(([path, text]) => (text.match(keeps) ?? []).map((line) => `${path}: ${line}`)),
      [],
    )
    match(made.code, /preloadModules\(\) \{\s+__webpack_require__/)
  })

  it('has no loop that never waits, because nothing would end it (activities/worker/start.ts)', async () => {
    for (const [text, endless] of [
      ['for (;;) {\n  x()\n}', 1],
      ['while (true) x()', 1],
      ['do { x() } while (y)', 1],
      ['for (;;) {\n  await x()\n}', 0],
      ['while ((await x()) > 0) y()', 0],
      ['for (const x of y) z()', 0],
      ['for (;;) await condition(() => true)', 1],
    ] as const)
      equal(neverWaiting(text).length, endless, text)
    const { ours } = await oursIn()
    deepEqual(
      ours.flatMap(([path, text]) => neverWaiting(text).map((loop) => `${path}: ${loop}`)),
      [],
    )
  })
})

/** The bundle, and the paths and texts of those of our files that are in it. */
async function oursIn() {
  const made = await bundle()
  if (!('code' in made)) throw new Error('no code')
  const bundled = (split(made.code).map.sources as string[]).filter((path) => path.endsWith('.ts'))
  const ours = Object.entries(sources()).filter(([path]) =>
    bundled.some((one) => one.endsWith(`/${path}`)),
  )
  ok(ours.length > 25 && ours.some(([path]) => path === 'workflows/send-message.ts'))
  return { made, ours }
}

/** The loops in a text that may go on for ever and do not wait in between; those over the members of a list end. */
function neverWaiting(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
  const begins =
    /^([ \t]*)(?:.*[^\w.$])?(?:while \(|do \{|for \((?!(?:const|let) [^;]*? (?:of|in) ))/gm
  return (
    [...code.matchAll(begins)]
      .map(({ 0: line, 1: indent = '', index }) => {
        // The sources are formatted, so a loop ends before the next line that is not indented further.
        const rest = code.slice(index + line.length)
        const end = rest.search(new RegExp(`\\n${indent}(?![ \\t])`))
        return line + rest.slice(0, end < 0 ? undefined : end)
      })
      // A condition may hold already, and then nothing waits.
      .filter((loop) => !/\bawait (?!condition\()/.test(loop))
  )
}
