import { equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { ApplicationFailure } from '@temporalio/common'
import type { Context } from 'mocha'
import type { Deps } from '../../../activities/deps.ts'
import { openOnce } from '../../../activities/outgoing/breaker.ts'
import { handOver, openAccount } from '../../../activities/outgoing/handover.ts'
import { findConnection } from '../../../db/accounts/connections.ts'
import { reserveTry } from '../../../db/accounts/retries.ts'
import { messageKind } from '../../../db/conversations/message-life.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { retryNow, retryNowAll } from '../../../workflows/signals.ts'
import { countedMail } from '../../support/counted-mail.ts'
import { followed } from '../../support/followed.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('an account that does not let us log in', function () {
  this.timeout(60_000)
  let service: TestService
  let deps: Deps
  let temporal: Client
  before(async function () {
    this.timeout(120_000)
    const context = this.test?.ctx as Context
    service = await startService()
    await service.work(context, {}, { only: ['rows', 'send', 'remote'] })
    temporal = await testClient(context)
    const { db, clock, url: publicUrl } = service
    const log = createLog('test', 'silent')
    const workflowState = async () => 'closed' as const
    deps = { db, clock, log, secretKey, publicUrl, workflowState, crash: () => {} }
  })
  after(() => service.close())

  async function account(loginMs = 0) {
    const server = { refuses: true }
    const mail = await countedMail({
      loginMs,
      onLogin: () => (server.refuses ? { code: 535, text: '5.7.8 No' } : undefined),
    })
    const workspace = await service.workspace({ smtpPort: mail.port })
    const [connection] = workspace.connections
    const found = async () => {
      const row = await findConnection(service.db, connection)
      ok(row)
      return row
    }
    return { ...workspace, ...{ server, mail, connection, found } }
  }

  /** As far as an attempt of a letter comes: `true` if it might be claimed, and otherwise how long it waits. */
  async function attempt(connection: string, asked = false): Promise<true | ApplicationFailure> {
    let isOpen = false
    const parcel = {
      kind: messageKind,
      id: 'msg_none',
      account: await findConnection(service.db, connection),
      asked,
      letter: () => Promise.reject(new Error('No letter is claimed.')),
      async claim() {
        isOpen = true
        return undefined
      },
    }
    const failure = await handOver(deps, parcel).catch((error: ApplicationFailure) => error)
    return isOpen || (failure as ApplicationFailure)
  }

  /** Lets many letters wait for an account on the business clock, each until its own next attempt. */
  function waiting(connection: string, letters: number) {
    const { clock } = service
    const nextAt = Array.from({ length: letters }, () => clock.now().getTime())
    let attempts = 0
    return {
      attempts: () => attempts,
      left: () => nextAt.length,
      async pass(ms: number) {
        const end = clock.now().getTime() + ms
        for (;;) {
          const at = Math.min(...nextAt)
          if (at > end) break
          if (at > clock.now().getTime()) await clock.set(new Date(at).toISOString())
          const outcome = await attempt(connection)
          attempts++
          if (outcome === true) nextAt.splice(nextAt.indexOf(at), 1)
          else {
            const delayMs = Number(outcome.nextRetryDelay)
            ok(delayMs > 0 && delayMs <= minute, `${outcome.message} ${delayMs}`)
            nextAt[nextAt.indexOf(at)] = clock.now().getTime() + delayMs
          }
        }
        await clock.set(new Date(end).toISOString())
      },
    }
  }

  it('is asked four times an hour, however many letters wait; and they go once a check finds it well', async () => {
    const { connection, mail, server, call, found } = await account()
    const letters = waiting(connection, 100)
    await letters.pass(hour)
    ok(mail.count.refused >= 3 && mail.count.refused <= 5, `${mail.count.refused} logins`)
    ok(letters.attempts() > 6_000, `${letters.attempts()} attempts`)
    const { problem, retry } = await found()
    equal(problem, 'smtp_login_refused')
    equal(retry?.longestMs, hour)

    server.refuses = false
    equal((await call('POST', '/senders/health/check', {})).status, 200)
    await letters.pass(minute)
    equal(letters.left(), 0)
    const { retryAt, problem: after } = await found()
    equal(retryAt, null)
    equal(after, null)
  })

  it('is asked by the first letters alone, however many come at once', async () => {
    const { connection, mail } = await account()
    await Promise.all(Array.from({ length: 60 }, () => attempt(connection)))
    ok(mail.count.refused <= 2, `${mail.count.refused} logins`)
  })

  it('is asked by the first letters alone also where its server takes its time to refuse', async () => {
    const { connection, mail } = await account(1_500)
    await Promise.all(Array.from({ length: 30 }, () => attempt(connection)))
    equal(mail.count.refused, 2)
  })

  it('is not tried more rarely than once a minute if its server only cannot be reached', async () => {
    const { connection, mail, found } = await account()
    await mail.stop()
    const letters = waiting(connection, 3)
    await letters.pass(20 * minute)
    equal((await found()).retry?.ms, minute)
    await mail.restart()
    const { retry } = await found()
    match(retry?.why ?? '', /^smtp_unreachable, ECONNREFUSED at 127\.0\.0\.1:\d+$/)
    await letters.pass(minute)
    ok(mail.count.refused >= 1)
  })

  it('says since when, and when it is tried next', async () => {
    const { connection, found } = await account()
    const first = await attempt(connection)
    const second = await attempt(connection)
    const { problemSince, retryAt } = await found()
    for (const failure of [first, second] as ApplicationFailure[]) {
      equal(failure.type, 'smtp_login_refused')
      ok(
        failure.message.includes(
          `since ${problemSince?.toISOString()}. It is tried at most an hour`,
        ),
      )
      ok(failure.message.endsWith(`The next try is at ${retryAt?.toISOString()}.`), failure.message)
    }
  })

  it('is tried by one of several processes, and by another one if that one dies', async () => {
    const { connection, mail, found } = await account()
    const { clock } = service
    const pass = (ms: number) => clock.set(new Date(clock.now().getTime() + ms).toISOString())
    await attempt(connection)
    await pass(minute)
    const row = await found()
    // Past the limits that each process sets itself.
    const tries = Array.from({ length: 8 }, () =>
      rejects(openOnce(deps, row, () => openAccount(deps, row))),
    )
    await Promise.all(tries)
    equal(mail.count.refused, 2)

    await pass(hour)
    const { id, retryAt } = await found()
    ok(
      await reserveTry(
        deps.db,
        { id, server: 'smtp', retryAt },
        new Date(clock.now().getTime() + minute),
      ),
    )
    const beside = (await attempt(connection)) as ApplicationFailure
    ok(beside.message.endsWith('It is being tried now.'), beside.message)
    equal(mail.count.refused, 2)
    await pass(2 * minute)
    await attempt(connection)
    equal(mail.count.refused, 3)
  })

  it('is tried at once when a person asks for it, and not once for each letter', async () => {
    const { connection, mail } = await account()
    for (let i = 0; i < 3; i++) await attempt(connection)
    equal(mail.count.refused, 1)
    for (let i = 0; i < 20; i++) await attempt(connection, true)
    equal(mail.count.refused, 2)
    await service.clock.set(new Date(service.clock.now().getTime() + 6 * second).toISOString())
    await attempt(connection, true)
    equal(mail.count.refused, 3)
  })

  it('gets its letters within seconds once it does and the operator says so', async () => {
    const workspace = await account()
    const { id, call, server, mail } = workspace
    const accept = async () => {
      const { conversation } = await givenClient(service.db, workspace, service.clock.now())
      const key = randomUUID()
      await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' }, { key })
      return { workflow: temporal.workflow.getHandle(`${id}:${key}`), ...followed(call, key) }
    }
    const letters = await Promise.all(Array.from({ length: 6 }, accept))
    for (const { waitsFor } of letters) await waitsFor('connection')
    // By now the next try is some time away.
    await sleep(2 * second)
    ok(mail.count.refused <= 2, `${mail.count.refused} logins`)
    server.refuses = false
    const began = Date.now()
    const [first, ...others] = letters
    await first?.workflow.executeUpdate(retryNow)
    equal((await first?.ended())?.state, 'done')
    for (const { workflow } of others) await workflow.signal(retryNowAll)
    for (const { ended } of others) equal((await ended()).state, 'done')
    ok(Date.now() - began < 12 * second, `${Date.now() - began} ms`)
    equal(mail.letters.length, 6)
  })
})
