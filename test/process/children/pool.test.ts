import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMailAside } from '../../../activities/inbox/read-mail-aside.ts'
import { frameOf } from '../../../process/children/frames.ts'
import {
  AsideTrouble,
  onChildEnded,
  openPool,
  type PoolOptions,
} from '../../../process/children/pool.ts'
import { readMail } from '../../../rules/mail/read.ts'
import { largeMail, oddMails } from '../../support/odd-mails.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

describe('a pool of children', function () {
  this.timeout(120_000)

  const poolOf = (options: Partial<PoolOptions> = {}) =>
    openPool({
      name: 'test',
      module: path('../../support/aside-child.ts'),
      size: 2,
      mostWaiting: 100,
      heapMb: 64,
      limits: { cpuMs: 1_000, rssMb: 400 },
      ...options,
    })
  const job = (kind: string, input: unknown = null, key = 'a') => ({ key, kind, input })

  it('answers the result for the bytes, from the same child as before', async () => {
    const pool = poolOf()
    const bytes = Buffer.alloc(30_000_000, 7)
    const said = { at: new Date(0), of: [1, null, 'ä'] }
    const one = await pool.run<{ said: object; bytes: Buffer; pid: number }>({
      ...job('echo', said),
      bytes,
    })
    const other = await pool.run<{ pid: number }>(job('echo'))
    ok(one.broke === null && other.broke === null)
    deepEqual(one.value.said, said)
    ok(one.value.bytes.equals(bytes))
    equal(other.value.pid, one.value.pid)
  })

  const ends: [string, string, number][] = [
    ['spin', 'time', 1],
    ['hold', 'memory', 2],
    ['heap', 'memory', 2],
    ['die', 'crash', 2],
  ]
  for (const [kind, reason, children] of ends)
    it(`ends a child that would ${kind}, and continues with another`, async () => {
      // On a busy machine, a child needs more than a second to fill its memory.
      const cpuMs = reason === 'time' ? 1_000 : 10_000
      const pool = poolOf({ limits: { cpuMs, rssMb: 400 } })
      const ended: string[] = []
      const stop = onChildEnded((name, why) => ended.push(`${name} ${why}`))
      deepEqual(await pool.run(job(kind)), { broke: reason })
      stop()
      deepEqual(ended, Array(children).fill(`test ${reason}`))
      equal((await pool.run(job('echo'))).broke, null)
    })

  it('says which part of a job took too long', async () => {
    const pool = poolOf()
    deepEqual(await pool.run(job('parts', 6)), { broke: 'time', part: 5 })
    deepEqual(await pool.run(job('spin')), { broke: 'time' })
  })

  it('has one key wait with so many jobs alone, and takes those of others', async () => {
    const pool = poolOf({ size: 1, mostWaitingOfKey: 1 })
    const [one, other] = [pool.run(job('rest', 300)), pool.run(job('echo'))]
    await rejects(pool.run(job('echo')), new AsideTrouble('aside_busy'))
    equal((await pool.run(job('echo', null, 'b'))).broke, null)
    await Promise.all([one, other])
  })

  it('answers only the kind of an error in a child, and keeps the child', async () => {
    const pool = poolOf()
    const before = await pool.run<{ pid: number }>(job('echo'))
    deepEqual(await pool.run(job('fail')), { broke: 'failed' })
    const after = await pool.run<{ pid: number }>(job('echo'))
    ok(before.broke === null && after.broke === null)
    equal(after.value.pid, before.value.pid)
  })

  it('gives a child no access to our variables, to files or to programs', async () => {
    const reached = await poolOf().run(job('reach'))
    deepEqual(reached, {
      broke: null,
      value: { env: ['TZ'], tried: Array(5).fill('ERR_ACCESS_DENIED') },
    })
  })

  it('keeps a child free for others when one key has a backlog', async () => {
    const pool = poolOf()
    const order: string[] = []
    const noted = async (kind: string, input: unknown, key: string) => {
      await pool.run(job(kind, input, key))
      order.push(key)
    }
    const pile = Array.from({ length: 10 }, () => noted('rest', 300, 'much'))
    await sleep(50)
    const [one, other] = [noted('echo', null, 'one'), noted('echo', null, 'other')]
    await Promise.all([one, other])
    ok(order.indexOf('other') <= 3, order.join(' '))
    await Promise.all(pile)
  })

  it('withdraws a job, before and while it is done', async () => {
    const pool = poolOf({ size: 1 })
    const [running, waiting] = [new AbortController(), new AbortController()]
    const one = pool.run({ ...job('rest', 60_000), signal: running.signal })
    const other = pool.run({ ...job('echo'), signal: waiting.signal })
    waiting.abort(new Error('not wanted'))
    await rejects(other, /not wanted/)
    running.abort(new Error('not wanted either'))
    await rejects(one, /not wanted either/)
    equal((await pool.run(job('echo'))).broke, null)
  })

  it('does not blame its input when no child starts, or when too many jobs wait', async () => {
    const unstarted = poolOf({ module: path('../support/no-such-module.ts') })
    await rejects(unstarted.run(job('echo')), new AsideTrouble('aside_unavailable'))
    const pool = poolOf({ size: 1, mostWaiting: 1 })
    const [one, other] = [pool.run(job('rest', 300)), pool.run(job('echo'))]
    await rejects(pool.run(job('echo')), new AsideTrouble('aside_busy'))
    await Promise.all([one, other])
  })

  for (const kind of ['spin', 'rest'])
    it(`leaves no child that would ${kind} behind when its parent is killed`, async () => {
      const parent = spawn(process.execPath, [path('../../support/aside-parent.ts'), kind], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await once(parent.stdout, 'data')
      const child = Number(String(line))
      ok(isAlive(child))
      await sleep(200)
      parent.kill('SIGKILL')
      for (let i = 0; isAlive(child) && i < 200; i++) await sleep(50)
      equal(isAlive(child), false)
    })

  it('leaves no child at work whose parent died before its watch had begun', async () => {
    const limits = { cpuMs: 600_000, rssMb: 400 }
    // The parent that it is told of is not the process that it has as its parent by now.
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(gone, 'exit')
    const args = [path('../../support/aside-child.ts'), JSON.stringify(limits), String(gone.pid)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
    const ended = once(child, 'exit')
    try {
      for (const piece of frameOf({ kind: 'spin', input: null })) child.stdin.write(piece)
      const [, signal] = await Promise.race([
        ended,
        // Nobody waits for it unless the child goes on.
        sleep(20_000, [null, 'still at work'], { ref: false }),
      ])
      equal(signal, 'SIGKILL')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('reads every odd mail just as this process does', async () => {
    const at = new Date('2026-11-23T09:00:00Z')
    for (const raw of [...oddMails(), largeMail(25)]) {
      const { mail, broke } = await readMailAside(raw, at, 'wsp_odd')
      equal(broke, null)
      deepEqual(mail, await readMail(raw, at))
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
