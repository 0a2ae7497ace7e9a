import { doesNotMatch, equal, ok } from 'node:assert/strict'
import { loginProblemOf, loginWords } from '../../../rules/answers/login.ts'
import { providerOfHost } from '../../../rules/servers/providers.ts'
import { rowsIn } from '../../support/tsv.ts'

describe('why a mail server refuses a login', () => {
  const hosts: Record<string, string> = {
    Gmail: 'imap.gmail.com',
    Microsoft: 'smtp.office365.com',
    Apple: 'imap.mail.me.com',
    Yahoo: 'imap.mail.yahoo.com',
    GMX: 'imap.gmx.net',
    'WEB.DE': 'imap.web.de',
    Yandex: 'imap.yandex.com',
    'Mail.ru': 'smtp.mail.ru',
    Zoho: 'imap.zoho.com',
    Fastmail: 'imap.fastmail.com',
    QQ: 'smtp.qq.com',
    IONOS: 'smtp.ionos.de',
    STRATO: 'imap.strato.de',
    OVHcloud: 'ssl0.ovh.net',
  }
  const table = new URL('login.tsv', import.meta.url)
  for (const row of rowsIn(table, 'provider', 'server', 'code', 'words', 'problem'))
    it(`is told in a kind: ${row.provider}, ${row.server}, ${row.words.split('\n')[0]}`, () => {
      const server = row.server as 'smtp' | 'imap'
      const code = row.code === '' ? undefined : Number(row.code)
      const provider = providerOfHost(hosts[row.provider] ?? '')
      equal(loginProblemOf({ server, words: row.words, code }, provider), row.problem)
    })

  it('is shown in the server’s words, on one line, at most 200 characters, without the password', () => {
    const password = 'p4ss & "wörd"'
    const encoded = Buffer.from(`\0ana\0${password}`).toString('base64')
    const said = `535-5.7.8 no\r\n\t\u0007${password} ${Buffer.from(password).toString('base64')}\r\n535 ${encoded} ${'x'.repeat(400)}`
    const shown = loginWords(said, [password, `\0ana\0${password}`])
    ok(shown.length <= 200, String(shown.length))
    doesNotMatch(shown, /[\p{C}]/u)
    for (const secret of [password, encoded, Buffer.from(password).toString('base64')])
      equal(shown.includes(secret), false)
    equal(loginWords('535 5.7.8 Wrong', ['']), '535 5.7.8 Wrong')
  })
})
