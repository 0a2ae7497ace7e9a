import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

const dealRows = (db: Db) =>
  db
    .selectFrom('deals')
    .innerJoin('people as buyers', 'buyers.id', 'deals.buyer')
    .innerJoin('people as sellers', 'sellers.id', 'deals.seller')
    .selectAll('deals')
    .select(['buyers.name as buyerName', 'sellers.name as sellerName'])

/** Newest first; `after` is the [createdAt, id] of the last row of the page before. */
export const listDeals = (
  db: Db,
  workspace: string,
  filter: { state?: 'open' | 'closed' | undefined },
  after: readonly string[] | undefined,
  limit: number,
) =>
  dealRows(db)
    .where('deals.workspace', '=', workspace)
    .$if(filter.state !== undefined, (q) =>
      q.where('closedAt', filter.state === 'open' ? 'is' : 'is not', null),
    )
    .$if(after !== undefined, (q) =>
      q.where(
        sql<boolean>`(deals.created_at, deals.id) < (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('deals.createdAt', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(limit)
    .execute()

const one = (db: Db, workspace: string, id: string) =>
  dealRows(db).where('deals.workspace', '=', workspace).where('deals.id', '=', id)

export const findDeal = (db: Db, workspace: string, id: string) =>
  one(db, workspace, id).executeTakeFirst()

export const lockDeal = (trx: Trx, workspace: string, id: string) =>
  one(trx, workspace, id).forUpdate('deals').executeTakeFirst()

export type DealRow = NonNullable<Awaited<ReturnType<typeof findDeal>>>

export async function insertDeal(
  trx: Trx,
  deal: {
    workspace: string
    label: string
    seller: string
    buyer: string
    agent: string
    createdAt: Date
  },
): Promise<string> {
  const id = newId('dea')
  await trx
    .insertInto('deals')
    .values({ id, ...deal })
    .execute()
  return id
}

export const updateDeal = (
  trx: Trx,
  id: string,
  edit: { stage?: string; closedAt?: Date | null },
) => trx.updateTable('deals').set(edit).where('id', '=', id).execute()
