import { deepEqual, equal, match, ok } from 'node:assert/strict'
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
const base64 = (text: string) => Buffer.from(text).toString('base64')
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

  it('replay where an activity of 0.4.0 told its trouble before the workflow showed any', async () => {
    const file = '0.4.0/runCampaign-1.json'
    const { events } = read(file) as { events: { eventId: string; eventType: string }[] }
    const payload = (value: unknown, type = {}) => ({
      metadata: { encoding: base64('json/plain'), ...type },
      data: base64(JSON.stringify(value)),
    })
    const trouble = { code: 'busy', text: 'Others are at work.', searchable: true }
    const isCommand = ({ eventType }: { eventType: string }) =>
      /ACTIVITY_TASK_SCHEDULED|MARKER_RECORDED/.test(eventType)
    const told = events.findIndex(({ eventType }) => eventType.endsWith('_SIGNALED'))
    const claimed = events.findIndex(
      ({ eventType }) => eventType.endsWith('_TASK_COMPLETED') && eventType.includes('ACTIVITY'),
    )
    const answered = events.findIndex(
      ({ eventType }, i) => i > claimed && eventType.endsWith('WORKFLOW_TASK_COMPLETED'),
    )
    const next = events.findIndex((event, i) => i > answered && !isCommand(event))
    ok(told < claimed && claimed < answered && answered + 1 < next)
    const events040 = [
      ...events.slice(0, answered + 1).map((event, i) =>
        i === told
          ? {
              ...event,
              workflowExecutionSignaledEventAttributes: {
                signalName: 'troubled',
                input: { payloads: [payload(trouble)] },
              },
            }
          : event,
      ),
      {
        eventId: `${answered + 2}`,
        eventType: 'EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
        upsertWorkflowSearchAttributesEventAttributes: {
          workflowTaskCompletedEventId: `${answered + 1}`,
          searchAttributes: {
            indexedFields: { WaitingFor: payload('busy', { type: base64('Keyword') }) },
          },
        },
      },
      ...events
        .slice(answered + 1, next)
        .map((event) => ({ ...event, eventId: `${Number(event.eventId) + 1}` })),
    ]
    const results = Worker.runReplayHistories({ workflowBundle: await bundle() }, [
      { workflowId: file, history: historyFromJSON({ events: events040 }) },
    ])
    for await (const { error } of results) equal(error?.message, undefined)
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
