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
    const made = await bundle()
    if (!('code' in made)) throw new Error('no code')
    const bundled = (split(made.code).map.sources as string[]).filter((path) =>
      path.endsWith('.ts'),
    )
    const ours = Object.entries(sources()).filter(([path]) =>
      bundled.some((one) => one.endsWith(`/${path}`)),
    )
    ok(ours.length > 25 && ours.some(([path]) => path === 'workflows/send-message.ts'))
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
})
