import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { composeLetter, type Letter, wholeMail } from '../../../activities/ports/mail/compose.ts'
import { type MailSession, openSmtp } from '../../../activities/ports/mail/smtp.ts'
import { atEnd } from '../../support/hooks.ts'

type Taken = { to: string[]; raw: Buffer }
type Rules = Partial<{ hidePIPELINING: boolean; hideSMTPUTF8: boolean }> & {
  refuses?: Record<string, string>
  onData?: (bytes: number) => 'drop' | undefined
  /** What it says when it has taken a letter. */
  says?: string
}

/** A server that refuses the recipients of `refuses` with the answers there, and a session with it. */
async function givenSession({ refuses = {}, onData, says, ...options }: Rules = {}) {
  const taken: Taken[] = []
  const commands: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    ...options,
    logger: {
      level: () => {},
      trace: () => {},
      info: () => {},
      warn: () => {},
      error: () => {},
      fatal: () => {},
      debug(entry: { tnx?: string; command?: string }, ...told: unknown[]) {
        if (entry.tnx === 'command') commands.push(String(told.at(-1)))
      },
    } as never,
    onRcptTo({ address }, _, done) {
      const answer = refuses[address]
      if (!answer) return done()
      done(Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      let bytes = 0
      stream.on('data', (piece: Buffer) => {
        pieces.push(piece)
        bytes += piece.length
        if (onData?.(bytes) === 'drop')
          for (const one of (
            server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }
          ).connections)
            one._socket.destroy()
      })
      stream.on('end', () => {
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces),
        })
        done(null, says)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const session = await openSmtp({ host: '127.0.0.1', port, secure: false })
  atEnd(async () => session.close())
  return { session, taken, commands }
}

const letterOf = (more: Partial<Letter> = {}): Letter => ({
  from: { name: 'Ana', address: 'ana@us.example' },
  to: 'leo@client.example',
  subject: 'Offer',
  text: 'Hello\n.dot',
  messageId: '<msg_1@us.example>',
  inReplyTo: null,
  references: [],
  automated: false,
  date: new Date('2026-11-23T09:00:00.000Z'),
  ...more,
})
const send = async (session: MailSession, more: Partial<Letter> = {}) =>
  session.send(await composeLetter(letterOf(more)))

const copies = { cc: ['cc@client.example', 'gone@client.example'], bcc: ['bcc@client.example'] }

describe('handing a letter over', () => {
  it('answers the ids under which the server sends it on', async () => {
    const { session } = await givenSession({ says: 'Ok 0107019c-0000aaaa-000000' })
    const ids = ['0107019c-0000aaaa-000000']
    deepEqual(await send(session), { kind: 'accepted', ids })
  })

  for (const hidePIPELINING of [false, true]) {
    const how = hidePIPELINING ? 'one command at a time' : 'with pipelining'

    it(`reaches nobody if its first recipient is refused, ${how}`, async () => {
      const refuses: Record<string, string> = { 'leo@client.example': '550 5.1.1 No such user' }
      const { session, taken, commands } = await givenSession({ refuses, hidePIPELINING })
      const answer = { stage: 'rcpt', words: '550 5.1.1 No such user' }
      const refused = { kind: 'refused', code: 550, status: '5.1.1', answer }
      deepEqual(await send(session, copies), refused)
      deepEqual(taken, [])
      ok(!commands.some((line) => /^DATA|cc@/i.test(line)), commands.join())
      // The session is clear for the next letter.
      deepEqual(await send(session, { ...copies, to: 'mia@client.example' }), { kind: 'accepted' })
      const [letter] = taken as Taken[]
      deepEqual(letter?.to, ['mia@client.example', ...copies.cc, ...copies.bcc])
    })

    it(`reaches the others once if further recipients are refused, ${how}`, async () => {
      const refuses = {
        'gone@client.example': '550 5.1.1 No such user',
        'bcc@client.example': '451 Later',
      }
      const { session, taken } = await givenSession({ refuses, hidePIPELINING })
      deepEqual(await send(session, copies), {
        kind: 'accepted',
        refused: [
          { address: 'gone@client.example', code: '5.1.1' },
          { address: 'bcc@client.example', code: '451' },
        ],
      })
      equal(taken.length, 1)
      deepEqual(taken[0]?.to, ['leo@client.example', 'cc@client.example'])
      deepEqual(await send(session), { kind: 'accepted' })
    })
  }

  it('is put off if its first recipient is', async () => {
    const refuses = { 'leo@client.example': '451 4.7.1 Greylisted' }
    const { session, taken } = await givenSession({ refuses })
    const answer = { stage: 'rcpt', words: '451 4.7.1 Greylisted' }
    const deferred = { kind: 'deferred', code: 451, status: '4.7.1', answer }
    deepEqual(await send(session, copies), deferred)
    deepEqual(taken, [])
  })

  it('brings the bytes that were composed', async () => {
    const { session, taken } = await givenSession()
    const mail = await composeLetter(letterOf({ ...copies, html: '<p>Hello</p>' }))
    await session.send(mail)
    ok(taken[0]?.raw.equals(await wholeMail(mail)))
  })

  it('to an address beyond ASCII needs a server that takes them', async () => {
    const wide = { to: '大山@client.example', cc: ['cc@client.example'] }
    const { session, taken, commands } = await givenSession()
    deepEqual(await send(session, wide), { kind: 'accepted' })
    deepEqual(await send(session, { to: wide.to }), { kind: 'accepted' })
    equal(taken.length, 2)
    equal(commands.filter((line) => /^MAIL.*SMTPUTF8/.test(line)).length, 2)

    const plain = await givenSession({ hideSMTPUTF8: true })
    equal(plain.session.takesWide, false)
    const refusal = { kind: 'refused', code: 553, status: '5.6.7' }
    deepEqual(await send(plain.session, wide), refusal)
    deepEqual(await send(plain.session, { to: wide.to }), refusal)
    deepEqual(plain.taken, [])
  })

  it('is unknown if the line breaks within it, and put off if a file cannot be read to its end', async () => {
    let bytes = 0
    const file = (isWhole: boolean) => ({
      ...{ name: 'a.bin', type: 'application/octet-stream', size: 3_000_000, cid: null },
      async *read() {
        for (let i = 0; i < 30; i++) {
          if (!isWhole && i === 20) throw new Error('The database is away.')
          await sleep(2)
          yield Buffer.alloc(100_000, i)
        }
      },
    })
    const broken = await givenSession({ onData: (now) => (now > 1_000_000 ? 'drop' : undefined) })
    deepEqual(await send(broken.session, { files: [file(true)] }), { kind: 'unknown' })
    deepEqual(broken.taken, [])
    ok(broken.session.isOver())

    const unread = await givenSession({
      onData(now) {
        bytes = now
        return undefined
      },
    })
    const handover = await send(unread.session, { ...copies, files: [file(false)] })
    deepEqual(handover, { kind: 'deferred', code: null })
    ok(bytes > 1_000_000, String(bytes))
    deepEqual(unread.taken, [])
    ok(unread.session.isOver())
  })
})
