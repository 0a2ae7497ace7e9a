import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { askAhead, closeSessions, takeSession } from '../../../activities/outgoing/sessions.ts'
import { composeLetter } from '../../../activities/ports/mail/compose.ts'
import { openSmtp } from '../../../activities/ports/mail/smtp.ts'
import { seal } from '../../../db/secrets.ts'
import { registry } from '../../../process/telemetry/metrics.ts'
import { certificate, certificateKey, certificateName } from '../../support/certificate.ts'
import { countedMail, type MailRules } from '../../support/counted-mail.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'

// A session whose server has answered within a second is used without being asked.
const unfreshMs = 1_050

describe('a mail session', function () {
  this.timeout(60_000)
  let service: TestService
  before(async function () {
    service = await startService()
    const only = ['rows', 'send', 'remote'] as const
    await service.work(this.test?.ctx, { refusedPauseMs: 500 }, { only })
  })
  after(() => service.close())

  async function account(rules: MailRules = {}) {
    const { db, clock } = service
    const mail = await countedMail(rules)
    const limits = { day: 1000, week: 1000, gapSeconds: 0 }
    const workspace = await service.workspace({ smtpPort: mail.port, limits })
    const { call, connections } = workspace
    const accept = async (text: string) => {
      const { conversation } = await givenClient(db, workspace, clock.now())
      const key = randomUUID()
      const { body } = await call(
        'POST',
        `/conversations/${conversation}/messages`,
        { text },
        { key },
      )
      return { id: body.id as string, key }
    }
    const ended = async ({ key }: { key: string }) => {
      const operation = async () => (await call('GET', `/operations/${key}`)).body
      const { state } = await eventually(operation, ({ state: now }) => now === 'done', 45_000)
      return state as string
    }
    const send = async (text: string) => ended(await accept(text))
    const unconfirmed = () =>
      db
        .selectFrom('messages')
        .select('id')
        .where('workspace', '=', workspace.id)
        .where('reason', '=', 'unconfirmed')
        .execute()
    const problem = async () =>
      (await call('GET', '/channels')).body.channels.find(
        ({ id }: { id: string }) => id === connections[0],
      ).problem as string | null
    const change = (set: { smtp?: string; secrets?: string }) =>
      db.updateTable('connections').set(set).where('id', '=', connections[0]).execute()
    return {
      mail,
      call,
      connection: connections[0],
      accept,
      ended,
      send,
      unconfirmed,
      problem,
      change,
    }
  }

  /** An account whose letters go one after the other, without a workflow. */
  async function byHand() {
    const state = { refuses: false }
    const mail = await countedMail({
      onLogin: () => (state.refuses ? { code: 421, text: '4.7.0 Too many sessions' } : undefined),
    })
    const open = () => openSmtp(mail.settings, 'secret')
    const account = { id: randomUUID(), smtp: mail.settings, secrets: null }
    const from = { name: 'Ana', address: 'ana@us.example' }
    const letter = await composeLetter({
      ...{ from, to: 'kim@client.example', subject: 'Hello', text: 'Hello Kim', automated: false },
      ...{ messageId: '<hello@us.example>', inReplyTo: null, references: [], date: new Date() },
    })
    const send = async () => {
      const session = await takeSession(account, { open, openAhead: open })
      equal((await session.send(letter)).kind, 'accepted')
      session.release()
    }
    return { mail: Object.assign(state, mail), send }
  }

  const tooMany = { code: 421, text: '4.7.0 Too many messages in this session' }

  it('carries many letters, of which the first few log in', async () => {
    const { mail, accept, ended } = await account()
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => accept(`Letter ${i}`)))
    for (const one of all) equal(await ended(one), 'done')
    equal(mail.letters.length, 50)
    equal(new Set(mail.letters.map(({ to }) => to)).size, 50)
    ok(mail.count.logins <= 6, `${mail.count.logins} logins`)
  })

  it('that is used up soon is followed by one that was opened ahead, where letters come fast', async () => {
    const { mail, send } = await byHand()
    for (let i = 0; i < 49; i++) await send()
    equal(mail.count.logins, 1)
    await send()
    await comesTo(() => mail.count.logins, 2)
    mail.refuses = true
    for (let i = 50; i < 150; i++) await send()
    deepEqual([mail.letters.length, mail.count.logins, mail.count.refused], [150, 2, 0])
  })

  it('is followed by one that a letter opens, where the server would not have another one beside it', async () => {
    const { mail, send } = await byHand()
    for (let i = 0; i < 49; i++) await send()
    mail.refuses = true
    await send()
    await comesTo(() => mail.count.refused, 1)
    mail.refuses = false
    for (let i = 50; i < 101; i++) await send()
    deepEqual([mail.letters.length, mail.count.logins, mail.count.refused], [101, 2, 1])
  })

  it('is opened anew after a restart of the server, between two letters and without a pause', async () => {
    const { mail, send, unconfirmed } = await account()
    await send('Before')
    await mail.stop()
    await mail.restart()
    await send('After')
    equal(mail.letters.length, 2)
    equal(mail.count.logins, 2)
    deepEqual(await unconfirmed(), [])
  })

  it('that its server ended, or no longer reads from, is replaced before the next letter', async () => {
    const { mail, send, unconfirmed } = await account()
    await send('First')
    mail.hangUp()
    await send('Second')
    await sleep(unfreshMs)
    mail.goDeaf()
    await send('Third')
    equal(mail.letters.length, 3)
    equal(mail.count.logins, 3)
    deepEqual(await unconfirmed(), [])
  })

  it('is asked ahead of a letter whether its server is there, and not again by the letter', async () => {
    const { connection, mail, send } = await account()
    await send('First')
    askAhead(connection)
    await send('Second')
    equal(mail.count.resets, 0)
    await sleep(unfreshMs)
    askAhead(connection)
    askAhead(connection)
    await comesTo(() => mail.count.resets, 1)
    await send('Third')
    deepEqual(mail.count, { sessions: 1, logins: 1, refused: 0, resets: 1 })
    await sleep(unfreshMs)
    mail.goDeaf()
    askAhead(connection)
    await send('Fourth')
    deepEqual([mail.letters.length, mail.count.logins], [4, 2])
  })

  it('may end at any moment between two letters, and each of them arrives once', async () => {
    const { mail, accept, ended, unconfirmed } = await account()
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => accept(`Letter ${i}`)))
    const ends = setInterval(mail.hangUpIdle, 30)
    try {
      await reaches(() => mail.letters.length, 30, 40_000)
    } finally {
      clearInterval(ends)
    }
    for (const one of all) equal(await ended(one), 'done')
    equal(mail.letters.length, 40)
    equal(new Set(mail.letters.map(({ to }) => to)).size, 40)
    deepEqual(await unconfirmed(), [])
  })

  it('that may carry only so many letters is followed by another one, and no letter waits', async () => {
    for (const answer of [tooMany, { code: 452, text: '4.5.3 Too many messages' }]) {
      const onLetter = ({ letters }: { letters: number }) => (letters >= 3 ? answer : undefined)
      const { mail, send, unconfirmed, problem } = await account({ onLetter })
      for (let i = 0; i < 7; i++) await send(`Letter ${i}`)
      equal(mail.letters.length, 7)
      equal(mail.count.logins, 3)
      equal(await problem(), null)
      deepEqual(await unconfirmed(), [])
    }
  })

  it('whose letter was refused is cleared, and carries the next one', async () => {
    let refuses = true
    const onLetter = () => (refuses ? { code: 552, text: '5.3.4 Too large' } : undefined)
    const { mail, accept, send, call } = await account({ onLetter })
    const { key } = await accept('Refused')
    const operation = async () => (await call('GET', `/operations/${key}`)).body
    await eventually(operation, ({ state }) => state === 'failed')
    refuses = false
    await send('Taken')
    equal(mail.letters.length, 1)
    equal(mail.count.logins, 1)
  })

  it('is kept under STARTTLS too', async () => {
    const { send, change } = await account()
    const encrypted = await countedMail({}, { key: certificateKey, cert: certificate })
    await change({
      smtp: JSON.stringify({
        ...encrypted.settings,
        tls: { ca: certificate, servername: certificateName },
      }),
    })
    await send('First')
    await sleep(unfreshMs)
    await send('Second')
    equal(encrypted.letters.length, 2)
    equal(encrypted.count.logins, 1)
  })

  it('of another password or another server is not used', async () => {
    const passwords: string[] = []
    const onLogin = (_: string, password: string) => void passwords.push(password)
    const { mail, send, change, connection } = await account({ onLogin })
    await send('First')
    const place = { in: 'connections.secrets', id: connection } as const
    await change({ secrets: seal(secretKey, { smtp: 'changed' }, place) })
    await send('Second')
    deepEqual(passwords, ['secret', 'changed'])
    const other = await countedMail()
    await change({ smtp: JSON.stringify(other.settings) })
    await send('Third')
    deepEqual([mail.letters.length, other.letters.length], [2, 1])
  })

  it('of an account that a check found in trouble is not used', async () => {
    let refuses = false
    const onLogin = () => (refuses ? { code: 535, text: '5.7.8 No' } : undefined)
    const { mail, call, accept, ended, send } = await account({ onLogin })
    await send('First')
    refuses = true
    await call('POST', '/senders/health/check', {})
    const second = await accept('Second')
    // As long as a letter takes that is not held.
    await sleep(1_000)
    equal(mail.letters.length, 1)
    refuses = false
    await call('POST', '/senders/health/check', {})
    equal(await ended(second), 'done')
  })

  it('is counted while it is open, and closed when nothing needs it', async () => {
    const { mail, send } = await account()
    closeSessions()
    await send('Hello')
    const open = async () => {
      const text = await registry.getSingleMetricAsString('postroom_smtp_sessions')
      return Object.fromEntries(
        [...text.matchAll(/\{state="(\w+)"\} (\d+)/g)].map(([, state, n]) => [state, Number(n)]),
      )
    }
    deepEqual(await open(), { busy: 0, idle: 1 })
    closeSessions()
    deepEqual(await open(), { busy: 0, idle: 0 })
    equal(mail.count.sessions, 1)
  })
})
