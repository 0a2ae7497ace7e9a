import { deepEqual, equal } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'

const at = new Date('2026-11-23T09:30:00Z')
const mail = (head: string[], body: Buffer) =>
  readMail(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), at)

const kim = 'kim@client.example'
const japanese = {
  shift_jis: '88b690e682aa8ca982c282a982e882dc82b982f181420d0a',
  'euc-jp': 'b0b8c0e8a4acb8aba4c4a4aba4eaa4dea4bba4f3a1a30d0a',
}
const russian = {
  'windows-1251':
    'c2e0f8e520efe8f1fcecee20ede520eceee6e5f220e1fbf2fc20e4eef1f2e0e2ebe5edee3a20e0e4f0e5f120ede520f1f3f9e5f1f2e2f3e5f2',
  'koi8-r':
    'f7c1dbc520d0c9d3d8cdcf20cec520cdcfd6c5d420c2d9d4d820c4cfd3d4c1d7ccc5cecf3a20c1c4d2c5d320cec520d3d5ddc5d3d4d7d5c5d4',
}

describe('a text that does not say how it is written', () => {
  for (const [charset, hex] of Object.entries({ ...japanese, ...russian }))
    it(`is read in ${charset}`, async () => {
      const body = Buffer.concat([Buffer.from(`<${kim}>:\r\n`), Buffer.from(hex, 'hex')])
      const { report } = await mail(['From: MAILER-DAEMON@relay.example'], body)
      deepEqual(
        [report?.kind, report?.code, report?.permanent, report?.recipients],
        ['bounce', '5.1.1', true, [kim]],
      )
    })

  it('is read in the charset of Western Europe otherwise, also where a person wrote it', async () => {
    const { text, automated } = await mail(
      [`From: Kim <${kim}>`, 'Content-Type: text/plain'],
      Buffer.from('Gr\xfc\xdfe aus K\xf6ln! Ja, gern.', 'latin1'),
    )
    deepEqual([text, automated], ['Grüße aus Köln! Ja, gern.', false])
  })

  it('is read where it is in base64', async () => {
    const text = `Your message could not be delivered to the following recipient:\r\n\r\n${kim}\r\nThe mailbox of this user is full, try it again in a week or so.\r\n`
    const lines = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
    const { report } = await mail(['From: postmaster@relay.example'], Buffer.from(lines))
    deepEqual([report?.code, report?.recipients], ['5.2.2', [kim]])
  })

  const damaged: [string, Buffer][] = [
    [
      'one byte was cut',
      Buffer.concat([Buffer.from('Grüße aus Köln, und gern m'), Buffer.from([0xc3])]),
    ],
    ['somebody quotes a sign of damage', Buffer.from('Ein \ufffd, also zerstört.')],
  ]
  for (const [what, body] of damaged)
    it(`stays in UTF-8 where ${what}`, async () => {
      const { text } = await mail([`From: Kim <${kim}>`], body)
      equal(text, body.toString('utf8'))
    })

  it('stays as it is where it does say so', async () => {
    const head = [`From: Kim <${kim}>`, 'Content-Type: text/plain; charset=utf-8']
    const { text } = await mail(head, Buffer.from('Gr\xfc\xdfe', 'latin1'))
    equal(text, 'Gr\ufffd\ufffde')
  })
})
