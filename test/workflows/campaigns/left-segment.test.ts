import { deepEqual, equal } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

type Touch = {
  id: string
  person: string
  place: number
  state: string
  reason: string | null
  subject: string | null
}

describe('leaving the segment of a campaign', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })
  beforeEach(() => mail.script({}))

  /** A campaign whose people are judged to be members, none added by hand, with so many letters a day. */
  async function given(people: number, day: number, places: (1 | 2 | 3)[] = [1, 2]) {
    const limits = { day, week: 250, gapSeconds: 0 }
    const campaign = await givenCampaign(service, mail, { people, places, workspace: { limits } })
    const { call, segment, db, id } = campaign
    await db
      .updateTable('segmentPeople')
      .set({ byHand: false })
      .where('segment', '=', segment)
      .execute()
    const judge = async (query: string) => {
      const { status, text, body } = await call('POST', '/segments', { query, segment })
      equal(status, 200, text)
      return body
    }
    return {
      ...campaign,
      judge,
      /** How many letters there are of each place, state and reason. */
      count: async (campaignId = campaign.campaign) => {
        const counts: Record<string, number> = {}
        const { body } = await call('GET', `/campaigns/${campaignId}/touches?limit=200`)
        for (const { place, state, reason } of body.touches as Touch[]) {
          const name = [place, state, ...(reason ? [reason] : [])].join(' ')
          counts[name] = (counts[name] ?? 0) + 1
        }
        return counts
      },
      /** The letters that have failed, according to events. */
      told: async () =>
        (
          await db
            .selectFrom('events')
            .selectAll()
            .where('workspace', '=', id)
            .where('kind', '=', 'touch.failed')
            .execute()
        ).map(({ resource, data }) => `${resource} ${data['reason']}`),
      allow: (limitDay: number) =>
        db.updateTable('connections').set({ limitDay }).where('workspace', '=', id).execute(),
    }
  }

  it('ends the letters that are not on their way, with an event for each', async () => {
    const { judge, count, told, move, read, heldBy, letters } = await given(6, 2)
    await move('running')
    await heldBy('day_limit')
    equal((await judge('astronauts')).members, 0)
    deepEqual(await count(), {
      '1 sent': 2,
      '1 failed left_segment': 4,
      '2 failed left_segment': 2,
    })
    equal((await told()).filter((line) => line.endsWith(' left_segment')).length, 6)
    const { campaign } = await read()
    equal(campaign.people, 2)
    equal(letters().length, 2)
  })

  it('continues from where they were with people who return', async () => {
    const { judge, count, move, heldBy, letters, allow, emails } = await given(6, 2)
    await move('running')
    await heldBy('day_limit')
    await judge('astronauts')
    await allow(50)
    await judge('everyone')
    const end = { '1 sent': 6, '2 queued': 6 }
    await eventually(count, (now) => JSON.stringify(now) === JSON.stringify(end))
    const to = letters().map((letter) => letter.to[0])
    deepEqual(to.sort(), emails.toSorted())
  })

  it('ends letters in review, and those of a paused campaign', async () => {
    const { judge, count, move, heldBy } = await given(3, 50, [2])
    await move('running')
    await heldBy('review')
    await eventually(count, (now) => now['1 review'] === 3)
    await move('paused')
    await judge('astronauts')
    deepEqual(await count(), { '1 failed left_segment': 3 })
    await judge('everyone')
    await move('running')
    await eventually(count, (now) => now['1 review'] === 3)
  })

  it('by being taken out lasts, until somebody adds the person by hand', async () => {
    const { judge, count, told, move, heldBy, call, segment, people, allow, letters } = await given(
      3,
      1,
      [1],
    )
    await move('running')
    await heldBy('day_limit')
    // The limit is used from the claim on, and the letter is with its server only after that.
    await eventually(count, (now) => now['1 sent'] === 1)
    const [sent] = letters()
    const waiting = people.filter((_, i) => !sent?.to[0]?.startsWith(`p${i}-`))
    const out = waiting[0] as string
    const path = `/segments/${segment}/people/${out}`
    const { status, body } = await call('DELETE', path)
    deepEqual([status, body.members], [200, 2])
    const first = await count()
    deepEqual([first['1 sent'], first['1 queued'], first['1 failed left_segment']], [1, 1, 1])
    equal((await told()).length, 1)
    const again = await call('DELETE', path)
    deepEqual([again.status, again.body], [200, body])
    const { judged, matched, members } = await judge('everybody')
    deepEqual([judged, matched, members], [3, 2, 2])
    const { body: listed } = await call('GET', `/segments/${segment}/people`)
    equal(
      listed.people.some(({ id }: { id: string }) => id === out),
      false,
    )
    await allow(50)
    await eventually(count, (now) => now['1 sent'] === 2)
    equal((await count())['1 failed left_segment'], 1)
    equal((await call('POST', `/segments/${segment}/people`, { people: [out] })).body.added, 1)
    await eventually(count, (now) => now['1 sent'] === 3)
    equal((await judge('everyone')).members, 3)
  })

  it('before anybody was judged keeps the person out too', async () => {
    const { judge, call, segment, people } = await given(2, 50, [])
    const { body: other } = await call('POST', '/people', { email: 'new@client.example' })
    const taken = await call('DELETE', `/segments/${segment}/people/${other.id}`)
    deepEqual([taken.status, taken.body.members], [200, people.length])
    equal((await judge('everyone')).members, people.length)
    for (const path of [`/segments/${segment}/people/per_x`, `/segments/seg_x/people/${other.id}`])
      equal((await call('DELETE', path)).status, 404)
  })

  it('spares people who were added by hand', async () => {
    const { judge, count, move, heldBy, call, segment, people } = await given(3, 1, [1])
    await call('POST', `/segments/${segment}/people`, { people: [people[2]] })
    await move('running')
    await heldBy('day_limit')
    await judge('astronauts')
    const counts = await count()
    equal(counts['1 queued'], 1)
    equal(counts['1 failed left_segment'], 1)
  })

  it('ends the letters to people whom a replaced or different segment lacks', async () => {
    const { call, count, move, heldBy, people, db, id, segment } = await given(4, 1, [1])
    await move('running')
    await heldBy('day_limit')
    await move('paused')
    const now = service.clock.now()
    const smaller = async (members: string[]) => {
      const other = newId('seg')
      const row = { id: other, workspace: id, name: 'Few', query: 'few', rules: '[]' }
      await db
        .insertInto('segments')
        .values({ ...row, createdAt: now, updatedAt: now })
        .execute()
      await call('POST', `/segments/${other}/people`, { people: members })
      return other
    }
    const first = (await call('GET', '/campaigns')).body.campaigns[0].id
    const sent = (await call('GET', `/campaigns/${first}/touches?state=sent`)).body.touches[0]
    const left = people.filter((person) => person !== sent.person)
    const three = await smaller(left)
    await call('PATCH', `/campaigns/${first}`, { segment: three })
    deepEqual(await count(first), { '1 sent': 1, '1 queued': 3, '2 failed left_segment': 1 })
    await call('PATCH', `/segments/${three}`, { saved: true })
    // As if the words had chosen them: whoever was added by hand belongs to the next one too.
    await db
      .updateTable('segmentPeople')
      .set({ byHand: false, matches: true })
      .where('segment', '=', three)
      .execute()
    const two = await smaller(left.slice(0, 2))
    const { status, text } = await call('PATCH', `/segments/${two}`, { replaces: three })
    equal(status, 200, text)
    deepEqual(await count(first), {
      '1 sent': 1,
      '1 queued': 2,
      '1 failed left_segment': 1,
      '2 failed left_segment': 1,
    })
    equal((await call('GET', `/segments/${segment}`)).status, 200)
  })

  it('lets a letter that is on its way arrive, and plans none after it', async () => {
    const { judge, count, move } = await given(1, 50)
    const over = Promise.withResolvers<undefined>()
    mail.script({ onData: () => over.promise })
    await move('running')
    await eventually(count, (now) => now['1 sending'] === 1)
    await judge('astronauts')
    over.resolve(undefined)
    await eventually(count, (now) => now['1 sent'] === 1)
    deepEqual(await count(), { '1 sent': 1, '2 failed left_segment': 1 })
  })

  it('refuses at the claim a person who has left unnoticed', async () => {
    const { count, move, heldBy, allow, db, segment, call, agent } = await given(2, 1, [1])
    await move('running')
    await heldBy('day_limit')
    await db.deleteFrom('segmentPeople').where('segment', '=', segment).execute()
    await allow(50)
    await call('PATCH', `/agents/${agent}`, { hours: { note: 'again' } })
    const counts = await eventually(count, (now) => !now['1 queued'])
    equal(counts['1 failed left_segment'], 1)
    equal(counts['1 sent'], 1)
  })
})

describe('the end of a campaign', function () {
  this.timeout(60_000)

  it('emits an event for each letter that it ends, however many', async function () {
    const service = await sharedService(this)
    const mail = { smtpPort: 9, messages: () => [] } as unknown as MailSink
    const people = 2300
    const given = await givenCampaign(service, mail, { people, places: [] })
    const { id, campaign, db, move } = given
    await move('running')
    await eventually(
      () =>
        db
          .selectFrom('touches')
          .select(({ fn }) => fn.countAll<string>().as('n'))
          .where('campaign', '=', campaign)
          .executeTakeFirstOrThrow(),
      ({ n }) => Number(n) === people,
    )
    await move('done')
    const failed = () =>
      db
        .selectFrom('events')
        .select(['resource', 'data'])
        .where('workspace', '=', id)
        .where('kind', '=', 'touch.failed')
        .execute()
    const told = await eventually(failed, (events) => events.length >= people)
    equal(new Set(told.map(({ resource }) => resource)).size, people)
    equal(told.length, people)
    deepEqual(new Set(told.map(({ data }) => data['reason'])), new Set(['done']))
  })
})
