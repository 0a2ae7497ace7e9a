import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { sandboxDomain } from '../../../rules/sandbox/recipients.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { caller, eventually, startService, type TestService } from '../../support/service.ts'

// The whole life of a campaign in a sandbox, made and looked at through the API alone, on a clock that moves. Beside it, a workspace
// that is no sandbox sends for real. The servers that the accounts of the sandbox name listen here, and count whoever connects.

const names = [
  ...['reply-interested', 'reply-question', 'reply-quote', 'reply-meeting', 'reply-declined'],
  ...['unsubscribe', 'ooo-until-2026-12-07', 'bounce', 'complaint', 'defer-4h', 'quota', 'silent'],
  ...['silent+second', 'reply-interested-after-2h', 'refused', 'no-such-name'],
]
type Touch = {
  person: string
  place: number
  state: string
  reason: string | null
  code: string | null
  messageId: string | null
}

describe('a campaign in a sandbox', function () {
  this.timeout(560_000)
  let service: TestService
  let sink: MailSink
  let listener: Server
  let connections = 0
  before(async () => {
    sink = await testMail()
    listener = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    service = await startService()
  })
  after(async () => {
    await service?.close()
    listener?.close()
  })

  it('has each address do what its name says, and no packet reaches a mail server', async function () {
    const { clock, db } = service
    await clock.set('2026-11-23T09:00:00.000Z')
    await service.work(this.test?.ctx, {
      mailWaitMs: 500,
      lookUpTxt: async () => {
        throw new Error('A sandbox asks no name server.')
      },
    })
    const port = (listener.address() as { port: number }).port
    const server = { host: '127.0.0.1', port, secure: false, user: 'ana', password: 'secret' }
    const admin = await service.administration()
    const made = await admin.call('PUT', '/workspaces/wsp_trial', {
      workspace: { name: 'Trial', timezone: 'Europe/Berlin', mode: 'sandbox', tagging: true },
      members: [{ id: 'mem_trial', name: 'Ana Ruiz', email: 'ana@trial.example' }],
      connections: [
        {
          id: 'con_trial',
          kind: 'email',
          account: 'ana@trial.example',
          member: 'mem_trial',
          limits: { day: 100, week: 500, gapSeconds: 0 },
          smtp: server,
          imap: server,
        },
        { id: 'con_slow', kind: 'email', account: 'ben@trial.example', member: 'mem_trial' },
      ],
      products: [{ id: 'prd_trial', name: 'Sensor', description: 'A sensor for cold rooms' }],
      companies: [{ id: 'com_trial', name: 'Trial Ltd', pitch: 'We keep cold rooms cold.' }],
      agents: [
        {
          ...{ id: 'agt_trial', name: 'Eva', company: 'com_trial', enabled: true },
          ...{ goal: 'Arrange a demo', labels: ['prd_trial'], channels: ['con_trial'] },
          hours: { zone: 'Europe/Berlin', from: '00:00', to: '24:00', daysOff: [] },
        },
      ],
    })
    equal(made.status, 200, made.text)
    const minted = await admin.call('POST', '/workspaces/wsp_trial/tokens', {
      member: 'mem_trial',
      client: 'CRM',
      scopes: ['inbox:read', 'inbox:write', 'send', 'campaigns:write'],
    })
    const call = caller(service.url, minted.body.token)
    equal((await call('GET', '/workspace')).body.mode, 'sandbox')

    // A server that takes more than a minute, in real time; beside it everything else goes on.
    const slow = await call('POST', '/conversations', {
      ...{ to: `slow-70s@${sandboxDomain}`, subject: 'Hello', text: 'Hello.', via: 'con_slow' },
    })
    equal(slow.status, 200, slow.text)
    const began = performance.now()
    const slowness = eventually(
      () => call('GET', `/conversations/${slow.body.conversation.id}/messages`),
      ({ body }) => body.messages[0].state === 'sent',
      200_000,
    ).then(() => performance.now() - began)
    // Awaited below; what fails before that is told instead.
    slowness.catch(() => {})

    const people = new Map<string, string>()
    for (const name of names) {
      const email = `${name}@${sandboxDomain}`
      const { body, text } = await call('POST', '/people', { name, email, city: 'Sandbox' })
      ok(body.id, text)
      people.set(body.id, name)
    }
    const elsewhere = await call('POST', '/people', {
      ...{ name: 'elsewhere', email: 'kim@client.example', city: 'Sandbox' },
    })
    people.set(elsewhere.body.id, 'elsewhere')
    const rules = [{ kind: 'only', field: 'city', in: ['Sandbox'] }]
    const segment = await call('POST', '/segments', { name: 'All', rules })
    equal(segment.body.members, people.size, segment.text)
    const { body: campaign, text } = await call('POST', '/campaigns', {
      ...{ name: 'Autumn', goal: 'Book a demo', segment: segment.body.id, agent: 'agt_trial' },
      places: 2,
    })
    ok(campaign?.id, text)
    const at = `/campaigns/${campaign.id}`
    const templates = [1, 2].map((place) => ({
      ...{ place, subject: place === 1 ? 'Cold rooms – a question' : '' },
      text: `Hello {{ person.name }},\n\nmay I call you? (${place})\n\nEva`,
    }))
    // Calls that wait for a workflow: on a busy machine the answer is fetched by a repeat under the key.
    for (const body of [{ templates }, { agree: [1, 2] }]) {
      const key = randomUUID()
      const letters = () => call('POST', `${at}/letters`, body, { key })
      const prepared = await eventually(letters, ({ status }) => status !== 504, 60_000)
      equal(prepared.status, 200, prepared.text)
    }
    equal((await call('POST', `${at}/state`, { to: 'running' })).status, 200)

    const touches = async (): Promise<Touch[]> =>
      (await call('GET', `${at}/touches?limit=200`)).body.touches
    const outcomes = async (place: number): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await touches())
          .filter((one) => one.place === place)
          .map((one) => [
            people.get(one.person),
            [one.state, ...(one.reason ? [one.reason] : []), ...(one.code ? [one.code] : [])].join(
              ' ',
            ),
          ]),
      )
    /** The funnel looks again when its agent is edited, as after days. */
    const look = (note: string) => call('PATCH', '/agents/agt_trial', { hours: { note } })
    const until = <T>(ask: () => Promise<T>, ready: (value: T) => boolean) =>
      eventually(ask, ready, 120_000)

    // The same Monday: everything but what is put off or comes later.
    const first = await until(
      () => outcomes(1),
      (all) =>
        Object.entries(all).every(([name, state]) =>
          name === 'defer-4h' ? state === 'queued' : !['queued', 'sending'].includes(state),
        ),
    )
    const failed = Object.entries(first).filter(([, state]) => state !== 'sent')
    deepEqual(Object.fromEntries(failed.filter(([name]) => name !== 'bounce')), {
      'defer-4h': 'queued',
      quota: 'failed refused 5.2.2',
      refused: 'failed refused 5.1.1',
      'no-such-name': 'failed refused 5.1.1',
    })
    const intents = async () => {
      const all = (await call('GET', '/conversations?limit=200')).body.conversations as {
        person: string
        intent: string
        waitingFor: string
      }[]
      return Object.fromEntries(
        all
          .map((one) => [people.get(one.person), one.intent] as const)
          .filter(([, intent]) => intent !== 'other'),
      )
    }
    const wanted = {
      'reply-interested': 'interested',
      'reply-question': 'question',
      'reply-quote': 'quote',
      'reply-meeting': 'meeting',
      'reply-declined': 'not_interested',
      unsubscribe: 'unsubscribe',
      'ooo-until-2026-12-07': 'out_of_office',
    }
    await until(intents, (all) => Object.keys(all).length >= Object.keys(wanted).length)
    deepEqual(await intents(), wanted)
    const suppressed = async () =>
      Object.fromEntries(
        (
          (await call('GET', '/suppressions')).body.suppressions as {
            address: string
            reason: string
          }[]
        ).map(({ address, reason }) => [address.split('@')[0], reason]),
      )
    await until(suppressed, (all) => Object.keys(all).length >= 3)
    deepEqual(await suppressed(), {
      bounce: 'bounce',
      complaint: 'complaint',
      unsubscribe: 'unsubscribe',
    })
    const away = [...people].find(([, name]) => name.startsWith('ooo'))?.[0]
    const held = (await call('GET', `/people/${away}`)).body.held
    equal(held?.until?.slice(0, 10), '2026-12-06', JSON.stringify(held))

    // A reply is a whole mail: it quotes the letter, and stands in its thread.
    const person = [...people].find(([, name]) => name === 'reply-interested')?.[0]
    const [conversation] = (await call('GET', `/conversations?person=${person}`)).body.conversations
    const messages = (await call('GET', `/conversations/${conversation.id}/messages`)).body.messages
    const thread = messages.toReversed()
    deepEqual(
      thread.map((one: { direction: string }) => one.direction),
      ['outbound', 'inbound'],
    )
    match(thread[1].text, /I am interested/)
    match(thread[1].text, /> may I call you\? \(1\)/)
    equal(thread[1].inReplyTo, thread[0].id)
    equal(thread[1].subject, 'Re: Cold rooms – a question')

    // Whoever answers by hand is thanked, and then left in peace.
    const write = async (words: string) =>
      equal(
        (await call('POST', `/conversations/${conversation.id}/messages`, { text: words })).status,
        200,
      )
    const received = async () =>
      (
        (await call('GET', `/conversations/${conversation.id}/messages`)).body.messages as {
          direction: string
          text: string
        }[]
      ).filter((one) => one.direction === 'inbound')
    await write('Gladly. Is Friday convenient?')
    const answered = await until(received, (all) => all.length === 2)
    match(answered[0]?.text ?? '', /^Thank you for your answer/)
    await write('Until Friday, then.')

    ok((await slowness) >= 70_000)

    // Four hours later.
    await clock.set('2026-11-23T13:05:00.000Z')
    await look('looked after at one')
    await until(
      () => outcomes(1),
      (all) => all['defer-4h'] === 'sent',
    )
    await until(intents, (all) => all['reply-interested-after-2h'] === 'interested')

    // The follow-ups: to nobody who has answered, and not to whoever is away.
    await clock.set('2026-12-02T09:00:00.000Z')
    await look('looked after on Wednesday')
    const silent = ['elsewhere', 'silent', 'silent+second']
    const gone = (all: Record<string, string>) =>
      Object.keys(all)
        .filter((name) => all[name] === 'sent')
        .sort()
    const later = await until(
      () => outcomes(2),
      (all) => gone(all).length >= silent.length,
    )
    deepEqual(gone(later), silent)
    // Each letter is put off, so the second one is, too.
    equal(later['defer-4h'], 'queued')
    await clock.set('2026-12-02T13:05:00.000Z')
    await look('looked after on Wednesday at two')
    const last = await until(
      () => outcomes(2),
      (all) => all['defer-4h'] === 'sent',
    )
    deepEqual(gone(last), ['defer-4h', ...silent])
    await clock.set('2026-12-07T09:00:00.000Z')
    await look('looked after on Monday')
    await until(
      () => outcomes(2),
      (all) => all['ooo-until-2026-12-07'] === 'sent',
    )
    equal((await received()).length, 2)

    equal(connections, 0)
    deepEqual(
      sink.messages().filter(({ from }) => from?.endsWith('@trial.example')),
      [],
    )

    // A workspace that is no sandbox sends for real, also to the domain of the sandbox, which is no other to it.
    await clock.set('2026-12-07T09:00:00.000Z')
    const real = await givenCampaign(service, sink, { people: 2, domain: sandboxDomain })
    await real.move('running')
    const arrived = await real.arrived(2)
    equal(arrived.length, 2)
    equal(
      (
        await db
          .selectFrom('sandboxLetters')
          .select('recipient')
          .where('workspace', '=', real.id)
          .execute()
      ).length,
      0,
    )
  })
})
