import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './hooks.ts'

/** An SMTP server for one test that lets in whoever has this password, counts the logins and keeps the mails that it takes. */
export async function guardedSmtp(password: string, refusal = '5.7.8 Authentication failed') {
  const logins: { user: string; isIn: boolean }[] = []
  const mails: { to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username = '', password: given }, _session, done) {
      const isIn = given === password
      logins.push({ user: username, isIn })
      if (isIn) return done(null, { user: username })
      done(Object.assign(new Error(refusal), { responseCode: 535 }))
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream)
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw })
      done()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  if (!listening.listening) await once(listening, 'listening')
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (listening.address() as AddressInfo).port, logins, mails }
}
