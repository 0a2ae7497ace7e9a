import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Db, inOneTrip, type Trx } from '../database.ts'
import { isHeld, passFence } from '../holds.ts'
import type { CampaignTemplates } from './tables.ts'

// The templates of a campaign's letters, and letters that were made from one to look at.

export type TemplateRow = Omit<Selectable<CampaignTemplates>, 'campaign'>

export const listTemplates = (db: Db, campaign: string): Promise<TemplateRow[]> =>
  db
    .selectFrom('campaignTemplates')
    .select(['place', 'variant', 'weight', 'subject', 'text', 'html'])
    .where('campaign', '=', campaign)
    .orderBy('place')
    .orderBy('variant')
    .execute()

/** Replaces all templates of their places. Call it with the campaign locked. */
export async function replaceTemplates(trx: Trx, campaign: string, templates: TemplateRow[]) {
  await removeTemplates(trx, campaign, [...new Set(templates.map(({ place }) => place))])
  await trx
    .insertInto('campaignTemplates')
    .values(templates.map((template) => ({ campaign, ...template })))
    .execute()
}

/** Takes the templates off these places. Call it with the campaign locked. */
export const removeTemplates = (trx: Trx, campaign: string, places: number[]) =>
  trx
    .deleteFrom('campaignTemplates')
    .where('campaign', '=', campaign)
    .where('place', 'in', places)
    .execute()

/** What became of a letter to one person so far. */
export const findTouchFor = (
  db: Db,
  { campaign, person, place }: { campaign: string; person: string; place: number },
) =>
  db
    .selectFrom('touches')
    .select(['variant', 'connection', 'subject', 'text', 'html', 'ownWords', 'agreed', 'brief'])
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('place', '=', place)
    .executeTakeFirst()

/**
 * Puts a letter up for review that no text can be made for: `missing` has no value, or its template has failed. A later try
 * makes it again.
 */
export const reviewUnmade = (
  db: Db,
  id: string,
  made: { reason: string; missing: string[]; variant: string; signedBy: string | null },
) =>
  db
    .updateTable('touches')
    .set({ state: 'review', ...made })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('text', 'is', null)
    .execute()

export const insertTest = (
  trx: Trx,
  test: {
    operation: string
    workspace: string
    campaign: string
    place: number
    person: string
    toAddress: string
  },
) => trx.insertInto('letterTests').values(test).execute()

export const findTest = (db: Db, operation: string) =>
  db.selectFrom('letterTests').selectAll().where('operation', '=', operation).executeTakeFirst()

/** What the Message-ID of a test begins with. */
export const testIdOf = (operation: string) =>
  `test-${createHash('sha256').update(operation).digest('hex').slice(0, 32)}`

const ofTest = /^<?(test-[0-9a-f]{32})@/

/** Whether a mail is a test that the workspace has sent, by its Message-ID. */
export async function isTest(db: Db, workspace: string, messageId: string): Promise<boolean> {
  const id = ofTest.exec(messageId)?.[1]
  if (!id) return false
  const rows = await db
    .selectFrom('letterTests')
    .innerJoin('campaigns', 'campaigns.id', 'letterTests.campaign')
    .select('operation')
    .where('campaigns.workspace', '=', workspace)
    .execute()
  return rows.some(({ operation }) => testIdOf(operation) === id)
}

/** `claimed` for the one attempt that may send the test; `held` if nothing of the workspace, or of the account, may go. */
export async function claimTest(
  db: Db,
  { operation, workspace }: { operation: string; workspace: string },
  connection: string,
): Promise<'claimed' | 'held' | undefined> {
  const held = isHeld(workspace, sql`${connection}`)
  const claiming = sql<{ is: 'claimed' | 'held' }>`
    with found as materialized (select ${held} as is_held), claimed as (
      update letter_tests set state = 'sending'
      where operation = ${operation} and state = 'queued' and not (select is_held from found)
      returning operation)
    select case when is_held then 'held' else 'claimed' end as is
    from found where is_held or exists (select from claimed)`
  const [found] = await inOneTrip(db, () => [
    sql`select ${passFence(workspace)}`.compile(db),
    claiming.compile(db),
  ])
  return found?.is
}

export const settleTest = (
  db: Db,
  operation: string,
  state: 'sent' | 'failed' | 'unconfirmed',
  code: string | null = null,
) =>
  db
    .updateTable('letterTests')
    .set({ state, code })
    .where('operation', '=', operation)
    .where('state', 'in', ['queued', 'sending'])
    .execute()
