import { equal, match } from 'node:assert/strict'
import { givenClient } from '../../support/given.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('a message that its server refuses', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  it('is told with its recipient, the words of the server and what can be done, and goes anew', async () => {
    const mail = await testMail()
    mail.script({ onRcpt: () => ({ code: 550, text: '5.1.1 No such user here' }) })
    const { db, clock } = service
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { conversation, email } = await givenClient(db, workspace, clock.now())
    const { call } = workspace
    const path = `/conversations/${conversation}/messages`
    const { body } = await call('POST', path, { text: 'Hello.' })
    const ends = (id: string) =>
      eventually(
        async () => (await call('GET', `/messages/${id}`)).body,
        ({ state }) => state === 'failed' || state === 'sent',
      )
    const failed = await ends(body.id)
    equal(failed.said, '550 5.1.1 No such user here')
    const [told] = (await call('GET', '/notifications')).body.notifications
    equal(told.kind, 'message.failed')
    match(told.text, new RegExp(`to ${email} from \\S+ was not sent: the mail server refused it`))
    match(told.text, /“550 5\.1\.1 No such user here”\. Check the address\. Then send it anew/)
    mail.script({})
    const again = await call('POST', `/messages/${body.id}/again`)
    equal(again.status, 200, again.text)
    equal((await ends(again.body.id)).state, 'sent')
    equal(mail.messages()[0]?.messageId, again.body.messageId)
  })
})
