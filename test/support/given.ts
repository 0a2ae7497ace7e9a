import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import { type ConnectionSecrets, seal } from '../../db/secrets.ts'

// Rows a test starts from: what the operator's file would have put there.

export const secretKey = { current: 'a secret key of the tests' }

/** The secrets of a connection as they are kept. */
export const sealedFor = (connection: string, secrets: ConnectionSecrets) =>
  seal(secretKey, secrets, { in: 'connections.secrets', id: connection })

export type Given = {
  timezone: string
  /** Where the accounts' mail server listens. */
  smtpPort: number
  limits: { day: number; week: number; gapSeconds: number }
}

let made = 0

/** A workspace with a member, two e-mail accounts, a product, a company and an agent that works around the clock. */
export async function givenWorkspace(db: Db, now: Date, given: Partial<Given> = {}) {
  const n = `${++made}${newId('x').slice(-6)}`
  const id = `wsp_${n}`
  const {
    timezone = 'Europe/Berlin',
    smtpPort = 9,
    limits = { day: 50, week: 250, gapSeconds: 0 },
  } = given
  await db
    .insertInto('workspaces')
    .values({ id, name: 'Test', timezone, tagging: true, houseRules: '', houseUpdatedAt: now })
    .execute()
  const member = `mem_${n}`
  await db
    .insertInto('members')
    .values({
      id: member,
      workspace: id,
      name: 'Ana Ruiz',
      email: `ana-${n}@us.example`,
      jobTitle: '',
      zone: '',
      signature: 'Ana',
    })
    .execute()
  const connections = [`con_a_${n}`, `con_b_${n}`]
  for (const [i, connection] of connections.entries())
    await db
      .insertInto('connections')
      .values({
        id: connection,
        workspace: id,
        kind: 'email',
        name: i === 0 ? 'Ana Ruiz' : 'Ben Fox',
        account: `${i === 0 ? 'ana' : 'ben'}-${n}@us.example`,
        member,
        limitDay: limits.day,
        limitWeek: limits.week,
        gapSeconds: limits.gapSeconds,
        smtp: JSON.stringify({ host: '127.0.0.1', port: smtpPort, secure: false, user: 'ana' }),
        secrets: seal(secretKey, { smtp: 'secret' }, { in: 'connections.secrets', id: connection }),
      })
      .execute()
  const product = `prd_${n}`
  await db
    .insertInto('products')
    .values({
      id: product,
      workspace: id,
      name: `CRM ${n}`,
      description: 'A light CRM',
      side: 'sell',
      goal: 'demo',
      markets: ['DE'],
    })
    .execute()
  const company = `com_${n}`
  await db
    .insertInto('companies')
    .values({
      id: company,
      workspace: id,
      name: 'Us Ltd',
      pitch: 'We keep sales teams calm.',
      policy: '',
      markets: [],
    })
    .execute()
  const agent = `agt_${n}`
  await db
    .insertInto('agents')
    .values({
      id: agent,
      workspace: id,
      name: 'Eva',
      company,
      goal: 'Book a demo',
      rules: '',
      knowledge: '',
      enabled: true,
      labels: [],
      channels: [connections[0] as string],
      hours: JSON.stringify({ zone: timezone, from: '00:00', to: '24:00', daysOff: [] }),
    })
    .execute()
  return { id, member, connections: connections as [string, string], product, company, agent }
}

/** People with one e-mail address each; returns their ids in the order given. */
export async function givenPeople(
  db: Db,
  workspace: string,
  people: { name: string; email: string }[],
  now: Date,
) {
  const ids = people.map(() => newId('per'))
  await db
    .insertInto('people')
    .values(
      people.map((person, i) => ({
        id: ids[i] as string,
        workspace,
        name: person.name,
        city: '',
        jobTitle: '',
        company: '',
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute()
  await db
    .insertInto('addresses')
    .values(
      people.map((person, i) => ({
        workspace,
        kind: 'email' as const,
        value: person.email.toLowerCase(),
        given: person.email,
        person: ids[i] as string,
        position: 0,
      })),
    )
    .execute()
  return ids
}

/** An e-mail conversation with one inbound message. */
export async function givenConversation(
  db: Db,
  workspace: string,
  conversation: { person: string; connection: string; from: string; subject?: string; at: Date },
) {
  const { person, connection, from, subject = 'A question', at } = conversation
  const id = newId('cnv')
  await db
    .insertInto('conversations')
    .values({
      id,
      workspace,
      person,
      connection,
      kind: 'email',
      subject,
      lastMessageAt: at,
      waitingSince: at,
      owner: null,
    })
    .execute()
  await db
    .insertInto('messages')
    .values({
      id: newId('msg'),
      workspace,
      conversation: id,
      direction: 'inbound',
      senderName: 'Client',
      senderHandle: from,
      toAddress: '',
      subject,
      text: 'What does it cost?',
      at,
      connection,
      state: 'received',
      messageId: `<${newId('in')}@client.example>`,
    })
    .execute()
  return id
}

/** A client with an address of their own, who has begun a conversation with the workspace's first account. */
export async function givenClient(
  db: Db,
  { id, connections }: { id: string; connections: [string, string] },
  at: Date,
  name = 'Cleo',
) {
  const email = `client-${randomUUID()}@client.example`
  const [person = ''] = await givenPeople(db, id, [{ name, email }], at)
  const opened = { person, connection: connections[0], from: email, at }
  return { person, email, conversation: await givenConversation(db, id, opened) }
}

/** A webhook for a kind of event that never occurs, with five failed deliveries; returns its id and the id of one delivery. */
export async function givenWebhook(
  db: Db,
  { id: workspace, member }: { id: string; member: string },
  now: Date,
): Promise<[string, string]> {
  const webhook = newId('whk')
  const secret = seal(
    secretKey,
    { current: `whsec_${'A'.repeat(32)}` },
    { in: 'webhooks.secret', id: webhook },
  )
  const dates = { createdAt: now, updatedAt: now }
  await db
    .insertInto('webhooks')
    .values({
      ...{ id: webhook, workspace, member, url: 'http://127.0.0.1:9/', kinds: ['none.such'] },
      secret,
      ...dates,
    })
    .execute()
  const events = await db
    .insertInto('events')
    .values(
      Array.from({ length: 5 }, (_, i) => ({
        workspace,
        kind: 'none.such',
        at: now,
        resource: `x_${i}`,
        data: '{}',
      })),
    )
    .returning('id')
    .execute()
  const deliveries = events.map((event) => ({ id: newId('dlv'), event: event.id }))
  await db
    .insertInto('deliveries')
    .values(
      deliveries.map((one) => ({ ...one, webhook, state: 'failed' as const, createdAt: now })),
    )
    .execute()
  return [webhook, deliveries[0]?.id ?? '']
}
