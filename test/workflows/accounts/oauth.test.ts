import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'mocha'
import { closeSessions } from '../../../activities/outgoing/sessions.ts'
import { startReaders } from '../../../db/accounts/mailboxes.ts'
import { settingsOf, sourceOf } from '../../../oauth/provider.ts'
import { shownEvents } from '../../support/events.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenOauth, givenTokens } from '../../support/given-login.ts'
import { mailProgram } from '../../support/inbox.ts'
import type { MailSink } from '../../support/mail.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { testProvider } from '../../support/oauth.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'
import { tokenImap, tokenSmtp } from '../../support/token-mail.ts'

type Workspace = Awaited<ReturnType<TestService['workspace']>>

describe('an account that logs in with tokens', function () {
  this.timeout(120_000)
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService({ ownLinks: true })
    await service.work(
      this.test?.ctx,
      { mailWaitMs: 100, refusedPauseMs: 500 },
      { only: ['rows', 'send', 'remote', 'mail'] },
    )
  })
  after(() => service.close())

  /** An account whose owner has consented, whose access token has expired, and whose mail server checks tokens. */
  async function given(imapPort?: number, made?: Workspace) {
    const { db } = service
    const provider = await testProvider()
    const smtp = await tokenSmtp(provider.accepts)
    const workspace = made ?? (await service.workspace())
    const [id] = workspace.connections
    const servers = { smtpPort: smtp.port, ...(imapPort !== undefined && { imapPort }) }
    const account = await givenOauth(service, id, provider, servers)
    provider.settings.account = account
    const row = await db
      .selectFrom('connections')
      .select(['id', 'account', 'oauth', 'secrets'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const settings = settingsOf(sourceOf({ secretKey }, row))
    const refreshToken = provider.consented(account)
    await givenTokens(service, { id, workspace: workspace.id, settings, refreshToken })
    const { call } = workspace
    const send = async () => {
      const { conversation } = await givenClient(db, workspace, service.clock.now())
      const path = `/conversations/${conversation}/messages`
      const { status, body } = await call('POST', path, { text: 'Hello.' })
      equal(status, 200)
      return body.id as string
    }
    const states = async (messages: string[]) =>
      (
        await db
          .selectFrom('messages')
          .select(['id', 'state'])
          .where('id', 'in', messages)
          .execute()
      ).map(({ state }) => state)
    const sent = (messages: string[]) =>
      eventually(
        () => states(messages),
        (all) => all.every((state) => state === 'sent'),
        60_000,
      )
    const channel = async () =>
      (await call('GET', '/channels')).body.channels.find((one: { id: string }) => one.id === id)
    const told = async () => {
      const events = await shownEvents(service, workspace)
      const { notifications } = (await call('GET', '/notifications')).body
      const ofChannel = ({ kind }: { kind: string }) => kind.startsWith('channel.')
      const kinds = (all: { kind: string }[]) => all.filter(ofChannel).map(({ kind }) => kind)
      return { events: kinds(events), notifications: kinds(notifications) }
    }
    /** The owner opens the link, presses the button and agrees. */
    const consent = async () => {
      const { url } = (await call('POST', `/channels/${id}/connect`, {})).body
      const pressed = await fetch(url, { method: 'POST', redirect: 'manual' })
      const question = await (await fetch(pressed.headers.get('location') ?? '')).text()
      const [, href = ''] = /id="yes" href="([^"]+)"/.exec(question) ?? []
      const cookie = pressed.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      equal((await fetch(href.replaceAll('&amp;', '&'), { headers: { cookie } })).status, 200)
    }
    return {
      ...workspace,
      ...{ connection: id, provider, smtp, account, send, sent, states, channel, told, consent },
    }
  }

  it('sends fifty messages at once with an expired token after one refresh', async () => {
    const { provider, smtp, send, sent } = await given()
    provider.settings.delayMs = 300
    const messages = await Promise.all(Array.from({ length: 50 }, send))
    await sent(messages)
    equal(provider.counts.refreshes, 1)
    equal(smtp.taken.length, 50)
    equal(smtp.logins.refused, 0)
  })

  it('waits for a consent that was taken back, tells of it once, and heals by one click', async () => {
    const { connection, provider, smtp, account, send, sent, states, channel, told, consent } =
      await given()
    const before = [await send()]
    await sent(before)
    provider.revoke(account)
    // A session that is kept goes on until it is closed.
    closeSessions(connection)
    const waiting = await Promise.all(Array.from({ length: 5 }, send))
    const isNeeded = ({ problem }: { problem: string | null }) => problem === 'consent_needed'
    await eventually(channel, isNeeded, 30_000)
    // Long enough for a letter that has been told of the account to be tried again.
    await sleep(1_000)
    deepEqual(new Set(await states(waiting)), new Set(['queued']))
    deepEqual(await told(), {
      events: ['channel.consent_needed'],
      notifications: ['channel.consent_needed'],
    })
    equal(smtp.taken.length, 1)

    await consent()
    await sent(waiting)
    equal(smtp.taken.length, 6)
    equal((await channel()).problem, null)
    deepEqual((await told()).events.sort(), [
      'channel.connected',
      'channel.consent_needed',
      'channel.link_created',
    ])
    equal(provider.counts.refreshes, 2)
  })

  it('holds a campaign that sends through it, until its owner consents', async () => {
    // Its server is the one that is given next.
    const campaign = await givenCampaign(service, { smtpPort: 9 } as MailSink, {
      people: 1,
      places: [1],
    })
    const { provider, account, smtp, consent } = await given(undefined, campaign)
    provider.revoke(account)
    await campaign.move('running')
    await campaign.heldBy('provider')
    equal(smtp.taken.length, 0)
    await consent()
    await comesTo(() => smtp.taken.length, 1, 30_000)
  })

  it('replaces a token that the mail server no longer takes, and goes on', async () => {
    const { connection, provider, smtp, send, sent } = await given()
    const first = [await send()]
    await sent(first)
    provider.expireTokens()
    closeSessions(connection)
    const second = [await send()]
    await sent(second)
    deepEqual([provider.counts.refreshes, smtp.logins.refused], [2, 1])
  })

  it('reads its mailbox with a token, again after a consent', async function () {
    this.timeout(180_000)
    const mailboxes = await testMailboxes(this.test?.ctx as Context)
    let accepts = (_user: string, _token: string) => false
    const imap = await tokenImap(mailboxes.imapPort, (user, token) => accepts(user, token))
    const ana = await given(imap.port)
    const { id: workspace, connection, call, account, provider, consent, channel, told } = ana
    accepts = provider.accepts
    provider.revoke(account)
    const { db } = service
    await db.transaction().execute((trx) => startReaders(trx, [{ id: connection, workspace }]))
    await eventually(channel, ({ problem }) => problem === 'consent_needed', 30_000)
    await consent()
    const write = mailProgram(mailboxes)
    await write({ from: 'kim@client.example', to: account, subject: 'A question', text: 'Hello?' })
    const subjects = async () =>
      (await call('GET', '/conversations')).body.conversations.map(
        ({ subject }: { subject: string }) => subject,
      )
    await eventually(subjects, (all) => all.includes('A question'), 90_000)
    ok(imap.logins.good > 0)
    await comesTo(async () => (await channel()).problem, null, 30_000)
    deepEqual((await told()).notifications, ['channel.consent_needed'])
  })

  it('logs in once more with another token when its server ends the session with the token', async function () {
    const mailboxes = await testMailboxes(this.test?.ctx as Context)
    let accepts = (_user: string, _token: string) => false
    const imap = await tokenImap(mailboxes.imapPort, (user, token) => accepts(user, token))
    const ana = await given(imap.port)
    const { id: workspace, connection, call, account, provider, channel, told } = ana
    accepts = provider.accepts
    const { db } = service
    await db.transaction().execute((trx) => startReaders(trx, [{ id: connection, workspace }]))
    const write = mailProgram(mailboxes)
    const subjects = async () =>
      (await call('GET', '/conversations')).body.conversations.map(
        ({ subject }: { subject: string }) => subject,
      )
    await write({ from: 'kim@client.example', to: account, subject: 'Before', text: 'Hello?' })
    await eventually(subjects, (all) => all.includes('Before'), 60_000)
    deepEqual([imap.logins, provider.counts.refreshes], [{ good: 1, refused: 0 }, 1])

    provider.expireTokens()
    imap.end('Session invalidated - AccessTokenExpired')
    await write({ from: 'kim@client.example', to: account, subject: 'After', text: 'Hello?' })
    await eventually(subjects, (all) => all.includes('After'), 60_000)
    deepEqual([imap.logins, provider.counts.refreshes], [{ good: 2, refused: 1 }, 2])
    equal((await channel()).problem, null)
    deepEqual((await told()).notifications, [])
  })
})
