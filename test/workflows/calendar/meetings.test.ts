import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { reviveInvitations } from '../../../activities/operations/upkeep.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { retryNow } from '../../../workflows/signals.ts'
import { type MailSink, type Message, testMail } from '../../support/mail.ts'
import { opened } from '../../support/opened-invitation.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const demo = { title: 'Demo, with "quotes"', day: '2026-11-24', start: '10:00', minutes: 30 }

describe('invitations to meetings', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  // Ends an attempt at a point, as a worker's death would; another attempt follows.
  let crash: (point: string) => void = () => {}

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    const deps = { crash: (point: string) => crash(point) }
    await service.work(this.test?.ctx, deps, { only: ['rows', 'send', 'remote'] })
  })
  after(() => service.close())
  afterEach(() => {
    crash = () => {}
    mail.script({})
  })

  async function room(timezone = 'Europe/Berlin') {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort, timezone })
    const { id, call } = workspace
    const kim = `kim-${id}@client.example`.toLowerCase()
    const bo = `bo-${id}@client.example`.toLowerCase()
    const mails = (to = kim) => mail.messages().filter((message) => message.to.includes(to))
    return {
      ...workspace,
      kim,
      bo,
      mails,
      arrived: (n: number, to = kim) =>
        eventually(
          async () => mails(to),
          (all) => all.length === n,
          30_000,
        ),
      async book(more: object = {}) {
        const { status, body } = await call('POST', '/calendar/meetings', {
          ...demo,
          guests: [kim],
          ...more,
        })
        equal(status, 200)
        return body
      },
      cancel: (meeting: string) => call('DELETE', `/calendar/meetings/${meeting}`),
      rows: (meeting: string) =>
        service.db
          .selectFrom('invitations')
          .select(['address', 'method', 'state', 'reason'])
          .where('meeting', '=', meeting)
          .orderBy('id')
          .execute(),
      /** Invitations that the server has deferred. */
      putOff: (meeting: string) =>
        service.db
          .selectFrom('invitations')
          .select('id')
          .where('meeting', '=', meeting)
          .where('nextTryAt', 'is not', null)
          .execute(),
    }
  }

  it('are opened by calendar programs: METHOD, VTIMEZONE, UID, organizer and guest', async () => {
    const { id, book, kim, bo, arrived, connections } = await room()
    const agenda = 'Prices; dates,\nand more'
    const meeting = await book({ guests: [kim, bo], agenda })
    const [message] = await arrived(1)
    ok(message)
    const { event, zone, method, part, file, text } = await opened(message)
    equal(method, 'REQUEST')
    match(message.raw, /^Content-Type: text\/calendar; charset=utf-8; method=REQUEST/im)
    equal(part?.method, 'REQUEST')
    equal(String(file?.content).replaceAll('\r\n', '\n').trim(), text.trim())
    equal((zone as { tzid?: string }).tzid, 'Europe/Berlin')
    equal(event.uid, `${meeting.id}@postroom`)
    equal(event.start.toISOString(), meeting.startsAt)
    equal(event.end?.toISOString(), meeting.endsAt)
    equal(event.start.tz, 'Europe/Berlin')
    deepEqual([event.summary, event.description], [demo.title, agenda])
    equal(Number(event.sequence), 0)
    match(text, /^DTSTAMP:\d{8}T\d{6}Z$/m)
    const account = `ana-${id.slice(4)}@us.example`
    match(
      text.replaceAll('\n ', ''),
      new RegExp(`^ORGANIZER;CN="Ana Ruiz":mailto:${account}$`, 'm'),
    )
    deepEqual(
      [event.attendee ?? []]
        .flat()
        .map((attendee) => (attendee as { val: string }).val.toLowerCase()),
      [`mailto:${kim}`, `mailto:${bo}`],
    )
    equal(message.from, account)
    match(message.text, /Tuesday, 24 November 2026, 10:00–10:30 \(Europe\/Berlin\)/)
    const [other] = await arrived(1, bo)
    equal((await opened(other as Message)).event.uid, event.uid)
    const used = await service.db
      .selectFrom('connectionUsage')
      .select('used')
      .where('connection', '=', connections[0])
      .execute()
    deepEqual(used, [{ used: 2 }])
  })

  for (const zone of ['America/Mexico_City', 'Europe/Kyiv'])
    it(`give the current time of ${zone}`, async () => {
      const { book, arrived } = await room(zone)
      await book({ day: '2027-07-01' })
      const [message] = await arrived(1)
      const { text, event } = await opened(message as Message)
      const offset = zone === 'Europe/Kyiv' ? '+0300' : '-0600'
      match(text, new RegExp(`^TZOFFSETTO:\\${offset}$`, 'm'))
      match(text, new RegExp(`^DTSTART;TZID=${zone}:20270701T100000$`, 'm'))
      equal(
        event.start.toISOString(),
        zone === 'Europe/Kyiv' ? '2027-07-01T07:00:00.000Z' : '2027-07-01T16:00:00.000Z',
      )
    })

  it('are withdrawn by METHOD:CANCEL with the same UID and the next SEQUENCE', async () => {
    const { book, cancel, arrived } = await room()
    const meeting = await book()
    await arrived(1)
    equal((await cancel(meeting.id)).status, 200)
    const [request, message] = await arrived(2)
    const [before, after] = [await opened(request as Message), await opened(message as Message)]
    equal(after.method, 'CANCEL')
    equal(after.event.uid, before.event.uid)
    deepEqual([Number(before.event.sequence), Number(after.event.sequence)], [0, 1])
    equal(after.event.status, 'CANCELLED')
    const inReplyTo = message?.headers.find(({ name }) => name.toLowerCase() === 'in-reply-to')
    equal(inReplyTo?.value, request?.messageId)
    await cancel(meeting.id)
    equal((await arrived(2)).length, 2)
  })

  it('are not withdrawn from a guest they never reached', async () => {
    const { book, cancel, kim, bo, arrived, mails, rows } = await room()
    mail.script({ onRcpt: (address) => (address === bo ? { code: 550 } : undefined) })
    const meeting = await book({ guests: [kim, bo] })
    await arrived(1)
    await eventually(
      () => rows(meeting.id),
      (all) => all.every(({ state }) => state !== 'queued' && state !== 'sending'),
    )
    await cancel(meeting.id)
    await arrived(2)
    await eventually(
      () => rows(meeting.id),
      (all) => all.every(({ state }) => state !== 'sending'),
    )
    deepEqual(
      (await rows(meeting.id))
        .map(({ address, method, state, reason }) =>
          [address === kim ? 'kim' : 'bo', method, state, reason].join(' '),
        )
        .sort(),
      ['bo request failed refused', 'kim cancel sent ', 'kim request sent '],
    )
    equal(mails(bo).length, 0)
  })

  it('that wait for the mail server are not sent once the meeting is cancelled', async () => {
    const { book, cancel, mails, rows } = await room()
    mail.script({ onRcpt: () => ({ code: 451 }) })
    const meeting = await book()
    await eventually(
      () => rows(meeting.id),
      ([row]) => row?.state === 'queued',
    )
    await cancel(meeting.id)
    mail.script({})
    deepEqual(
      (await rows(meeting.id)).map(({ method, state }) => `${method} ${state}`),
      ['request cancelled'],
    )
    equal(mails().length, 0)
  })

  it('are unconfirmed when the server takes one and hangs up, and are never resent automatically', async () => {
    const { book, kim, mails, rows, member } = await room()
    mail.script({ onAccepted: ({ to }) => (to[0] === kim ? 'drop' : undefined) })
    const meeting = await book()
    const unconfirmed = await eventually(
      () => rows(meeting.id),
      ([row]) => row?.reason === 'unconfirmed',
    )
    equal(unconfirmed[0]?.state, 'sending')
    equal(mails().length, 1)
    const told = await service.db
      .selectFrom('notifications')
      .select('kind')
      .where('member', '=', member)
      .execute()
    deepEqual(told, [{ kind: 'meeting.invitation' }])
  })

  // The worker dies once at every step of a booking and of its mail.
  for (const point of ['before-claim', 'after-claim', 'after-handover', 'after-settle'])
    it(`arrive at most once when a worker dies at ${point}`, async () => {
      const { book, mails, rows } = await room()
      let died = 0
      crash = (at) => {
        if (at === point && died++ === 0) throw new Error('died')
      }
      const meeting = await book()
      const [row] = await eventually(
        () => rows(meeting.id),
        ([one]) => one?.state === 'sent' || one?.reason === 'unconfirmed',
        30_000,
      )
      ok(died > 0)
      // Only settled invitations, and those never claimed, are known to have been sent or not.
      const known = point === 'before-claim' || point === 'after-settle'
      equal(row?.state, known ? 'sent' : 'sending')
      equal(mails().length, point === 'after-claim' ? 0 : 1)
    })

  it('whose workflow was lost are resumed, and go once', async () => {
    const { id, kim, book, mails, rows } = await room()
    const meeting = await book({ guests: [] })
    const dueAt = new Date(service.clock.now().getTime() - 30 * 60_000)
    const lost = { workspace: id, meeting: meeting.id, method: 'request' as const, sequence: 0 }
    await service.db
      .insertInto('invitations')
      .values({ ...lost, id: `inv_${id}`, address: kim, dueAt })
      .execute()
    const log = createLog('test', 'silent')
    const deps = { ...service, log, workflowState: async () => 'closed' as const }
    await reviveInvitations(deps, () => {})
    await eventually(
      () => rows(meeting.id),
      ([row]) => row?.state === 'sent',
    )
    await reviveInvitations(deps, () => {})
    equal(mails().length, 1)
  })

  it('leave nothing private in what operators see of their workflows', async function () {
    const { id, call, kim, arrived, putOff } = await room()
    const key = randomUUID()
    const body = { ...demo, title: 'Secret plans', agenda: 'The merger', guests: [kim] }
    mail.script({ onRcpt: () => ({ code: 451, text: `${kim} is busy` }) })
    const { body: meeting } = await call('POST', '/calendar/meetings', body, { key })
    const mails = await eventually(
      () => putOff(meeting.id),
      (found) => found.length === 1,
    )
    mail.script({})
    const client = await testClient(this.test?.ctx as Mocha.Context)
    await client.workflow.getHandle(mails[0]?.id ?? '').executeUpdate(retryNow)
    await arrived(1)
    for (const workflow of [`${id}:${key}`, ...mails.map((one) => one.id)]) {
      const history = historyToJSON(await client.workflow.getHandle(workflow).fetchHistory())
      const decoded = history.replace(/"data": ?"([^"]*)"/g, (_, data) =>
        Buffer.from(data, 'base64').toString(),
      )
      match(decoded, /mtg_|inv_/)
      for (const secret of ['Secret', 'merger', kim, 'us.example'])
        equal(decoded.includes(secret), false, secret)
    }
  })

  it('are sent once for simultaneous identical calls', async () => {
    const { call, kim, arrived, rows } = await room()
    const key = randomUUID()
    const body = { ...demo, guests: [kim] }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/calendar/meetings', body, { key })),
    )
    equal(new Set(replies.map(({ text }) => text)).size, 1)
    await arrived(1)
    equal((await rows(replies[0]?.body.id)).length, 1)
  })
})
