import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { carryOut } from '../../../activities/worker/carry-out.ts'
import type { Command } from '../../../db/operations/outbox.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { testClient } from '../../support/temporal.ts'

describe('a command to Temporal', () => {
  const command = (more: Partial<Command>) =>
    ({
      ...{ id: '1', operation: null, attempts: 0, refusedAt: null, restart: false },
      ...{ workspace: 'wsp_a', priority: 2 },
      ...{ workflowType: null, signal: null, workflowId: `wsp_a:${randomUUID()}` },
      ...{ args: [], attributes: {}, ...more },
    }) as unknown as Command

  it('starts the workflow of a workspace, however long its id is', async () => {
    const carrier = {
      ...{ client: await testClient(), taskQueue: `test-${randomUUID()}` },
      log: createLog('test', 'silent'),
    }
    for (const workspace of ['', 'wsp_a', 'w'.repeat(65), 'ü'.repeat(100)])
      equal(
        await carryOut(
          carrier,
          command({ kind: 'start', workflowType: 'sweep', priority: 2, workspace }),
          new AbortController().signal,
        ),
        'done',
        workspace,
      )
  })

  it('leaves nothing with the signal that stops the relay, however many are carried out', async () => {
    const client = await testClient()
    const carrier = {
      ...{ client, taskQueue: `test-${randomUUID()}` },
      log: createLog('test', 'silent'),
    }
    const stopping = new AbortController()
    const carry = (more: Partial<Command>) => carryOut(carrier, command(more), stopping.signal)
    const outcomes = [
      await carry({ kind: 'signal', signal: 'changed' }),
      await carry({ kind: 'start', workflowType: 'sweep' }),
      await carry({ kind: 'start', workflowType: 'sweep', workflowId: 'x'.repeat(2_000) }),
    ]
    deepEqual(
      outcomes.map((outcome) => (outcome === 'done' ? outcome : outcome.problem)),
      ['done', 'done', 'invalid_argument'],
    )
    equal(getEventListeners(stopping.signal, 'abort').length, 0)
  })
})
