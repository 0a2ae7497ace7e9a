import { sql } from 'kysely'
import { type Address, readAddress, readEmail } from '../../rules/addresses.ts'
import { sideMeant } from '../../rules/sides.ts'
import type { Db, Trx } from '../database.ts'
import { recordAudit } from '../events/audit.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import { findProductIds } from '../workspace/products.ts'
import type { RoutingField } from './tables.ts'

// Who gets a conversation without an owner: the first rule of the workspace that matches decides.

export type RoutingRule = { id: string; field: RoutingField; value: string; member: string }
export type Routing = { enabled: boolean; rules: RoutingRule[] }

/** The switch and the rules in their order. The switch is off until it is set. */
export async function findRouting(db: Db, workspace: string): Promise<Routing> {
  const row = await db
    .selectFrom('routing')
    .select('enabled')
    .where('workspace', '=', workspace)
    .executeTakeFirst()
  const rules = await db
    .selectFrom('routingRules')
    .select(['id', 'field', 'value', 'member'])
    .where('workspace', '=', workspace)
    .orderBy('position')
    .execute()
  return { enabled: row?.enabled ?? false, rules }
}

/** The same, locked against every other change until the transaction ends. */
export async function lockRouting(trx: Trx, workspace: string): Promise<Routing> {
  await trx
    .insertInto('routing')
    .values({ workspace })
    .onConflict((oc) => oc.doNothing())
    .execute()
  await trx
    .selectFrom('routing')
    .select('workspace')
    .where('workspace', '=', workspace)
    .forUpdate()
    .execute()
  return findRouting(trx, workspace)
}

/** Adds a rule after the others; the caller holds the lock. */
export async function insertRule(
  trx: Trx,
  workspace: string,
  rule: Omit<RoutingRule, 'id'>,
  now: Date,
): Promise<string> {
  const id = newId('rul')
  const last = trx
    .selectFrom('routingRules')
    .select(sql<number>`coalesce(max(position), 0) + 1`.as('next'))
    .where('workspace', '=', workspace)
  await trx
    .insertInto('routingRules')
    .values({ id, workspace, ...rule, position: last, createdAt: now })
    .execute()
  return id
}

export const deleteRule = (trx: Trx, id: string) =>
  trx.deleteFrom('routingRules').where('id', '=', id).execute()

/** Puts the rules of a workspace into this order, which names all of them; the caller holds the lock. */
export const orderRules = (trx: Trx, workspace: string, ids: string[]) =>
  sql`update routing_rules set position = ordered.position
    from unnest(${ids}::text[]) with ordinality as ordered (id, position)
    where routing_rules.workspace = ${workspace} and routing_rules.id = ordered.id`.execute(trx)

export const switchRouting = (trx: Trx, workspace: string, enabled: boolean) =>
  trx.updateTable('routing').set({ enabled }).where('workspace', '=', workspace).execute()

// The agents that write to the person of a conversation: those that have written to them, or lead an open deal with them.
const agentOf = (condition: ReturnType<typeof sql>) => sql`(
  exists (select from conversations o join messages m on m.conversation = o.id join agents a on a.id = m.agent
    where o.person = c.person and ${condition})
  or exists (select from deals d join agents a on a.id = d.agent
    where c.person in (d.buyer, d.seller) and d.closed_at is null and ${condition}))`

// The interface leaves open when a rule matches. Product and side go by the person's tags, agent and company by the agents (of
// that company of ours) that write to the person, and sender by the client's addresses in this conversation or by our own
// account.
const holds = sql<boolean>`case r.field
  when 'label' then exists (select from conversation_labels l where l.conversation = c.id and l.label = r.value)
    or exists (select from person_tags t where t.person = c.person and t.label = r.value and t.removed_at is null)
  when 'product' then exists (select from person_tags t
    where t.person = c.person and t.label = r.value and t.removed_at is null)
  when 'side' then exists (select from person_tags t
    where t.person = c.person and t.side = r.value and t.removed_at is null)
  when 'sender' then coalesce(c.connection = r.value, false)
    or exists (select from messages m
      cross join lateral (select lower(case m.direction when 'inbound' then m.sender_handle else m.to_address end)) h (handle)
      where m.conversation = c.id and not m.suspect
        and case when left(r.value, 1) = '@' then right(h.handle, length(r.value)) = r.value else h.handle = r.value end)
    or exists (select from addresses a where a.person = c.person and a.kind <> 'email' and a.value = r.value)
  when 'agent' then ${agentOf(sql`a.id = r.value`)}
  when 'company' then ${agentOf(sql`a.company = r.value`)}
  else false end`

export type Handed = { conversation: string; member: string; rule: string }

/**
 * Gives each of these conversations that has no owner to the member of the first rule that matches or, with `rule`, of that
 * rule alone, whatever the switch says. A conversation that gets an owner meanwhile keeps it. Answers who got what.
 */
