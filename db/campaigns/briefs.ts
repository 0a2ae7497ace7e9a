import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { listTemplates } from './templates.ts'
import { letterAddress } from './touches.ts'
import { writtenWith } from './written-with.ts'

/** The most characters of rules, of knowledge, of a pitch, a policy or a description, and of a campaign's own rules in all. */
export const longestWords = 20_000
export const mostCampaignRules = 200

// Rows of earlier versions may hold more: whatever exceeds the limit is left out of the brief.
const within = (text: string) => text.slice(0, longestWords)

function rulesWithin(rules: string[]): string[] {
  let left = longestWords
  return rules.slice(0, mostCampaignRules).flatMap((rule) => {
    const told = rule.slice(0, left)
    left -= told.length
    return told || []
  })
}

/** What a writer is given for a campaign's letters: goal, company, product, rules, materials. */
export async function findBrief(db: Db, campaignId: string) {
  const campaign = await db
    .selectFrom('campaigns')
    .select(['goal', 'agent', 'addRules', 'materials', 'segment', 'workspace', 'briefVersion'])
    .select((eb) =>
      eb
        .selectFrom('agents')
        .select('name')
        .whereRef('agents.id', '=', 'campaigns.agent')
        .as('agentName'),
    )
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  // The version is read before the contents, so that a change made meanwhile counts as a later version.
  const [house, first, templates] = await Promise.all([
    findHouseBrief(db, campaign.workspace, campaign.agent),
    db
      .selectFrom('campaignLetters')
      .select('subject')
      .where('campaign', '=', campaignId)
      .where('place', '=', 1)
      .executeTakeFirst(),
    listTemplates(db, campaignId),
  ])
  return {
    ...house,
    /** What the letters of some places are made from, in place of a writer. */
    templates,
    agentName: campaign.agentName,
    goal: campaign.goal || house.goal,
    rules: [...house.rules, ...rulesWithin(campaign.addRules)],
    materials: campaign.materials.map(({ title, text }) => ({
      title: title ?? '',
      text: text ?? '',
    })),
    firstSubject: first?.subject ?? null,
    segment: campaign.segment,
    version: campaign.briefVersion,
  }
}

/**
 * What an agent is given for everything it writes: its company and product, the workspace's rules and its own, and its
 * knowledge.
 */
export async function findHouseBrief(db: Db, workspace: string, agentId: string | null) {
  const [{ houseRules }, agent] = await Promise.all([
    db
      .selectFrom('workspaces')
      .select(writtenWith.workspaces)
      .where('id', '=', workspace)
      .executeTakeFirstOrThrow(),
    agentId
      ? db
          .selectFrom('agents')
          .select(writtenWith.agents)
          .where('id', '=', agentId)
          .executeTakeFirst()
      : undefined,
  ])
  const [company, product] = await Promise.all([
    agent?.company
      ? db
          .selectFrom('companies')
          .select(writtenWith.companies)
          .where('id', '=', agent.company)
          .executeTakeFirst()
      : undefined,
    agent?.labels[0]
      ? db
          .selectFrom('products')
          .select(writtenWith.products)
          .where('id', '=', agent.labels[0])
          .executeTakeFirst()
      : undefined,
  ])
  return {
    goal: agent?.goal ?? '',
    company: company
      ? {
          name: company.name,
          pitch: within(company.pitch),
          policy: within(company.policy),
          facts: company.facts.map(pairOf('label')),
        }
      : null,
    product: product
      ? {
          name: product.name,
          description: within(product.description),
          conditions: product.conditions.map(pairOf('key')),
        }
      : null,
    // A company's policy on what not to say is a rule. If two rules conflict, the later one counts.
    rules: [houseRules, company?.policy ?? '', agent?.rules ?? ''].filter(Boolean).map(within),
    knowledge: within(agent?.knowledge ?? ''),
  }
}

const pairOf = (name: string) => (pair: Record<string, unknown>) =>
  `${String(pair[name] ?? '')}: ${String(pair['value'] ?? '')}`

/** A query of what members told the agent about a person, oldest first: tasks without a due time, in any conversation with them. */
export const instructionsAbout = (person: RawBuilder<unknown>) => sql<{ text: string }>`
  select text from (
    select k.text, k.seq from tasks k join conversations v on v.id = k.conversation
    where v.person = ${person} and k.due is null and k.state <> 'cancelled'
      and not (v.state = 'closed' and v.reason is not distinct from 'spam')
    order by k.seq desc limit ${mostInstructions}) told order by seq`

export async function listInstructions(db: Db, person: string): Promise<string[]> {
  const { rows } = await instructionsAbout(sql`${person}`).execute(db)
  return rows.map(({ text }) => text)
}

const mostInstructions = 20

/** Some people of the segment, who can have an example letter. */
export const listExamplePeople = async (db: Db, segment: string | null, most: number) =>
  segment === null
    ? []
    : await peopleOfLetters(db)
        .innerJoin('segmentPeople', 'people.id', 'segmentPeople.person')
        .where('segmentPeople.segment', '=', segment)
        .where((eb) => eb.or([eb('matches', '=', true), eb('byHand', '=', true)]))
        .orderBy('people.id')
        .limit(most)
        .execute()

/** People as templates see them. */
const peopleOfLetters = (db: Db) =>
  db
    .selectFrom('people')
    .select([
      'people.id',
      'people.name',
      'people.jobTitle',
      'people.company',
      'people.city',
      'people.fields',
      letterAddress(sql.ref('people.id'), sql`null::text`).as('email'),
    ])

/** The person of a letter; undefined if the workspace has none of this id. */
export const findLetterPerson = (db: Db, workspace: string, person: string) =>
  peopleOfLetters(db)
    .where('people.workspace', '=', workspace)
    .where('people.id', '=', person)
    .where('people.erasedAt', 'is', null)
    .executeTakeFirst()

export const findWrittenPerson = (db: Db, person: string) =>
  db
    .selectFrom('people')
    .select(['name', 'jobTitle', 'company'])
    .where('id', '=', person)
    .executeTakeFirstOrThrow()

/**
 * The letters to a person that were sent before this place through the same account: a follow-up answers them. A follow-up that
 * has to go through another account begins a thread of its own.
 */
export const findLetterBefore = (
  db: Db,
  { campaign, person, place }: { campaign: string; person: string; place: number },
  connection: string | null,
) =>
  db
    .selectFrom('touches')
    .select(['subject', 'messageId', 'place'])
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('place', '<', place)
    .where('state', '=', 'sent')
    .where('connection', '=', connection)
    .orderBy('place')
    .execute()

/** The subject of the first letter to a person that was sent, through whichever account. */
export async function findSentSubject(
  db: Db,
  { campaign, person }: { campaign: string; person: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('touches')
    .select('subject')
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('state', '=', 'sent')
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
  return row?.subject ?? null
}
