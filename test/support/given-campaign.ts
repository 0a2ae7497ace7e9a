import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../db/ids.ts'
import type { Hours } from '../../rules/hours.ts'
import { type Given, givenPeople } from './given.ts'
import type { MailSink, Message } from './mail.ts'
import { eventually, type TestService } from './service.ts'

/** What a campaign is given in: a service of this process, or one in processes of its own. */
export type Campaigning = Pick<TestService, 'db' | 'workspace'> & { clock: { now(): Date } }

export type GivenCampaign = Awaited<ReturnType<typeof createCampaign>>

/** A campaign in a new workspace, its letters of `places` agreed, for `people` people with one address each. */
export async function givenCampaign(
  service: Campaigning,
  mail: MailSink,
  given: {
    people: number
    places?: (1 | 2 | 3)[]
    hours?: Partial<Hours>
    workspace?: Partial<Given>
    /** Of the people's addresses. */
    domain?: string
  },
) {
  const { places = [1, 2, 3], hours, domain } = given
  const workspace = await service.workspace({ smtpPort: mail.smtpPort, ...given.workspace })
  const { call } = workspace
  if (hours) await call('PATCH', `/agents/${workspace.agent}`, { hours })
  const shared = {
    ...workspace,
    ...(await givenSegment(service, workspace.id, given.people, domain)),
  }
  return { ...(await createCampaign(service, mail, shared, places)), another, anotherFor }

  /** A second campaign to the same people. */
  function another() {
    return createCampaign(service, mail, shared, places)
  }

  /** One more campaign of the workspace, to as many other people. */
  async function anotherFor(people: number) {
    const others = await givenSegment(service, workspace.id, people)
    return createCampaign(service, mail, { ...workspace, ...others }, places)
  }
}

/** A segment of new people with one address each. */
async function givenSegment(
  { db, clock }: Campaigning,
  workspace: string,
  size: number,
  domain = 'client.example',
) {
  const now = clock.now()
  const tag = randomUUID().slice(0, 8)
  const emails = Array.from({ length: size }, (_, i) => `p${i}-${tag}@${domain}`)
  const people = await givenPeople(
    db,
    workspace,
    emails.map((email, i) => ({ name: `Person ${i}`, email })),
    now,
  )
  const segment = newId('seg')
  const words = { name: 'All', query: 'everyone', rules: '[]' }
  await db
    .insertInto('segments')
    .values({ id: segment, workspace, ...words, createdAt: now, updatedAt: now })
    .execute()
  const belongs = { segment, byHand: true, matches: true, version: 1, at: now }
  await db
    .insertInto('segmentPeople')
    .values(people.map((person) => ({ ...belongs, person })))
    .execute()
  return { people, emails, segment }
}

async function createCampaign(
  service: Campaigning,
  mail: MailSink,
  given: Awaited<ReturnType<Campaigning['workspace']>> & {
    people: string[]
    emails: string[]
    segment: string
  },
  places: number[],
) {
  const { call, emails, segment, agent } = given
  const words = { name: 'Autumn', goal: 'Book a demo' }
  const created = await call('POST', '/campaigns', { ...words, segment, agent })
  equal(created.status, 200, created.text)
  equal(created.body.state, 'draft')
  const id: string = created.body.id
  // On a busy machine an awaited call may have to be repeated before it is answered.
  const write = (body: object, key: string = randomUUID()) =>
    eventually(
      () => call('POST', `/campaigns/${id}/letters`, body, { key }),
      ({ status }) => status !== 504,
      60_000,
    )
  if (places.length > 0) {
    const { status, text, body } = await write({ write: places, agree: places })
    equal(status, 200, text)
    ok(body.letters.every(({ agreed }: { agreed: boolean }) => agreed))
  }
  const move = async (to: 'running' | 'paused' | 'done') => {
    const key = randomUUID()
    const reply = await call('POST', `/campaigns/${id}/state`, { to }, { key })
    equal(reply.status, 200, reply.text)
    return { ...reply.body, operation: `${given.id}:${key}`, key }
  }
  const read = async () => (await call('GET', `/campaigns/${id}`)).body
  const sending = async () => (await read()).campaign.sending
  const letters = (): Message[] =>
    mail.messages().filter(({ to }) => emails.includes(to[0] as string))
  return {
    ...given,
    db: service.db,
    campaign: id,
    move,
    read,
    /** Writes, agrees or tests its letters, or gives them templates. */
    write,
    /** Changes the campaign. */
    edit: (body: object) => call('PATCH', `/campaigns/${id}`, body),
    /** Waits until so many letters are in this state. */
    until: (state: 'review' | 'queued' | 'sent' | 'failed', n: number) =>
      eventually(read, ({ funnel }) => funnel[state] === n, 60_000),
    /** What it sends or waits for at the moment. */
    sending,
    /** Waits until it is held by this, and returns until when. */
    heldBy: async (blockedBy: string) => {
      const held = await eventually(sending, (now) => now.blockedBy === blockedBy, 30_000)
      return held.nextAt as string | null
    },
    /** As if days had passed: the letters of this place are due, and those before them went on another day. */
    async fallDue(place: 2 | 3) {
      const touches = service.db.updateTable('touches').where('campaign', '=', id)
      await touches.set({ claimedDay: '2026-11-20' }).where('place', '<', place).execute()
      await touches.set({ dueAt: service.clock.now() }).where('place', '=', place).execute()
    },
    /** The letters that arrived, oldest first. */
    letters,
    /** Waits until so many letters have arrived. */
    arrived: (n: number) =>
      eventually(
        async () => letters(),
        ({ length }) => length === n,
        60_000,
      ),
    touches: async () => (await call('GET', `/campaigns/${id}/touches`)).body.touches,
  }
}
