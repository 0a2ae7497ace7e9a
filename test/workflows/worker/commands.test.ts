import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ChangeContext } from '../../../api/route.ts'
import type { Trx } from '../../../db/database.ts'
import { enqueueSignal, enqueueStart } from '../../../db/operations/outbox.ts'
import { summaries } from '../../../workflows/catalogue.ts'
import * as workflows from '../../../workflows/index.ts'

// The compiler is the test: if a line below an `@ts-expect-error` compiled, `npm run check` would fail.

const ids = { operation: 'wsp_1:key', message: 'msg_1' }
const to = { workflowId: 'wsp_1:key', attributes: {} }

const ofHandlers = ({ start, signal }: ChangeContext) => [
  start('sendMessage', [ids]),
  // @ts-expect-error: there is no workflow of this name
  start('sendMesage', [ids]),
  // @ts-expect-error: the input is called `message`
  start('sendMessage', [{ operation: ids.operation, massage: ids.message }]),
  // @ts-expect-error: the input lacks a member
  start('sendMessage', [{ operation: ids.operation }]),
  // @ts-expect-error: a message needs an input
  start('sendMessage', []),
  signal(ids.operation, 'changed'),
  // @ts-expect-error: no workflow listens to this signal
  signal(ids.operation, 'change'),
  // @ts-expect-error: `changed` carries nothing
  signal(ids.operation, 'changed', ids.message),
]

const ofQueries = (trx: Trx) => [
  enqueueStart(trx, { ...to, type: 'sweep', args: [] }),
  // @ts-expect-error: there is no workflow of this name
  enqueueStart(trx, { ...to, type: 'sweeps', args: [] }),
  // @ts-expect-error: this is the input of another workflow
  enqueueStart(trx, { ...to, type: 'syncMailbox', args: [ids] }),
  // @ts-expect-error: nobody listens to this signal
  enqueueStart(trx, { ...to, type: 'sweep', args: [], orSignal: 'change' }),
  enqueueSignal(trx, to.workflowId, 'troubled', [null]),
  // @ts-expect-error: `troubled` says what the trouble is
  enqueueSignal(trx, to.workflowId, 'troubled'),
]

describe('what handlers and queries put into the outbox', () => {
  it('compiles only with the names and inputs of the workflows', () => {
    equal(typeof ofHandlers, typeof ofQueries)
  })

  it('has a summary for each workflow', () => {
    equal(Object.keys(summaries).sort().join(), Object.keys(workflows).sort().join())
  })
})
