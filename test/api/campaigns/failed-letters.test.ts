import { equal, match } from 'node:assert/strict'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a campaign whose letters did not arrive', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('says how many, why in the words of the server, and what can be done', async () => {
    const sender = await givenSender(service)
    const { campaign, ids } = await lettersTo(service, sender)
    const sending = async () =>
      (await sender.call('GET', `/campaigns/${campaign}`)).body.campaign.sending
    equal((await sending()).failed, undefined)
    const said = '550 5.7.1 Message refused by policy'
    await service.db
      .updateTable('touches')
      .set({ state: 'failed', reason: 'refused', code: '5.7.1', said })
      .where('id', '=', ids[0] ?? '')
      .execute()
    await service.db
      .updateTable('touches')
      .set({ state: 'failed', reason: 'done' })
      .where('id', 'in', ids.slice(1))
      .execute()
    const { failed, blockedBy } = await sending()
    equal(blockedBy, 'nobody_left')
    equal(failed.letters, 1)
    match(
      failed.why,
      /^One letter did not arrive: 1 refused by a mail server \(5\.7\.1\), such as “550 5\.7\.1 Message refused by policy”\./,
    )
    match(failed.why, /change them, or ask its operator\. A letter is sent anew by POST/)
    const touch = (await sender.call('GET', `/campaigns/${campaign}/touches/${ids[0]}`)).body
    equal(touch.said, said)
  })

  it('counts a letter that came back, with the words of the report', async () => {
    const sender = await givenSender(service)
    const letters = await lettersTo(service, sender, 'sending')
    await sender.receive({
      from: { name: '', address: 'mailer-daemon@mx.example' },
      automated: true,
      report: {
        ...{ kind: 'bounce', permanent: false, code: '5.7.1', said: '550 5.7.1 Not\r\n wanted' },
        ...{ recipients: [sender.email], refersTo: [letters.messageId] },
      },
    })
    const { sending } = (await sender.call('GET', `/campaigns/${letters.campaign}`)).body.campaign
    equal(sending.failed.letters, 1)
    match(sending.failed.why, /1 came back \(5\.7\.1\), such as “550 5\.7\.1 Not wanted”/)
  })
})
