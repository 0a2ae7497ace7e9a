import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { fileOf } from '../../support/people-files.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('a letter in review, when an import brings another address', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  const sentTo = async (mode: 'complete' | 'update') => {
    const { call, people, move, read, campaign } = await givenCampaign(service, mail, {
      people: 1,
      places: [],
    })
    const [person = ''] = people
    const old = (await call('GET', `/people/${person}`)).body.email
    await call('PATCH', `/people/${person}`, { externalId: 'crm-1' })
    await move('running')
    await eventually(read, ({ funnel }) => funnel.review === 1)
    const address = `new-${person}@client.example`.toLowerCase()
    const file = fileOf(`External ID,Mail\ncrm-1,${address}\n`)
    equal((await call('POST', '/people/import', { file, mode, commit: true })).status, 200)
    const { emails } = (await call('GET', `/people/${person}`)).body
    deepEqual(emails, mode === 'update' ? [address, old] : [old, address])
    const key = randomUUID()
    await eventually(
      () => call('POST', `/campaigns/${campaign}/letters`, { write: [1], agree: [1] }, { key }),
      ({ status }) => status === 200,
    )
    await eventually(read, ({ funnel }) => funnel.sent === 1, 30_000)
    const got = mail.messages().flatMap(({ to }) => to)
    return [old, address].filter((one) => got.includes(one)).map((one) => one === address)
  }

  it('goes there in update mode', async () => {
    deepEqual(await sentTo('update'), [true])
  })

  it('stays with the first address otherwise', async () => {
    deepEqual(await sentTo('complete'), [false])
  })
})
