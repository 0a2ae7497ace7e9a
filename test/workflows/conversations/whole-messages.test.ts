import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { followed } from '../../support/followed.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// A whole message from the call to the mail server and back.

describe('a whole message on its way', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    mail = await testMail()
    service = await sharedService(this.test?.ctx)
  })

  it('begins a conversation, and arrives with its HTML, images, files and copies', async () => {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call, connections } = workspace
    const to = `new-${randomUUID().slice(0, 8)}@client.example`
    const image = Buffer.from([137, 80, 78, 71, 0, 255])
    const plan = Buffer.from('plan')
    const { id: uploaded } = (
      await call('POST', '/files', {
        name: '計画.pdf',
        type: 'application/pdf',
        content: plan.toString('base64'),
      })
    ).body
    const key = randomUUID()
    const body = {
      to,
      via: connections[0],
      subject: 'Größe',
      html: '<p>Hi</p><img src="cid:ロゴ.png">',
      cc: ['copy@client.example'],
      bcc: ['unseen@client.example'],
      files: [{ name: 'ロゴ.png', type: 'image/png', content: image.toString('base64') }, uploaded],
    }
    const opened = await call('POST', '/conversations', body, { key })
    equal(opened.status, 200)
    const { state } = await followed(call, key).ended()
    equal(state, 'done')
    const [arrived, ...others] = mail.messages().filter((one) => one.to.includes(to))
    deepEqual(others, [])
    deepEqual(arrived?.to.toSorted(), [to, ...body.cc, ...body.bcc].toSorted())
    const parsed = await PostalMime.parse(arrived?.raw ?? '')
    equal(parsed.subject, 'Größe')
    match(parsed.text ?? '', /^Hi/)
    deepEqual(
      parsed.cc?.map(({ address }) => address),
      body.cc,
    )
    equal(parsed.bcc, undefined)
    const bytes = parsed.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))
    deepEqual(
      bytes.map((one) => one.toString('hex')).sort(),
      [image, plan].map((one) => one.toString('hex')).sort(),
    )
    const inline = parsed.attachments.find(({ contentId }) => contentId)
    const cid = inline?.contentId?.replace(/[<>]/g, '')
    equal(inline?.filename, 'ロゴ.png')
    match(parsed.html ?? '', new RegExp(`src="cid:${cid}"`))
    const read = (await call('GET', `/messages/${opened.body.message.id}`)).body
    deepEqual([read.state, read.to, read.files, read.refused], ['sent', [to], 2, []])
  })
})
