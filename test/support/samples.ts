import { randomUUID } from 'node:crypto'
import type { Route } from '../../api/route.ts'
import { newId } from '../../db/ids.ts'
import type { AnyScope } from '../../rules/scopes.ts'
import { givenConversation, givenPeople, givenWebhook } from './given.ts'
import { jsonShapeOf } from './json-shapes.ts'
import { givenReturned } from './returned-letters.ts'
import type { SharedService } from './service.ts'

// A workspace that holds some of everything, and for any route a call on it that should succeed: paths and bodies are made
// from the route's own shapes.

export type Room = Awaited<ReturnType<typeof givenRoom>>

const several = 5

/** Five of everything that is listed in pages, all with the same instant and name, so that only ids tell them apart. */
export async function givenRoom(service: SharedService) {
  const { db, clock } = service
  const workspace = await service.workspace()
  const now = clock.now()
  const times = <T>(make: (i: number) => T) => Array.from({ length: several }, (_, i) => make(i))

  const people = await givenPeople(
    db,
    workspace.id,
    times((i) => ({ name: 'Kim', email: `kim-${i}@client.example` })),
    now,
  )
  const [person = ''] = people
  const phone = { kind: 'phone' as const, value: '+4930999999', given: '+4930999999' }
  await db
    .insertInto('addresses')
    .values({ workspace: workspace.id, person, ...phone, position: 0 })
    .execute()
  const connection = workspace.connections[0]
  const conversation = { person, connection, from: 'kim-0@client.example', at: now }
  const conversations = []
  for (const _ of people)
    conversations.push(await givenConversation(db, workspace.id, conversation))
  const [first = ''] = conversations
  const messages = times(() => newId('msg'))
  const unconfirmed = { state: 'sending', reason: 'unconfirmed', attempt: 'a' } as const
  await db
    .insertInto('messages')
    .values(
      messages.map((id) => ({
        id,
        workspace: workspace.id,
        conversation: first,
        direction: 'outbound' as const,
        senderHandle: 'ana@us.example',
        toAddress: 'kim-0@client.example',
        text: 'Hello.',
        html: '<p>Hello.</p>',
        senderName: 'Ana',
        subject: 'Hello',
        at: now,
        state: 'queued' as const,
        connection,
        ...(id === messages.at(-1) && unconfirmed),
      })),
    )
    .execute()

  const made = { createdAt: now, updatedAt: now }
  const [segment, used] = [newId('seg'), newId('seg')]
  const saved = { name: 'All', query: 'all', rules: '[]', saved: true }
  await db
    .insertInto('segments')
    .values([segment, used].map((id) => ({ id, workspace: workspace.id, ...saved, ...made })))
    .execute()
  await db
    .insertInto('segmentPeople')
    .values(people.map((id) => ({ segment, person: id, matches: true, version: 1, at: now })))
    .execute()
  const campaigns = times(() => newId('cmp'))
  await db
    .insertInto('campaigns')
    .values(
      campaigns.map((id) => ({
        id,
        workspace: workspace.id,
        name: 'C',
        goal: '',
        agent: workspace.agent,
        segment: used,
        ...made,
      })),
    )
    .execute()
  const [campaign = ''] = campaigns
  const touches = times(() => newId('tch'))
  await db
    .insertInto('touches')
    .values(
      people.map((id, i) => ({
        id: touches[i] ?? '',
        workspace: workspace.id,
        campaign,
        person: id,
        place: 1,
        state: 'failed' as const,
        dueAt: now,
        createdAt: now,
        ...(i === several - 1 && { ...unconfirmed, connection }),
      })),
    )
    .execute()
  const returned = await givenReturned(db, {
    ...{ workspace: workspace.id, person, conversation: conversations[1] ?? '', connection, now },
    campaign: campaigns[2] ?? '',
  })
  const deals = times(() => newId('dea'))
  const parties = { seller: person, buyer: people[1] ?? '', label: workspace.product }
  await db
    .insertInto('deals')
    .values(
      deals.map((id) => ({
        ...{ id, workspace: workspace.id, agent: workspace.agent, createdAt: now, ...parties },
      })),
    )
    .execute()
  const notifications = times(() => newId('ntf'))
  await db
    .insertInto('notifications')
    .values(
      notifications.map((id) => ({
        ...{ id, workspace: workspace.id, member: workspace.member, at: now },
        ...{ kind: 'reply', text: 'Kim has answered.' },
      })),
    )
    .execute()
  const file = newId('fil')
  const content = Buffer.from('{}')
  await db
    .insertInto('files')
    .values({
      id: file,
      workspace: workspace.id,
      message: messages[0] ?? '',
      content,
      name: 'a.txt',
      type: 'text/plain',
      size: content.length,
    })
    .execute()
  const suppressions = times(() => newId('sup'))
  await db
    .insertInto('suppressions')
    .values(
      suppressions.map((id, i) => ({
        id,
        workspace: workspace.id,
        address: `gone-${i}@client.example`,
        at: now,
        reason: 'bounce' as const,
      })),
    )
    .execute()
  const consenting = newId('con')
  await db
    .insertInto('connections')
    .values({
      id: consenting,
      workspace: workspace.id,
      kind: 'email',
      name: 'Cy',
      account: `${consenting}@us.example`,
      member: workspace.member,
      limitDay: 50,
      limitWeek: 250,
      gapSeconds: 0,
      oauth: '"google"',
    })
    .execute()
  const [webhook, delivery] = await givenWebhook(db, workspace, now)
  const meetings = times(() => newId('mtg'))
  const hour = new Date(now.getTime() + 3_600_000)
  const later = { startsAt: '2026-12-02T10:00:00.000Z', endsAt: '2026-12-02T10:30:00.000Z' }
  const proposal = { id: newId('prp'), by: 'kim@client.example', at: now.toISOString() }
  const invited = messages[1] ?? ''
  await db
    .updateTable('messages')
    .set({
      invitation: JSON.stringify({
        ...{ uid: 'a@client.example', sequence: 0, instance: '', title: 'Demo', ...later },
        ...{ isFullDay: false, repeats: false, organizer: 'kim@client.example' },
        ...{ organizerName: 'Kim', location: null, agenda: '', guests: [], state: 'open' },
        invited: 'ana@us.example',
      }),
    })
    .where('id', '=', invited)
    .execute()
  await db
    .insertInto('meetings')
    .values(
      meetings.map((id) => ({
        id,
        uid: id,
        workspace: workspace.id,
        calendar: `cal_${workspace.member}`,
        title: 'Demo',
        zone: 'Europe/Berlin',
        startsAt: hour,
        endsAt: new Date(+hour + 1),
        replies: '[]',
        proposals: JSON.stringify([{ ...proposal, ...later, comment: null, state: 'open' }]),
        own: true,
        remote: 'none' as const,
        createdAt: now,
      })),
    )
    .execute()
  const key = randomUUID()
  for (const i of [...people.keys()])
    await workspace.call('PATCH', `/people/${person}`, { city: `City ${i}` }, i ? {} : { key })

  const imported = randomUUID()
  const operation = `${workspace.id}:${imported}`
  await db
    .insertInto('operations')
    .values({
      id: operation,
      workspace: workspace.id,
      key: imported,
      fingerprint: '',
      kind: 'importPeople',
      workflowType: 'importPeople',
      state: 'done',
      acceptedAt: now,
      endedAt: now,
      lastUsedAt: new Date(),
    })
    .execute()
  await db
    .insertInto('importRows')
    .values(people.map((person, i) => ({ operation, row: i + 2, outcome: 'new', person })))
    .execute()

  return {
    ...workspace,
    person,
    other: people[1],
    /** Somebody who may become part of the person: no deal is between them. */
    twin: people[2],
    notification: notifications[0],
    key,
    imported,
    /** An id for the {id} of a path, by its first word. */
    ids: {
      conversations: first,
      messages: messages[0],
      unconfirmed: messages.at(-1),
      people: person,
      segments: segment,
      campaigns: campaigns[1],
      agents: workspace.agent,
      products: workspace.product,
      companies: workspace.company,
      members: workspace.member,
      calendar: meetings[0],
      proposals: proposal.id,
      invited,
      deals: deals[0],
      files: file,
      webhooks: webhook,
      suppressions: suppressions[0],
      channels: consenting,
      deliveries: delivery,
      touches: touches[0],
      unconfirmedTouch: touches.at(-1),
      touched: campaign,
      ...returned,
    } as Record<string, string | undefined>,
    /** Where the rows that are paged belong to another row. */
    parents: { campaigns: campaign } as Record<string, string | undefined>,
  }
}

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path || '(identity)'}`

/** The parameters without which a route answers nothing, behind a `?` or a `&`. */
export const neededOf = ({ path }: Pick<Route, 'path'>, sign: '?' | '&'): string =>
  path === '/search' ? `${sign}q=e` : ''

/** The path of a route on this room's things, or with `id` on another one. */
export function pathOf(
  route: Route,
  room: Pick<Room, 'ids' | 'key' | 'imported'>,
  id?: string,
): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known =
      name === 'key'
        ? route.path.startsWith('/people/import/')
          ? room.imported
          : room.key
        : name === 'id'
          ? room.ids[subjectOf(route)]
          : name === 'delivery'
            ? room.ids['deliveries']
            : name === 'person'
              ? room.ids['people']
              : name === 'touch'
                ? room.ids[touchFor(route)]
                : name === 'proposal'
                  ? room.ids['proposals']
                  : 'x'
    if (!known)
      throw new Error(`No sample for ${nameOf(route)}: add one to test/support/samples.ts`)
    return encodeURIComponent(name === 'id' ? (id ?? known) : known)
  })
}

const isResolve = ({ path }: Route) => path.endsWith('/resolve')
const isAgain = ({ path }: Route) => path.endsWith('/again')

const touchFor = (route: Route) =>
  isResolve(route) ? 'unconfirmedTouch' : isAgain(route) ? 'failedTouch' : 'touches'

function subjectOf(route: Route): string {
  if (route.path.includes('{touch}')) return isAgain(route) ? 'begun' : 'touched'
  if (isAgain(route)) return 'failed'
  if (route.path.endsWith('/invitation')) return 'invited'
  return isResolve(route) ? 'unconfirmed' : collectionOf(route)
}

export const collectionOf = ({ path }: Route) => path.split('/')[1] ?? ''

// Where the shape alone does not determine a valid body: rules over several members, and optional members.
const bodies: Record<string, (room: Room) => object> = {
  'POST /conversations': ({ person, connections }) => ({
    person,
    via: connections[0],
    text: 'Hello.',
  }),
  'POST /conversations/bulk': ({ ids, member }) => ({
    conversations: [ids['conversations']],
    change: { owner: member },
  }),
  'POST /conversations/{id}/messages': () => ({ text: 'some text' }),
  'POST /files': () => ({ name: 'offer.pdf', type: 'application/pdf', content: 'b2ZmZXI=' }),
  'POST /people': () => ({ email: 'new@client.example', name: 'New' }),
  'POST /people/bulk': () => ({ people: [{ email: 'bulk@client.example', name: 'Bulk' }] }),
  'POST /people/import': () => ({
    file: { name: 'p.csv', content: Buffer.from('email\na@client.example\n').toString('base64') },
    commit: true,
  }),
  'POST /people/{id}/merge': ({ twin }) => ({ from: [twin] }),
  'POST /people/{id}/split': () => ({ phones: ['+4930999999'] }),
  'DELETE /people/{id}/tags': ({ product }) => ({ label: product, side: 'buyer' }),
  'POST /webhooks': () => ({ url: 'https://client.example/events', kinds: ['webhook.deleted'] }),
  'POST /suppressions': () => ({ address: 'no-more@client.example' }),
  'POST /deals': ({ product, agent, person, other }) => ({
    label: product,
    agent,
    seller: person,
    buyer: other,
  }),
  'PATCH /deals/{id}': () => ({ stage: 'agreed' }),
  'POST /calendar/meetings': () => ({
    title: 'Demo',
    day: '2026-12-01',
    start: '10:00',
    minutes: 30,
  }),
  'POST /calendar/meetings/{id}/move': () => ({ day: '2026-12-01', start: '10:00', minutes: 30 }),
  'POST /calendar/meetings/{id}/proposals/{proposal}': () => ({ accept: true }),
  'POST /messages/{id}/invitation': () => ({ answer: 'accepted' }),
  'POST /segments': () => ({ name: 'some text', query: 'some text' }),
  'POST /segments/{id}/people': ({ person }) => ({ people: [person] }),
  'POST /routing': ({ member }) => ({ do: 'add', field: 'side', value: 'buyer', member }),
}

type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  minItems?: number
}

/** A body that the route's shape accepts, with the required members; undefined where the route has no body. */
export function bodyOf(route: Route, room: Room): object | undefined {
  if (route.method === 'GET') return undefined
  const given = bodies[nameOf(route)]
  if (given) return given(room)
  if (!route.body) return undefined
  return sampleOf('', jsonShapeOf(route.body) as Schema, room) as object
}

function sampleOf(name: string, schema: Schema, room: Room): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(name, schema.anyOf[0] as Schema, room)
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((member) => [
        member,
        sampleOf(member, schema.properties?.[member] ?? {}, room),
      ]),
    )
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () =>
      sampleOf(name, schema.items ?? {}, room),
    )
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return name === 'label' ? room.product : 'some text'
}

/** The scopes a call of this route with this body needs. */
export const scopesOf = (route: Route, body: unknown): AnyScope[] =>
  route.scopesFor?.(body ?? {}) ?? route.scopes

/** Whether a call with this body must carry a key. */
export const needsKey = (route: Route, body: unknown): boolean =>
  route.method !== 'GET' && !route.keyOptional?.(body ?? {})

/** Runs a check over many routes, some at once, and fails with all that fail, each by its name. */
export async function forEach(
  routes: Route[],
  check: (route: Route) => Promise<void>,
  { atOnce = 6 } = {},
) {
  const left = [...routes]
  const failed: string[] = []
  const lane = async () => {
    for (let route = left.shift(); route; route = left.shift()) {
      const name = nameOf(route)
      await check(route).catch((error: Error) =>
        failed.push(`${name}: ${error.message.split('\n').slice(0, 12).join('\n  ')}`),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  if (failed.length > 0) throw new Error(failed.join('\n'))
}
