import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, type Message, testMail } from '../../support/mail.ts'
import { eventually, reaches, type SharedService, sharedService } from '../../support/service.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

const demo = { title: 'Demo', day: '2026-11-26', start: '10:00', minutes: 30 }

describe('a letter that is not written by a person', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  it('says so in its headers (RFC 3834), and one written by a member does not', async () => {
    const { call, id, connections, emails, move, arrived } = await givenCampaign(service, mail, {
      people: 1,
    })
    await move('running')
    await arrived(1)
    const at = service.clock.now()
    const email = `cleo-${randomUUID()}@client.example`
    const [person = ''] = await givenPeople(service.db, id, [{ name: 'Cleo', email }], at)
    const given = { person, connection: connections[0], from: email, at }
    const conversation = `/conversations/${await givenConversation(service.db, id, given)}`
    await call('POST', `${conversation}/messages`, { text: 'By hand.' })
    await call('POST', `${conversation}/tasks`, { text: 'Write: Hello.', due: at.toISOString() })
    await call('POST', '/calendar/meetings', { ...demo, guests: [email] })

    const mails = await eventually(
      async () =>
        mail.messages().filter(({ to }) => to.some((to) => [email, ...emails].includes(to))),
      ({ length }) => length === 4,
      30_000,
    )
    const kindOf = ({ to, text, subject }: Message) =>
      to.some((address) => emails.includes(address))
        ? 'campaign'
        : /^Invitation/.test(subject ?? '')
          ? 'invitation'
          : /By hand/.test(text)
            ? 'by hand'
            : 'task'
    const said = mails.map((message) => [
      kindOf(message),
      message.headers.filter(({ name }) => name === 'auto-submitted').map(({ value }) => value),
    ])
    deepEqual(Object.fromEntries(said), {
      campaign: ['auto-generated'],
      'by hand': [],
      task: ['auto-generated'],
      invitation: ['auto-generated'],
    })
  })
})

describe('guests that an account may invite on a day', function () {
  this.timeout(120_000)
  this.retries(retries)
  let time: SkippedTime
  before(async function () {
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())
  beforeEach(() => time.begin('2026-11-23T09:00:00Z'))

  it('are as many as its daily limit; further ones wait for the next day, and a member is notified once', async () => {
    const { service, mail } = time
    const limits = { day: 22, week: 250, gapSeconds: 0 }
    const room = await service.workspace({ smtpPort: mail.smtpPort, limits, timezone: 'Etc/UTC' })
    const { id, call, connections, member } = room
    const guests = (n: number) =>
      Array.from({ length: 15 }, (_, i) => `g${n}-${i}-${id}@client.example`.toLowerCase())
    const arrived = () =>
      mail.messages().filter(({ to }) => to[0]?.endsWith(`${id}@client.example`.toLowerCase()))
    const unsettled = async () =>
      service.db
        .selectFrom('invitations')
        .select(['id', 'nextTryAt'])
        .where('workspace', '=', id)
        .where('state', 'in', ['queued', 'sending'])
        .execute()
    const book = async (n: number) => {
      const meeting = { ...demo, start: `1${n}:00`, guests: guests(n) }
      const { status, body } = await call('POST', '/calendar/meetings', meeting)
      equal(status, 200)
      return body.id as string
    }
    const first = await book(1)
    await book(2)
    const waiting = await eventually(
      unsettled,
      (rows) => rows.length === 8 && rows.every(({ nextTryAt }) => nextTryAt !== null),
      60_000,
    )
    equal(arrived().length, 22)
    for (const { nextTryAt } of waiting) equal(nextTryAt?.toISOString(), '2026-11-24T00:00:00.000Z')
    // A cancellation goes to everybody who was invited, whatever the day's limit; invitations that waited are not sent.
    await call('DELETE', `/calendar/meetings/${first}`)
    await reaches(
      () => arrived().filter(({ subject }) => /^Cancelled/.test(subject ?? '')).length,
      7,
      60_000,
    )
    const cancelled = arrived().filter(({ subject }) => /^Cancelled/.test(subject ?? '')).length
    const { notifications } = (await call('GET', '/notifications')).body
    const told = notifications.filter(({ kind }: { kind: string }) => kind === 'invitation.waiting')
    equal(told.length, 1)
    const used = await service.db
      .selectFrom('connectionUsage')
      .select('used')
      .where('connection', '=', connections[0])
      .executeTakeFirst()
    ok(Number(used?.used) >= 22 + cancelled && member)

    await time.skipTo('2026-11-24T00:05:00Z')
    await eventually(unsettled, (rows) => rows.length === 0, 60_000)
    const invited = arrived().filter(({ subject }) => /^Invitation/.test(subject ?? ''))
    const second = new Set(guests(2))
    equal(invited.filter(({ to }) => second.has(to[0] ?? '')).length, 15)
    equal(new Set(invited.map(({ to }) => to[0])).size, invited.length)
  })
})
