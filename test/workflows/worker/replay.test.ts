import { deepEqual, match, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'
import * as workflows from '../../../workflows/index.ts'
import { bundle } from '../../support/service.ts'

// What workflows that may still be running have done: recorded by record.ts, one folder per released version. A change that
// they cannot replay needs `patched` or a new workflow type.

const folder = join(import.meta.dirname, '../histories')
const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
)
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

describe('recorded histories', function () {
  this.timeout(120_000)

  it('include every workflow', () => {
    const types = new Set(recorded.map((file) => /(\w+)-\d+\.json$/.exec(file)?.[1]))
    deepEqual(
      Object.keys(workflows).filter((type) => !types.has(type)),
      [],
    )
  })

  it('replay', async () => {
    const results = Worker.runReplayHistories(
      { workflowBundle: await bundle() },
      recorded.map((file) => ({ workflowId: file, history: historyFromJSON(read(file)) })),
    )
    const failed: string[] = []
    for await (const { workflowId, error } of results)
      if (error) failed.push(`${workflowId}: ${error.message}`)
    deepEqual(failed, [])
  })

  it('do not replay with another activity in place of one', async () => {
    const file = recorded.find(
      (name) =>
        name.includes('sendMessage-') && JSON.stringify(read(name)).includes('sendDueMessage'),
    ) as string
    const changed = JSON.parse(
      JSON.stringify(read(file)).replaceAll('"sendDueMessage"', '"anotherStep"'),
    )
    const results = Worker.runReplayHistories({ workflowBundle: await bundle() }, [
      { workflowId: file, history: historyFromJSON(changed) },
    ])
    for await (const { error } of results) {
      ok(error)
      match(error.message, /nondeterminism|Nondeterminism|does not match/i)
    }
  })
})
