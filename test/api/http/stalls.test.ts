import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FarCall } from '../../support/far-caller.ts'
import { givenClient } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { heavyTemplates } from '../../support/heavy-templates.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'
import { type Turns, watchTurns } from '../../support/turns-of-loop.ts'

// The API and the worker run in this process: whatever holds up its event loop holds up every tenant.

const mostMs = 100

/** What the variants of a campaign do. */
const heavy = ['20,000 signs', 'a date of 15,000', 'lists within lists', 'a search']

describe('what one tenant writes', function () {
  this.timeout(300_000)
  let service: SharedService
  let mail: MailSink
  let turns: Turns
  let quiet: { read(): Promise<void>; message(): Promise<void> }

  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
    quiet = await neighbour()
    // What a process does for the first time takes longer.
    await quiet.read()
    await quiet.message()
    const { call, id } = await draft()
    const templates = [{ place: 1, subject: 'Hello', text: 'Hello {{ person.name }}' }]
    equal((await call('POST', `/campaigns/${id}/letters`, { templates })).status, 200)
    turns = watchTurns()
  })
  after(() => turns.stop())

  async function neighbour() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call } = workspace
    return {
      read: async () => equal((await call('GET', '/segments')).status, 200),
      async message() {
        const { conversation, email } = await givenClient(
          service.db,
          workspace,
          service.clock.now(),
        )
        const path = `/conversations/${conversation}/messages`
        equal((await call('POST', path, { text: 'Hello' })).status, 200)
        await eventually(
          async () => mail.messages().filter(({ to }) => to.includes(email)).length,
          (arrived) => arrived === 1,
        )
      },
    }
  }

  async function draft() {
    const given = await givenCampaign(service, mail, { people: 3, places: [] })
    return { ...given, id: given.campaign }
  }

  /** Does the work while a neighbour reads, and answers what it comes to and how long the longest turn was. */
  async function beside<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
    turns.longest()
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        await quiet.read()
        await sleep(10)
      }
    })()
    try {
      const result = await work()
      return { result, longest: turns.longest() }
    } finally {
      isOver = true
      await reading
    }
  }

  for (const [what, text, code] of heavyTemplates)
    it(`holds up nobody as a template that is previewed: ${what}`, async () => {
      const { call, id, people } = await draft()
      const templates = [{ place: 1, subject: 'Hello', text, html: text }]
      const preview = { person: people[0], place: 1 }
      const { result, longest } = await beside(() =>
        call('POST', `/campaigns/${id}/letters`, { templates, preview }, { key: null }),
      )
      ok(longest < mostMs, `a turn took ${longest} ms`)
      if (!code) return void ok([200, 422].includes(result.status), result.text)
      deepEqual([result.status, result.body.errors[0].code], [422, code])
      equal(result.body.errors[0].pointer, '/templates/0/text')
    })

  it('holds up nobody as templates of a campaign that is sent', async () => {
    const given = await givenCampaign(service, mail, { people: 12, places: [] })
    const variants = ['a', 'b', 'c', 'd']
    const templates = variants.map((variant) => ({
      ...{ place: 1, variant, subject: 'Hello', text: 'Hello {{ person.name }}' },
    }))
    equal((await given.write({ templates, write: [2, 3], agree: [1, 2, 3] })).status, 200)
    // As if an earlier release had taken them.
    for (const [i, variant] of variants.entries())
      await service.db
        .updateTable('campaignTemplates')
        .set({ text: heavyTemplates.find(([what]) => what.startsWith(heavy[i] ?? ''))?.[1] ?? '' })
        .where('campaign', '=', given.campaign)
        .where('variant', '=', variant)
        .execute()
    type Touch = {
      place: number
      state: string
      reason: string
      missing: string[]
      variant: string
    }
    const { result, longest } = await beside(async () => {
      await given.move('running')
      await quiet.message()
      const firstLetters = async () =>
        ((await given.touches()) as Touch[]).filter(({ place }) => place === 1)
      return eventually(
        firstLetters,
        (all) => all.length > 0 && all.every(({ state }) => state === 'review' || state === 'sent'),
        60_000,
      )
    })
    ok(longest < mostMs, `a turn took ${longest} ms`)
    for (const { reason, missing, variant } of result)
      if (variant !== 'b') deepEqual([reason, missing], ['template_failed', ['text']], variant)
  })

  const files: [what: string, unit: string, status: number][] = [
    ['blanks', 'A ', 200],
    ['line breaks', 'A\\n', 200],
    ['tabs and line breaks', 'A\\t\\r\\n', 200],
    ['lines', `${'A'.repeat(76)}\\r\\n`, 200],
    ['signs that are none', 'A!', 422],
    ['wide letters', '\u0141', 422],
  ]
  for (const [what, unit, status] of files)
    it(`holds up nobody as a file of 35 MB in base64 with ${what}`, async () => {
      const { token } = await service.workspace()
      const times = 4 * Math.floor(8_700_000 / Buffer.byteLength(unit))
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      }
      const parts: FarCall['parts'] = [
        ['{"name":"a.bin","type":"application/octet-stream","content":"', 1],
        [unit, times],
        ['"}', 1],
      ]
      const before = process.memoryUsage.rss()
      const { result, longest } = await beside(async () => {
        const caller = new Worker(new URL('../../support/far-caller.ts', import.meta.url), {
          workerData: { url: `${service.url}/api/v1/files`, headers, parts },
        })
        const [said] = await once(caller, 'message')
        return said as { status: number; text: string }
      })
      equal(result.status, status, result.text.slice(0, 300))
      ok(longest < mostMs, `a turn took ${longest} ms`)
      ok(process.memoryUsage.rss() - before < 700 * 1024 * 1024)
    })
})