export async function handOut(
  trx: Trx,
  workspace: string,
  conversations: string[],
  rule: string | null = null,
): Promise<Handed[]> {
  const { rows } = await sql<Handed>`
    update conversations set owner = matched.member
    from (
      select c.id, first.member, first.rule
      from conversations c
      cross join lateral (
        select r.member, r.id as rule from routing_rules r
        where r.workspace = ${workspace} and (${rule}::text is null or r.id = ${rule}) and ${holds}
        order by r.position limit 1) first
      where c.workspace = ${workspace} and c.id = any(${conversations}::text[]) and c.owner is null) matched
    where conversations.id = matched.id and conversations.owner is null
    returning conversations.id as conversation, matched.member, matched.rule`.execute(trx)
  return rows
}

/**
 * Gives a new conversation its owner by the first rule that matches, if the switch is on and nobody owns it; writes its audit
 * line and notifies the owner. Answers the member's id, or null if the conversation stays without an owner.
 */
export async function routeConversation(
  trx: Trx,
  workspace: string,
  conversation: string,
  now: Date,
): Promise<string | null> {
  const { enabled } = await findRouting(trx, workspace)
  const [handed] = enabled ? await handOut(trx, workspace, [conversation]) : []
  if (!handed) return null
  const { member } = handed
  const by = { member: null, client: null, key: null }
  await recordAudit(trx, { workspace, at: now, ...by, ...routedLine(handed) })
  await tellOwner(trx, { workspace, member, conversations: 1, conversation, now })
  return member
}

/** The audit data of a conversation that was assigned. */
export const routedLine = ({ conversation, member, rule }: Handed) => ({
  action: 'conversation.routed' as const,
  resource: conversation,
  before: { owner: null },
  after: { owner: member, rule },
})

/** One notification to a new owner, however many conversations they got; `conversation` is given if there is only one. */
export const tellOwner = (
  trx: Trx,
  told: {
    workspace: string
    member: string
    conversations: number
    conversation: string | null
    now: Date
  },
) =>
  notify(trx, {
    workspace: told.workspace,
    member: told.member,
    at: told.now,
    kind: 'conversation.assigned',
    text:
      told.conversations === 1
        ? 'A conversation is yours now by the routing rules.'
        : `${told.conversations} conversations are yours now by the routing rules.`,
    conversation: told.conversation,
  })

// The meaning of a routing rule's value: the key that it is stored as, or undefined if it names nothing.

const readers: Record<
  RoutingField,
  (db: Db, workspace: string, value: string) => Promise<string | undefined>
> = {
  label: async (db, workspace, value) =>
    (await findLabel(db, workspace, value)) ?? findProductId(db, workspace, value),
  side: async (_, __, value) => sideMeant(value),
  product: (db, workspace, value) => findProductId(db, workspace, value),
  sender: async (db, workspace, value) =>
    (await findAccount(db, workspace, value)) ?? readSender(value),
  // The interface's key of a company is that of GET /companies: one on whose behalf agents write, not a client's employer.
  company: (db, workspace, value) => findNamed(db, 'companies', workspace, value),
  agent: (db, workspace, value) => findNamed(db, 'agents', workspace, value),
}

/**
 * The key that a rule's value is stored as: the id of a label (or product tag), a product, a company of ours or an agent, any
 * of which may be given by name; buyer or seller; a client's address in its normal form; @domain; or the id of a connection,
 * which may be given by its account. Undefined if it is none of these.
 */
export const findRoutingValue = (
  db: Db,
  workspace: string,
  field: RoutingField,
  value: string,
): Promise<string | undefined> => readers[field](db, workspace, value.trim())

async function findLabel(db: Db, workspace: string, value: string) {
  const rows = await db
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .where((eb) =>
      eb.or([eb('id', '=', value), eb(eb.fn<string>('lower', ['name']), '=', value.toLowerCase())]),
    )
    .execute()
  return (rows.find(({ id }) => id === value) ?? rows[0])?.id
}

const findProductId = async (db: Db, workspace: string, value: string) =>
  (await findProductIds(db, workspace, [value]))[0]

async function findNamed(
  db: Db,
  table: 'companies' | 'agents',
  workspace: string,
  value: string,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .where((eb) => eb.or([eb('id', '=', value), eb('name', '=', value)]))
    .orderBy('id')
    .execute()
  return (rows.find(({ id }) => id === value) ?? rows[0])?.id
}

async function findAccount(db: Db, workspace: string, value: string) {
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'account'])
    .where('workspace', '=', workspace)
    .where('removedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('id', '=', value),
        eb(eb.fn<string>('lower', ['account']), '=', value.toLowerCase()),
      ]),
    )
    .orderBy('id')
    .execute()
  return (rows.find(({ id }) => id === value) ?? rows[0])?.id
}

function readSender(value: string): string | undefined {
  if (value.startsWith('@')) return readEmail(`x${value}`)?.value.slice(1)
  // A bare word would pass for a profile; only a whole profile address counts here.
  const kinds: Address['kind'][] = value.includes('/') ? ['linkedin'] : ['email', 'phone']
  return kinds.flatMap((kind) => readAddress(kind, value) ?? [])[0]?.value
}
