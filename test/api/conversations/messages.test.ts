import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenClient } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('POST /conversations/{id}/messages', () => {
  let service: SharedService
  let mail: MailSink

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  async function conversation(given = {}) {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort, ...given })
    const { db, clock } = service
    return { ...workspace, ...(await givenClient(db, workspace, clock.now(), 'Cleo Client')) }
  }
  const arrived = async (to: string) =>
    (await mail.messages()).filter((message) => message.to.includes(to))

  it('answers the queued message at once and delivers it once', async () => {
    const { call, conversation: id, email } = await conversation()
    const key = randomUUID()
    const queued = await call(
      'POST',
      `/conversations/${id}/messages`,
      { text: 'It costs 49 EUR.' },
      { key },
    )
    equal(queued.status, 200, queued.text)
    equal(queued.body.state, 'queued')
    equal(queued.body.sendAt, null)
    equal(queued.body.to, email)

    const operation = await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
    )
    equal(operation.body.result.state, 'sent')
    match(operation.body.workflow.id, new RegExp(`:${key}$`))
    const [letter, ...more] = await arrived(email)
    deepEqual(more, [])
    equal(letter?.messageId, operation.body.result.messageId)

    const again = await call(
      'POST',
      `/conversations/${id}/messages`,
      { text: 'It costs 49 EUR.' },
      { key },
    )
    equal(again.text, queued.text)
    equal(again.headers.get('idempotent-replayed'), 'true')
  })

  it('answers fifty simultaneous identical calls with the same bytes and sends one letter', async () => {
    const { call, conversation: id, email } = await conversation()
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST', `/conversations/${id}/messages`, { text: 'Once.' }, { key }),
      ),
    )
    deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    equal(new Set(replies.map(({ text }) => text)).size, 1)
    await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
    )
    equal((await arrived(email)).length, 1)
  })

  it('sends the messages of a conversation in order', async () => {
    const { call, conversation: id, email } = await conversation()
    const texts = ['first', 'second', 'third', 'fourth']
    for (const text of texts) await call('POST', `/conversations/${id}/messages`, { text })
    const letters = await eventually(
      () => arrived(email),
      (all) => all.length === texts.length,
    )
    deepEqual(
      letters.map(({ text }) => text.trim()),
      texts,
    )
  })
})
