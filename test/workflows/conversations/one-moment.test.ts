import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const count = 40
const mostActivities = 3
// Time enough to accept them all on a busy machine.
const aheadMs = 15_000

describe('messages of one account that are due at one moment', function () {
  this.timeout(120_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    mail = await testMail()
    service = await sharedService(this.test?.ctx)
  })

  it('go in the order in which they were accepted, each with three activities at most', async () => {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, call, connections } = workspace
    const one = { ...workspace, connections: [connections[0], connections[0]] as [string, string] }
    const sendAt = new Date(service.clock.now().getTime() + aheadMs).toISOString()
    const asked: { key: string; to: string }[] = []
    for (let n = 0; n < count; n++) {
      const { conversation, email } = await givenClient(service.db, one, service.clock.now())
      const key = randomUUID()
      const path = `/conversations/${conversation}/messages`
      equal((await call('POST', path, { text: `Number ${n}`, sendAt }, { key })).status, 200)
      asked.push({ key, to: email })
    }
    ok(service.clock.now().toISOString() < sendAt, 'all are accepted before the moment')
    for (const { key } of asked) equal((await followed(call, key, 60_000).ended()).state, 'done')

    const addresses = asked.map(({ to }) => to)
    const went = mail.messages().flatMap(({ to }) => to.filter((one) => addresses.includes(one)))
    deepEqual(went, addresses)
    const client = await testClient()
    for (const { key } of asked) {
      const handle = client.workflow.getHandle(`${id}:${key}`)
      await handle.result()
      const { events } = await handle.fetchHistory()
      const activities = events?.filter((event) => event.activityTaskScheduledEventAttributes)
      ok(activities && activities.length <= mostActivities, `${activities?.length} activities`)
    }
  })
})
