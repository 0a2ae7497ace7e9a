import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './hooks.ts'

// Mail servers that let in only who has a good token: SMTP by itself, and IMAP in front of a real server.

type Accepts = (user: string, token: string) => boolean

/** An SMTP server with XOAUTH2 alone, and what it has taken. */
export async function tokenSmtp(accepts: Accepts) {
  const taken: string[] = []
  const logins = { good: 0, refused: 0 }
  const server = new SMTPServer({
    authMethods: ['XOAUTH2'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    // A session that its client has left open would be waited for at the end of the file.
    closeTimeout: 100,
    onAuth({ username = '', accessToken = '' }, _session, callback) {
      const isGood = accepts(username, accessToken)
      logins[isGood ? 'good' : 'refused']++
      if (isGood) callback(null, { user: username })
      else callback(null, { data: { status: '401', schemes: 'bearer' } })
    },
    onData(stream, _session, callback) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        taken.push(text)
        callback(null)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { port, taken, logins }
}

/** An IMAP server that takes tokens instead of the passwords of the one behind it. */
export async function tokenImap(imapPort: number, accepts: Accepts) {
  const logins = { good: 0, refused: 0 }
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    const behind = connect(imapPort, '127.0.0.1')
    behind.on('error', () => client.destroy())
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
    void greet(client, behind)
  })

  async function greet(client: Socket, behind: Socket) {
    await once(behind, 'data')
    const capability = 'CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2'
    client.write(`* OK [${capability}] ready\r\n`)
    let refused: string | undefined
    for await (const line of createInterface({ input: client })) {
      const [tag = '', command = '', , said = ''] = line.split(' ')
      if (refused !== undefined) {
        client.write(`${refused} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`)
        refused = undefined
      } else if (/^capability$/i.test(command))
        client.write(`* ${capability}\r\n${tag} OK done\r\n`)
      else if (/^authenticate$/i.test(command)) {
        const fields = Buffer.from(said, 'base64').toString().split('\x01')
        const user = fields[0]?.replace(/^user=/, '') ?? ''
        const token = fields[1]?.replace(/^auth=Bearer /, '') ?? ''
        const isGood = accepts(user, token)
        logins[isGood ? 'good' : 'refused']++
        if (!isGood) {
          refused = tag
          client.write(`+ ${Buffer.from('{"status":"400"}').toString('base64')}\r\n`)
          continue
        }
        behind.write(`proxy LOGIN "${user}" "secret"\r\n`)
        await once(behind, 'data')
        client.write(`${tag} OK logged in\r\n`)
        client.pipe(behind).pipe(client)
        return
      } else if (/^logout$/i.test(command)) client.end(`* BYE\r\n${tag} OK\r\n`)
      else client.write(`${tag} BAD not logged in\r\n`)
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.close()
    // One that is still open would be waited for until the server behind it loses patience, after half a minute.
    for (const client of clients) client.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    logins,
    /** Ends every session, as servers do when the token of one has expired. */
    end(said: string) {
      for (const client of clients) client.end(`* BYE ${said}\r\n`)
    },
  }
}
