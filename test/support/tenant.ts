import { equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { givenMailboxes, mailProgram } from './inbox.ts'
import type { TestMailboxes } from './mailboxes.ts'
import * as reports from './reports.ts'
import { eventually, type TestService } from './service.ts'
import { snapshotOf } from './snapshot.ts'

// A tenant's day: people, lists, letters and conversations, the same for every tenant, in the same words and under the same
// Idempotency-Keys; and what only a busy one meets with.

const people = ['vera', 'viktor', 'willa'].map((name) => ({
  name: `${name} Client`,
  email: `${name}@client.example`,
}))
const [vera, viktor, willa] = people.map(({ email }) => email) as [string, string, string]
const csv = (rows: string[]) => Buffer.from(['email,name', ...rows].join('\n')).toString('base64')

export async function tenantsDay(service: TestService, mail: TestMailboxes, busy: boolean) {
  const given = await service.workspace({ smtpPort: mail.smtpPort })
  await givenMailboxes(service, mail, given.connections)
  const { account } = await service.db
    .selectFrom('connections')
    .select('account')
    .where('id', '=', given.connections[0])
    .executeTakeFirstOrThrow()
  const send = mailProgram(mail)
  const keys: string[] = []
  const get = async (path: string) => (await given.call('GET', path)).body
  /** A change under a key that other tenants use too, repeated while it is carried out. */
  const change = async (method: string, path: string, body: object, key: string) => {
    keys.push(key)
    const reply = await eventually(
      () => given.call(method, path, body, { key }),
      ({ status }) => status !== 504,
      60_000,
    )
    equal(`${method} ${path} ${reply.status}`, `${method} ${path} 200`, reply.text)
    return reply.body
  }
  const until = <T>(ask: () => Promise<T>, ready: (value: T) => boolean) =>
    eventually(ask, ready, 60_000)

  const cards: Record<string, string> = {}
  for (const [i, person] of people.entries())
    cards[person.email] = (await change('POST', '/people', person, `person-${i}`)).id
  const rows = ['vera@client.example,Vera Client', busy ? 'xenia@x.example,X' : 'yann@y.example,Y']
  await change(
    'POST',
    '/people/import',
    { file: { name: 'people.csv', content: csv(rows) }, commit: true },
    'import-1',
  )
  const tag = { label: given.product, side: 'buyer' }
  await change('POST', `/people/${cards[vera]}/tags`, tag, 'tag-1')
  const parties = { seller: cards[viktor], buyer: cards[vera], agent: given.agent }
  const deal = await change('POST', '/deals', { label: given.product, ...parties }, 'deal-1')
  await change(
    'POST',
    '/webhooks',
    { url: 'https://1.1.1.1/', kinds: ['webhook.deleted'] },
    'hook-1',
  )
  const rule = { do: 'add', field: 'sender', value: '@client.example', member: given.member }
  await change('POST', '/routing', rule, 'rule-1')
  const meeting = { title: 'Demo', day: '2026-12-01', start: '10:00', minutes: 30 }
  const { id: booked } = await change(
    ...(['POST', '/calendar/meetings', { ...meeting, guests: [vera] }, 'meeting-1'] as const),
  )

  // Letters to the three, in a campaign.
  const segment = (await change('POST', '/segments', { query: 'nobody at all' }, 'segment-1')).id
  await change('POST', `/segments/${segment}/people`, { people: [vera, viktor, willa] }, 'add-1')
  const campaign = { name: 'Autumn', goal: 'Book a demo', segment, agent: given.agent }
  const { id } = await change('POST', '/campaigns', campaign, 'campaign-1')
  const places = { write: [1, 2, 3], agree: [1, 2, 3] }
  await change('POST', `/campaigns/${id}/letters`, places, 'letters-1')
  await change('POST', `/campaigns/${id}/state`, { to: 'running' }, 'start-1')
  const touches = async (): Promise<{ state: string; reason: string | null }[]> =>
    (await get(`/campaigns/${id}/touches`)).touches
  await until(touches, (all) => all.filter(({ state }) => state === 'sent').length === 3)

  // A client asks, and is answered.
  await send({ from: vera, to: account, subject: 'Prices', text: 'What does it cost?' })
  const talks = async (): Promise<{ id: string; subject: string }[]> =>
    (await get('/conversations')).conversations
  const talk = (await until(talks, (all) => all.some(({ subject }) => subject === 'Prices'))).find(
    ({ subject }) => subject === 'Prices',
  )?.id
  await change('POST', `/conversations/${talk}/labels`, { name: 'Prices' }, 'label-1')
  await change('POST', `/conversations/${talk}/messages`, { text: 'Ten a month.' }, 'message-1')
  const outbound = async (): Promise<{ state: string }[]> =>
    (await get(`/conversations/${talk}/messages`)).messages
  await until(outbound, (all) => all.some(({ state }) => state === 'sent'))

  if (busy) {
    const letterTo = (address: string) => {
      const letter = mail.sink
        .messages()
        .find(({ from, to }) => from.includes(account) && to[0] === address)
      if (!letter) throw new Error(`No letter to ${address}`)
      return letter
    }
    const report = (recipient: string) => ({
      to: account,
      recipient,
      letter: letterTo(recipient),
    })
    await send(reports.complaint(report(vera)))
    await send(reports.bounce({ ...report(viktor), status: '5.1.1' }))
    const asked = { subject: 'Re: Hello', text: 'Please unsubscribe me.' }
    const inReplyTo = letterTo(willa).messageId as string
    await send({ from: willa, to: account, ...asked, inReplyTo })
    await until(touches, (all) => all.every(({ state }) => state === 'sent' || state === 'failed'))
    await change('POST', `/conversations/${talk}/notes`, { text: 'Angry.' }, 'note-1')
    await change('PATCH', `/conversations/${talk}`, { closed: true, reason: 'other' }, 'close-1')
    await change('DELETE', `/people/${cards[vera]}/tags`, tag, 'untag-1')
    await change('PATCH', `/deals/${deal.id}`, { closed: true }, 'deal-2')
    await change('PATCH', `/people/${cards[vera]}`, { city: 'Berlin' }, 'edit-1')
    await change('POST', '/routing', { do: 'switch', enabled: true }, 'rule-2')
    await change('POST', '/routing/apply', {}, 'apply-1')
    await change('DELETE', `/calendar/meetings/${booked}`, {}, 'meeting-2')
    await change('POST', `/campaigns/${id}/state`, { to: 'paused' }, 'pause-1')
    await change('PATCH', `/agents/${given.agent}`, { knowledge: 'They are angry.' }, 'agent-1')
    await change('PATCH', '/workspace', { tagging: false }, 'workspace-1')
    await change('POST', '/notifications/read', {}, 'read-1')
  }

  const own = given.id.slice('wsp_'.length)
  /** Nothing more happens: its events and operations stay the same for a while. */
  async function settled() {
    for (let before = ''; ; ) {
      const said = JSON.stringify([
        await get('/events?limit=200'),
        await get('/operations?limit=200'),
      ])
      if (said === before) return
      before = said
      await sleep(1_000) // For so long.
    }
  }

  return {
    /** All that its reads say once its accounts are checked, what it may send, and what it has sent to whom. */
    async outcome(key: string) {
      await change('POST', '/senders/health/check', {}, key)
      const refused = []
      for (const to of [vera, viktor, willa]) {
        const text = { text: 'One more thing.', to, sendAt: '2027-01-04T09:00:00Z' }
        const at = `/conversations/${talk}/messages`
        const reply = await given.call('POST', at, text, { key: `${key}-${to}` })
        refused.push(`${to} ${reply.status} ${reply.body.code ?? ''}`)
        // One that is taken waits for its time; until its workflow has begun, it says something else.
        if (reply.status === 200)
          await until(
            () => get(`/operations/${key}-${to}`),
            ({ state }) => state === 'waiting',
          )
      }
      const sent = mail.sink.messages().filter(({ from }) => from.includes(own))
      const letters = sent.map(({ to, subject }) => `${to} ${subject}`).sort()
      await settled()
      const { answers, ids } = await snapshotOf(given.call, keys, own)
      return { said: { answers, refused, letters }, ids }
    },
  }
}
