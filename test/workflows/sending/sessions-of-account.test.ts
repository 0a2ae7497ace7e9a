import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenConversation } from '../../support/given.ts'
import { rowsOf, startSending } from '../../support/sending.ts'
import { eventually } from '../../support/service.ts'

describe('an account whose provider limits its sessions', function () {
  this.timeout(150_000)
  let sending: Awaited<ReturnType<typeof startSending>>
  before(async function () {
    this.timeout(120_000)
    sending = await startSending(this.test?.ctx as Mocha.Context, { workers: 2 })
  })
  after(() => sending?.service.close())

  it('has fewer of them for a while, and every letter goes once', async () => {
    const { server, service } = sending
    const campaign = await sending.campaignOf(60)
    const { account, call, people, emails } = campaign
    const tooMany = '432 4.3.2 Concurrent connections limit exceeded'
    server.script(
      rowsOf(
        account,
        { stage: 'login', when: ({ sessions }) => sessions >= 2, answer: tooMany },
        { stage: 'dot', answer: { lateMs: 200 } },
      ),
    )
    const keys = await Promise.all(
      people.map(async (person, i) => {
        const at = service.clock.now()
        const of = { person, connection: account, from: emails[i] as string, at }
        const conversation = await givenConversation(service.db, campaign.id, of)
        const path = `/conversations/${conversation}/messages`
        const { status } = await call('POST', path, { text: 'Hello' }, { key: `session-${i}` })
        equal(status, 200)
        return `session-${i}`
      }),
    )
    await eventually(
      async () => campaign.taken().length,
      (n) => n >= keys.length,
      120_000,
    )
    equal(new Set(campaign.taken()).size, 60)
    equal(campaign.taken().length, 60)
    const refused = server.answered.filter(({ login }) => login === account)
    // At most three that two workers open at once before any of them knows, and some while the machine is busy.
    ok(refused.length <= 6, `${refused.length} sessions refused`)
    deepEqual((await campaign.told()).length, 0)
    equal((await campaign.channel()).problem, null)
  })
})
