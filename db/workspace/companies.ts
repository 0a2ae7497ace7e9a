import type { Db, Trx } from '../database.ts'

const card = ['id', 'name', 'pitch', 'policy', 'facts', 'markets'] as const

export const listCompanies = (db: Db, workspace: string) =>
  db
    .selectFrom('companies')
    .select(card)
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()

const one = (db: Db, workspace: string, id: string) =>
  db.selectFrom('companies').select(card).where('workspace', '=', workspace).where('id', '=', id)

export const findCompany = (db: Db, workspace: string, id: string) =>
  one(db, workspace, id).executeTakeFirst()

export const lockCompany = (trx: Trx, workspace: string, id: string) =>
  one(trx, workspace, id).forNoKeyUpdate().executeTakeFirst()

export type CompanyEdit = { pitch?: string; policy?: string; facts?: Record<string, unknown>[] }

export async function updateCompany(trx: Trx, id: string, { facts, ...edit }: CompanyEdit) {
  await trx
    .updateTable('companies')
    .set({ ...edit, ...(facts && { facts: JSON.stringify(facts) }) })
    .where('id', '=', id)
    .execute()
}
