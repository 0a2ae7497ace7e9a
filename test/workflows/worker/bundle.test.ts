import { deepEqual, equal, ok } from 'node:assert/strict'
import { withoutSources } from '../../../activities/worker/bundle.ts'
import { bundle } from '../../support/service.ts'

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
})
