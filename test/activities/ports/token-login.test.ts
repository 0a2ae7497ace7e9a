import { deepEqual, equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { openSmtp } from '../../../activities/ports/mail/smtp.ts'
import { atEnd } from '../../support/hooks.ts'

/** As much of an SMTP server as a login needs; `mechanisms` are those that it offers. */
async function server(mechanisms: string, good: string) {
  const said: string[] = []
  const listening = createServer((client) => {
    client.on('error', () => {})
    client.write('220 mail.example\r\n')
    let refused = false
    createInterface({ input: client }).on('line', (line) => {
      if (refused) {
        said.push(line)
        refused = false
        client.write('535 5.7.8 No\r\n')
      } else if (line.startsWith('EHLO'))
        client.write(`250-mail.example\r\n250 AUTH ${mechanisms}\r\n`)
      else if (line.startsWith('AUTH')) {
        const [, name = '', text = ''] = line.split(' ')
        const fields = Buffer.from(text, 'base64').toString()
        said.push(name, fields)
        refused = !fields.includes(`Bearer ${good}\x01`)
        client.write(refused ? '334 eyJzdGF0dXMiOiI0MDEifQ==\r\n' : '235 2.7.0 Welcome\r\n')
      } else client.end('221 Bye\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  atEnd(async () => void listening.close())
  const { port } = listening.address() as AddressInfo
  return { said, settings: { host: '127.0.0.1', port, secure: false } }
}

describe('a login with an access token', () => {
  const login = { user: 'ana@firm.example', accessToken: 'good' }

  it('is by XOAUTH2 where the server has it, also beside passwords', async () => {
    const { said, settings } = await server('PLAIN LOGIN XOAUTH2 OAUTHBEARER', 'good')
    const session = await openSmtp(settings, login)
    session.close()
    deepEqual(said, ['XOAUTH2', 'user=ana@firm.example\x01auth=Bearer good\x01\x01'])
  })

  it('is by OAUTHBEARER where the server has that alone', async () => {
    const { said, settings } = await server('OAUTHBEARER', 'good')
    const session = await openSmtp(settings, login)
    session.close()
    const { port } = settings
    const told = `n,a=ana@firm.example,\x01host=127.0.0.1\x01port=${port}\x01auth=Bearer good\x01\x01`
    deepEqual(said, ['OAUTHBEARER', told])
  })

  it('that is refused says so, and is not tried with the same token again', async () => {
    for (const mechanism of ['XOAUTH2', 'OAUTHBEARER']) {
      const { said, settings } = await server(mechanism, 'another')
      await rejects(openSmtp(settings, login), { code: 'smtp_login_refused', failure: 'refused' })
      equal(said.filter((word) => word === mechanism).length, 1)
      equal(said.at(-1), mechanism === 'XOAUTH2' ? '' : 'AQ==')
    }
  })
})
