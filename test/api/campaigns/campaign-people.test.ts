import { deepEqual, equal } from 'node:assert/strict'
import { type Insertable, sql } from 'kysely'
import type { Touches } from '../../../db/campaigns/tables.ts'
import { newId } from '../../../db/ids.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { givenConversation } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

const hour = 3_600_000

describe('GET /campaigns/{id}/people', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  /** A campaign that began three hours ago, and what became of its people. */
  async function givenOutcomes() {
    const { db, clock } = service
    const room = await givenCampaign(service, 'running')
    const { workspace, id: campaign, connections, call } = room
    const began = new Date(clock.now().getTime() - 3 * hour)
    const later = (hours: number) => new Date(began.getTime() + hours * hour)
    await db.updateTable('campaigns').set({ startedAt: began }).where('id', '=', campaign).execute()
    const people = new Map<string, string>()
    type Letter = Partial<Insertable<Touches>>
    const letter = (touch: Letter & Pick<Touches, 'person' | 'place' | 'state'>) =>
      db
        .insertInto('touches')
        .values({ id: newId('tch'), workspace, campaign, dueAt: began, createdAt: began, ...touch })
        .execute()

    /** A person with a first letter that was sent an hour after the start, or with other ones. */
    const person = async (name: string, ...others: Letter[]) => {
      const id = await room.add({ name, email: `${name}@client.example` })
      people.set(name, id)
      const letters = others.length > 0 ? others : [{}]
      for (const [i, other] of letters.entries())
        await letter({ person: id, place: i + 1, state: 'sent', sentAt: later(1), ...other })
      return id
    }
    const answer = async (
      name: string,
      { intent, from, at = later(2) }: { intent?: string; from?: string; at?: Date } = {},
    ) => {
      const conversation = await givenConversation(db, workspace, {
        person: people.get(from ?? name) as string,
        connection: connections[0],
        from: `${name.toUpperCase()}@client.example`,
        at,
      })
      if (intent)
        await db
          .updateTable('conversations')
          .set({ intent })
          .where('id', '=', conversation)
          .execute()
      return conversation
    }
    const suppress = (name: string, reason: 'unsubscribe' | 'bounce' | 'complaint') =>
      db
        .insertInto('suppressions')
        .values({ workspace, address: `${name}@client.example`, reason, at: later(2) })
        .execute()
    const waiting = { state: 'queued', sentAt: null } as const
    const failed = (reason: string) => ({ state: 'failed', sentAt: null, reason }) as const

    await person('queued', waiting)
    await person('reviewed', { ...waiting, state: 'review' })
    await person('sent', {}, { sentAt: later(2) }, waiting)
    await person('early')
    await answer('early', { at: began })
    await person('automatic')
    const away = await answer('automatic')
    await db
      .updateTable('messages')
      .set({ automated: true })
      .where('conversation', '=', away)
      .execute()
    await person('replied', {}, failed('replied'))
    const reply = await answer('replied')
    await person('elsewhere')
    await answer('elsewhere', { from: 'sent' })
    await person('interested')
    await answer('interested', { intent: 'interested' })
    await person('asking')
    await answer('asking', { intent: 'quote' })
    await person('declined')
    await answer('declined', { intent: 'not_interested' })
    await person('bounced', { ...failed('bounced'), sentAt: later(1) }, failed('bounced'))
    await suppress('bounced', 'bounce')
    await person('unsubscribed', {}, failed('unsubscribed'))
    await suppress('unsubscribed', 'unsubscribe')
    await person('late', {}, {}, {})
    await suppress('late', 'unsubscribe')
    await person('never', failed('unsubscribed'))
    const soon = new Date(clock.now().getTime() + hour)
    await person('held', { ...waiting, reason: 'held', heldFrom: began, dueAt: soon })
    await person('released', { ...waiting, reason: 'held', heldFrom: began, dueAt: began })
    await person('refused', failed('refused'))
    await person('complained', {}, failed('suppressed'))
    await suppress('complained', 'complaint')
    await person('done', failed('done'))
    await person('gone', failed('left_segment'))

    const names = new Map([...people].map(([name, id]) => [id, name]))
    const list = async (query = '') => {
      const { status, body, text } = await call('GET', `/campaigns/${campaign}/people${query}`)
      equal(status, 200, text)
      return body
    }
    /** The names of those with an outcome. */
    const who = async (outcome: string) =>
      (await list(`?outcome=${outcome}`)).people
        .map(({ person }: { person: string }) => names.get(person))
        .sort()
    return { ...room, campaign, began, later, reply, people, names, list, who, answer, workspace }
  }

  const expected: Record<string, string[]> = {
    sent: [
      ...['asking', 'automatic', 'complained', 'declined', 'early', 'elsewhere', 'interested'],
      ...['late', 'replied', 'sent', 'unsubscribed'],
    ],
    // A message in a conversation is of its person, and of the person whose address it came from.
    replied: ['asking', 'declined', 'elsewhere', 'interested', 'replied', 'sent'],
    interested: ['asking', 'interested'],
    declined: ['declined', 'unsubscribed'],
    bounced: ['bounced'],
    unsubscribed: ['late', 'never', 'unsubscribed'],
    held: ['held'],
    failed: ['complained', 'refused'],
  }

  it('lists the people of each outcome, as many as the numbers of the campaign', async () => {
    const { who, read } = await givenOutcomes()
    for (const [outcome, names] of Object.entries(expected))
      deepEqual(await who(outcome), names, outcome)
    const { funnel } = await read()
    for (const count of ['replied', 'interested', 'declined'] as const)
      equal(funnel[count], expected[count]?.length, count)
  })

  it('counts what was not wanted any more apart from what could not be delivered', async () => {
    const { read, call, campaign } = await givenOutcomes()
    const { funnel } = await read()
    const { touches } = (await call('GET', `/campaigns/${campaign}/touches`)).body as {
      touches: { state: string; reason: string | null; stopped: boolean }[]
    }
    deepEqual([funnel.failed, funnel.skipped], [4, 5])
    const stopped = touches.filter(({ stopped }) => stopped)
    deepEqual(stopped.map(({ state, reason }) => `${state} ${reason}`).sort(), [
      ...['failed done', 'failed left_segment', 'failed replied'],
      ...['failed unsubscribed', 'failed unsubscribed'],
    ])
  })

  it('lists the same people where strangers write much', async function () {
    this.timeout(30_000)
    const { who, answer, list } = await givenOutcomes()
    const conversation = await answer('queued')
    await sql`insert into messages (id, workspace, conversation, direction, at, state, sender_handle)
      select id || i, workspace, conversation, direction, at, state, 'stranger@client.example'
      from messages, generate_series(1, 2100) i where conversation = ${conversation}`.execute(
      service.db,
    )
    await sql`insert into suppressions (workspace, address, reason, at)
      select workspace, i || '@x.example', 'unsubscribe', ${service.clock.now()}
      from conversations, generate_series(1, 2100) i where id = ${conversation}`.execute(service.db)
    for (const [outcome, names] of Object.entries(expected))
      deepEqual(await who(outcome), names, outcome)
    equal((await list('?outcome=replied')).next, null)
  })

  it('lists everybody once with what went furthest, in pages', async () => {
    const { list, names } = await givenOutcomes()
    const seen: [string, string][] = []
    let cursor = ''
    do {
      const { people, next } = await list(`?limit=3&cursor=${cursor}`)
      for (const { person, outcome } of people) seen.push([names.get(person) ?? person, outcome])
      cursor = next ?? ''
    } while (cursor)
    deepEqual(Object.fromEntries(seen), {
      ...{ queued: 'queued', reviewed: 'queued', released: 'queued', held: 'held' },
      ...{ sent: 'replied', early: 'sent', automatic: 'sent', complained: 'sent' },
      ...{ replied: 'replied', elsewhere: 'replied', interested: 'interested' },
      asking: 'interested',
      ...{ declined: 'declined', bounced: 'bounced', refused: 'failed', done: 'skipped' },
      ...{ unsubscribed: 'unsubscribed', late: 'unsubscribed', never: 'unsubscribed' },
    })
    equal(seen.length, names.size - 1)
  })

  it('tells the letter, the time and the conversation', async () => {
    const { list, people, later, reply } = await givenOutcomes()
    const one = async (outcome: string, name: string) => {
      const all = (await list(`?outcome=${outcome}`)).people
      return all.find(({ person }: { person: string }) => person === people.get(name))
    }
    const [first, second] = [later(1).toISOString(), later(2).toISOString()]
    deepEqual(await one('replied', 'replied'), {
      person: people.get('replied'),
      name: 'replied',
      outcome: 'replied',
      place: 1,
      at: second,
      conversation: reply,
    })
    const about = async (outcome: string, name: string) => {
      const { place, at } = await one(outcome, name)
      return [place, at]
    }
    deepEqual(await about('sent', 'sent'), [2, second])
    deepEqual(await about('sent', 'replied'), [1, first])
    deepEqual(await about('bounced', 'bounced'), [1, second])
    deepEqual(await about('unsubscribed', 'late'), [3, second])
    deepEqual(await about('unsubscribed', 'unsubscribed'), [2, second])
    deepEqual(await about('failed', 'complained'), [2, second])
  })

  it('is empty before the start, and refuses other outcomes and campaigns', async () => {
    const { call, id } = await givenCampaign(service)
    deepEqual((await call('GET', `/campaigns/${id}/people`)).body, { people: [], next: null })
    const other = await call('GET', `/campaigns/${id}/people?outcome=opened`)
    equal(`${other.status} ${other.body.errors[0].parameter}`, '400 outcome')
    const stranger = await givenCampaign(service)
    equal((await stranger.call('GET', `/campaigns/${id}/people`)).status, 404)
  })
})
