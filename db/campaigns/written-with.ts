import { type RawBuilder, sql } from 'kysely'
import type { CampaignState } from '../../rules/campaign.ts'
import type { Trx } from '../database.ts'
import { enqueueWake } from '../operations/wakes.ts'
import { withdrawAgreements } from './agreements.ts'

// Letters are written with more than their campaign: also with its agent, the agent's company and product, the workspace's
// rules, the member that they are from, and what members told the agent about a person. An edit of any of these counts as an
// edit of every campaign whose letters would be written with it.

/**
 * The members of each resource that letters are written with; of an agent's labels only the first counts, which is its product.
 */
export const writtenWith = {
  agents: ['name', 'company', 'goal', 'rules', 'knowledge', 'labels'],
  companies: ['name', 'pitch', 'policy', 'facts'],
  products: ['name', 'description', 'conditions'],
  members: ['name', 'signature'],
  workspaces: ['houseRules'],
} as const

export type WrittenWith = keyof typeof writtenWith

/** Whether an edit changes what letters are written with; `before` and `after` hold the members that it changes. */
export function changesLetters(
  table: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): boolean {
  const names: readonly string[] = table in writtenWith ? writtenWith[table as WrittenWith] : []
  return Object.keys(after).some(
    (name) =>
      names.includes(name) &&
      (name !== 'labels' || first(before['labels']) !== first(after['labels'])),
  )
}

const first = (list: unknown) => (list as string[] | undefined)?.[0]

/** What is edited: a row of one of the tables, or the instructions about a person. */
export type Edited =
  | { table: WrittenWith; id: string }
  | { person: string }
  /** The instructions about several people, whose campaigns are only locked together. */
  | { people: string[] }
  /** The job title of a member, which only templates print. */
  | { jobTitleOf: string }

export type Hanging = { id: string; state: CampaignState; runner: string | null }

/**
 * Locks the campaigns whose letters would be written with what is edited, so that none of them starts meanwhile. A letter that
 * was handed over is settled under its campaign's lock and then written to its conversation: campaigns are therefore locked
 * before a conversation, and no lock of an agent blocks the messages that refer to it.
 */
export async function lockWrittenWith(
  trx: Trx,
  workspace: string,
  edited: Edited,
): Promise<Hanging[]> {
  const { rows } = await sql<Hanging>`
    select campaigns.id, campaigns.state, campaigns.runner from campaigns
    where campaigns.workspace = ${workspace} and campaigns.state <> 'done' and ${hangsOn(edited)}
    order by campaigns.id for no key update of campaigns`.execute(trx)
  return rows
}

function hangsOn(edited: Edited) {
  if ('person' in edited) return writesTo(sql`${edited.person}`)
  if ('people' in edited)
    return sql<boolean>`exists (select from unnest(${edited.people}::text[]) as told (person) where ${writesTo(sql`told.person`)})`
  if ('jobTitleOf' in edited)
    return sql<boolean>`${isSignedBy(edited.jobTitleOf)} and exists (select from campaign_templates t
      where t.campaign = campaigns.id and concat_ws(' ', t.subject, t.text, t.html) like '%jobTitle%')`
  const { table, id } = edited
  if (table === 'workspaces') return sql<boolean>`true`
  if (table === 'members') return isSignedBy(id)
  if (table === 'agents') return sql<boolean>`campaigns.agent = ${id}`
  return table === 'companies'
    ? sql<boolean>`campaigns.agent in (select id from agents where agents.workspace = campaigns.workspace and company = ${id})`
    : sql<boolean>`campaigns.agent in (select id from agents where agents.workspace = campaigns.workspace and labels[1] = ${id})`
}

// The accounts as listSenders returns them: the campaign's own, otherwise its agent's, otherwise all of the workspace.
const isSignedBy = (member: string) => sql<boolean>`exists (
  select from connections c left join agents a on a.id = campaigns.agent
  where c.workspace = campaigns.workspace and c.kind = 'email' and c.member = ${member}
    and case when cardinality(campaigns.senders) > 0 then c.id = any(campaigns.senders)
      when cardinality(a.channels) > 0 then c.id = any(a.channels) else true end)`

// A person of the segment, or one who was written to, for whom a letter is still to be written.
const writesTo = (person: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from segment_people s
    where s.segment = campaigns.segment and s.person = ${person} and (s.matches or s.by_hand))
  or exists (select from touches t where t.campaign = campaigns.id and t.person = ${person}))
  and not exists (select from touches t where t.campaign = campaigns.id and t.person = ${person}
    and t.place > 0 and (t.state = 'failed' or t.place = 3 and (t.state in ('sending', 'sent') or t.agreed)))`

/** Withdraws the agreement of letters of campaigns that were locked for an edit, and has their runners look again. */
export async function withdrawLetters(trx: Trx, campaigns: Hanging[]) {
  await withdrawAgreements(
    trx,
    campaigns.map(({ id }) => id),
  )
  for (const { state, runner } of campaigns)
    if (state === 'running' && runner) await enqueueWake(trx, runner, 'letters')
}

/** Whether a conversation has an instruction: a task without a due time that was not cancelled. */
export async function hasInstruction(trx: Trx, conversation: string): Promise<boolean> {
  const row = await trx
    .selectFrom('tasks')
    .select('id')
    .where('conversation', '=', conversation)
    .where('due', 'is', null)
    .where('state', '!=', 'cancelled')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
