import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { embeddedModel } from '../../../activities/ports/model/embedded.ts'
import { startThreads } from '../../../activities/ports/model/threads.ts'
import { longestWords } from '../../../db/campaigns/briefs.ts'
import { givenConversation } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

const filled = (words: (i: number) => string, length = longestWords) => {
  let text = ''
  for (let i = 0; text.length + words(i).length <= length; i++) text += words(i)
  return text
}

describe("a tenant's own words", function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())

  it('are refused beyond their length, by name', async () => {
    const { call, campaign, agent, company, product } = await givenCampaign(service, mail, {
      people: 1,
      places: [],
    })
    const long = 'x'.repeat(longestWords)
    for (const [path, member] of [
      [`/agents/${agent}`, 'rules'],
      [`/agents/${agent}`, 'knowledge'],
      [`/companies/${company}`, 'pitch'],
      [`/companies/${company}`, 'policy'],
      [`/products/${product}`, 'description'],
    ] as const) {
      for (const much of [`${long}x`, 'Never. '.repeat(14_000)]) {
        const { status, body } = await call('PATCH', path, { [member]: much })
        equal(
          `${status} ${body.code} ${body.errors?.[0].pointer}`,
          `422 validation_failed /${member}`,
        )
      }
      equal((await call('PATCH', path, { [member]: long })).status, 200)
    }
    const rules = (addRules: string[]) => call('PATCH', `/campaigns/${campaign}`, { addRules })
    const four = 'x'.repeat(4000)
    equal((await rules([four, four, four])).status, 200)
    for (const more of [[four, four, four], Array.from({ length: 100 }, () => 'x'.repeat(90))]) {
      const { status, body } = await rules(more)
      equal(`${status} ${body.errors[0].pointer} ${body.errors[0].code}`, '422 /addRules too_big')
    }
    equal((await rules([four, four])).status, 200)
  })

  // What an older version accepted is cut at the same length, so nothing longer is ever read.
  it('at their maximum length delay no other workspace, and are written', async () => {
    const bad = await givenCampaign(service, mail, { people: 1, places: [] })
    const good = await givenCampaign(service, mail, { people: 1, places: [] })
    const { db } = service
    const more = 100_000
    await db
      .updateTable('agents')
      .set({
        rules: filled((i) => `Never say w${i}. `, more),
        knowledge: `${'a'.repeat(300_000)}`,
      })
      .where('id', '=', bad.agent)
      .execute()
    await db
      .updateTable('companies')
      .set({ pitch: filled((i) => `W${i} x. `, more), policy: `never say x${' '.repeat(more)}y` })
      .where('id', '=', bad.company)
      .execute()
    await db
      .updateTable('campaigns')
      .set({
        addRules: Array.from({ length: 500 }, (_, i) => filled((n) => `No r${i}n${n}. `, 4000)),
      })
      .where('id', '=', bad.campaign)
      .execute()
    const started = performance.now()
    const written = bad.call('POST', `/campaigns/${bad.campaign}/letters`, { write: [1, 2, 3] })
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const from = performance.now()
        const reply = await good.call('POST', `/campaigns/${good.campaign}/letters`, { write: [1] })
        return { status: reply.status, ms: performance.now() - from }
      }),
    )
    const { status, body, text } = await written
    equal(status, 200, text)
    equal(body.letters.length, 3)
    deepEqual(
      others.map((other) => other.status),
      [200, 200, 200],
    )
    ok(performance.now() - started < 20_000, JSON.stringify(others))
    const [{ text: letter }] = (await good.call('POST', `/campaigns/${good.campaign}/letters`, {}))
      .body.letters
    match(letter, /We keep sales teams calm/)
  })

  describe('that never finish processing', () => {
    let stuck: TestService
    before(async function () {
      this.timeout(120_000)
      stuck = await startService()
      const entry = new URL('../../support/hanging-thread.ts', import.meta.url)
      const model = embeddedModel(startThreads({ entry, deadlineMs: 300 }))
      await stuck.work(this.test?.ctx as Mocha.Context, { model })
    })
    after(() => stuck.close())

    it('fail a call for letters with a reason, and store nothing of it', async () => {
      const { call, campaign } = await givenCampaign(stuck, mail, { people: 1, places: [] })
      const key = randomUUID()
      const path = `/campaigns/${campaign}/letters`
      const { status, body } = await call('POST', path, { write: [1], agree: [1] }, { key })
      equal(`${status} ${body.code} ${body.reason}`, '409 letter_not_written writing_timed_out')
      equal((await call('GET', `/operations/${key}`)).body.state, 'failed')
      deepEqual((await call('POST', path, {})).body.letters, [])
    })

    it('fail a letter and a task with a reason', async () => {
      const given = await givenCampaign(stuck, mail, { people: 1, places: [] })
      const { db, clock } = stuck
      await db
        .insertInto('campaignLetters')
        .values({
          campaign: given.campaign,
          place: 1,
          subject: 'S',
          text: 'T',
          agreed: true,
          writtenAt: clock.now(),
        })
        .execute()
      await given.move('running')
      const [touch] = await eventually(given.touches, ([one]) => one.state === 'failed', 30_000)
      equal(touch.reason, 'writing_timed_out')

      const conversation = await givenConversation(db, given.id, {
        person: given.people[0] as string,
        connection: given.connections[0],
        from: given.emails[0] as string,
        at: clock.now(),
      })
      const path = `/conversations/${conversation}`
      const due = clock.now().toISOString()
      await given.call('POST', `${path}/tasks`, { text: 'Write: hello', due })
      const { tasks } = await eventually(
        async () => (await given.call('GET', path)).body,
        ({ tasks: [task] }) => task.state === 'failed',
        30_000,
      )
      equal(tasks[0].reason, 'writing_timed_out')
    })

    it('judge nobody, and say so', async () => {
      const { call } = await givenCampaign(stuck, mail, { people: 3, places: [] })
      const { status, body } = await call('POST', '/segments', { query: 'everyone' })
      equal(status, 200)
      deepEqual([body.judged, body.matched, body.remaining], [3, 0, 0])
      const verdicts = await stuck.db
        .selectFrom('segmentPeople')
        .select('reason')
        .where('segment', '=', body.id)
        .execute()
      for (const { reason } of verdicts) match(reason, /^Not judged: /)
    })
  })
})
