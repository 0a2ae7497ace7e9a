import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { fileOf } from '../../support/people-files.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('letters that wait, when a file says who must not be written to', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  it('go to the others alone', async () => {
    const { call, people, move, read, campaign } = await givenCampaign(service, mail, {
      people: 4,
      places: [],
    })
    const emails: string[] = []
    for (const person of people) emails.push((await call('GET', `/people/${person}`)).body.email)
    await move('running')
    await eventually(read, ({ funnel }) => funnel.review === 4)
    const said = ['TRUE,,', ',mailbox not found,', ',,Marked as spam', 'FALSE,,Subscribed']
    const rows = emails.map((email, i) => `${email},eva@our-firm.example,${said[i]}`)
    const headings = 'Email,Contact owner,Email Opt Out,Hard bounce reason,Email status'
    const file = fileOf([headings, ...rows].join('\n'))
    equal((await call('POST', '/people/import', { file, commit: true })).body.rows.total, 4)
    const key = randomUUID()
    await eventually(
      () => call('POST', `/campaigns/${campaign}/letters`, { write: [1], agree: [1] }, { key }),
      ({ status }) => status === 200,
    )
    await eventually(read, ({ funnel }) => funnel.sent === 1, 30_000)
    const got = new Set(mail.messages().flatMap(({ to }) => to))
    deepEqual(
      emails.map((email) => got.has(email)),
      [false, false, false, true],
    )
    const { touches } = (await call('GET', `/campaigns/${campaign}/touches`)).body
    const first = (person: string) =>
      touches.find(
        (one: { person: string; place: number }) => one.person === person && one.place === 1,
      )
    deepEqual(
      people.map((person) => first(person).reason),
      ['unsubscribed', 'bounced', 'suppressed', null],
    )
  })
})
