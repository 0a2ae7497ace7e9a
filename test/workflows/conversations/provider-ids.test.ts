import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenClient } from '../../support/given.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('a message that its provider sends on under another id', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  it('is known by that id from the answer of the server on', async () => {
    const mail = await testMail()
    const token = `0107019c-${randomUUID()}`
    mail.script({ onAccepted: () => ({ text: `Ok ${token}` }) })
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${conversation}/messages`
    const { body } = await workspace.call('POST', path, { text: 'Hello.' })
    await eventually(
      async () => (await workspace.call('GET', `/messages/${body.id}`)).body.state,
      (state) => state === 'sent',
    )
    const kept = await service.db
      .selectFrom('letterIds')
      .select(['messageId', 'connection'])
      .where('workspace', '=', workspace.id)
      .where('id', '=', token)
      .executeTakeFirstOrThrow()
    equal(kept.messageId, body.messageId)
  })
})
