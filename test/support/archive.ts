import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../db/ids.ts'
import type { ChannelKind } from '../../rules/channels.ts'
import { givenPeople } from './given.ts'
import { eventually, type SharedService } from './service.ts'

type Workspace = Awaited<ReturnType<SharedService['workspace']>>

/** The set-up and the reads that the tests of the archive share. */
export function archiveOf(service: SharedService) {
  const person = async (workspace: Workspace, email = `${newId('p')}@client.example`) => {
    const made = [{ name: 'Kim', email }]
    const [id = ''] = await givenPeople(service.db, workspace.id, made, service.clock.now())
    return { id, email }
  }

  type Written = {
    person: string
    connection?: string
    kind?: ChannelKind
    messages: {
      from?: string
      to?: string
      text?: string
      subject?: string
      at?: string
      automated?: boolean
      state?: 'queued'
    }[]
  }
  /** A conversation of a person with what was written in it, a day ago unless it says when. */
  async function written(workspace: Workspace, given: Written) {
    const { db, clock } = service
    const yesterday = new Date(clock.now().getTime() - 86_400_000)
    const { connection = workspace.connections[0], kind = 'email' } = given
    const id = newId('cnv')
    const moments = { lastMessageAt: yesterday, waitingSince: yesterday }
    await db
      .insertInto('conversations')
      .values({
        id,
        workspace: workspace.id,
        person: given.person,
        connection,
        kind,
        subject: '',
        ...moments,
      })
      .execute()
    for (const {
      from,
      to,
      text = '',
      subject = '',
      at,
      automated = false,
      state,
    } of given.messages)
      await db
        .insertInto('messages')
        .values({
          id: newId('msg'),
          workspace: workspace.id,
          conversation: id,
          connection,
          direction: to ? ('outbound' as const) : ('inbound' as const),
          automated,
          senderName: '',
          senderHandle: from ?? 'ana@us.example',
          toAddress: to ?? '',
          subject,
          text,
          at: at ? new Date(at) : yesterday,
          state: state ?? (to ? 'sent' : 'received'),
        })
        .execute()
    return id
  }
  const channel = async (workspace: Workspace, kind: ChannelKind) => {
    const id = newId('con')
    await service.db
      .insertInto('connections')
      .values({
        id,
        workspace: workspace.id,
        kind,
        name: kind,
        account: `us-${id}`,
        member: workspace.member,
        limitDay: 10,
        limitWeek: 50,
        gapSeconds: 0,
      })
      .execute()
    return id
  }
  const start = async (workspace: Workspace, body: object = {}, key: string = randomUUID()) => {
    const reply = await workspace.call('POST', '/archive', { do: 'start', ...body }, { key })
    equal(reply.status, 200, reply.text)
    return reply.body
  }
  const read = async (workspace: Workspace) => (await workspace.call('GET', '/archive')).body
  const ended = (workspace: Workspace) =>
    eventually(
      () => read(workspace),
      ({ state }) => state !== 'running',
      60_000,
    )
  /** Starts a parse and waits for its end. */
  const parse = async (workspace: Workspace, body: object = {}) => {
    await start(workspace, body)
    return ended(workspace)
  }
  const marksOf = async (workspace: Workspace, conversation: string) => {
    const { body } = await workspace.call('GET', `/conversations/${conversation}`)
    return [body.intent, body.importance]
  }
  const card = async (workspace: Workspace, id: string) =>
    (await workspace.call('GET', `/people/${id}`)).body
  const count = async (
    table: 'notifications' | 'messages' | 'outbox' | 'personTags' | 'addresses',
  ) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from ${sql.table(table)}`.execute(service.db)
    return rows[0]?.n
  }

  /** People who have each written five times from five addresses, in conversations nobody has marked. */
  async function years(workspace: Workspace, people: number) {
    const { db, clock } = service
    await sql`
      with p as (
        insert into people (id, workspace, created_at, updated_at)
        select 'per_' || ${workspace.id} || n, ${workspace.id}, ${clock.now()}, ${clock.now()}
        from generate_series(1, ${people}::int) n returning id),
      c as (
        insert into conversations (id, workspace, person, connection, kind, last_message_at, waiting_since)
        select 'cnv_' || id, ${workspace.id}, id, ${workspace.connections[0]}, 'email', ${clock.now()}, ${clock.now()}
        from p returning id, person)
      insert into messages (id, workspace, conversation, direction, sender_handle, text, at, connection, state)
      select 'msg_' || c.id || n, ${workspace.id}, c.id, 'inbound', c.person || '-' || n || '@client.example',
        'How much is it? Is the CRM still sold?', ${clock.now()}::timestamptz - n * interval '1 day',
        ${workspace.connections[0]}, 'received'
      from c, generate_series(1, 5) n`.execute(db)
    const product = await workspace.call('GET', `/products/${workspace.product}`)
    await sql`update messages set text = text || ' ' || ${product.body.name} where workspace = ${workspace.id}`.execute(
      db,
    )
  }
  return { person, written, channel, start, read, ended, parse, marksOf, card, count, years }
}
