import { sql } from 'kysely'
import type { Hours } from '../../rules/hours.ts'
import type { Db, Trx } from '../database.ts'

const card = [
  'id',
  'name',
  'goal',
  'rules',
  'knowledge',
  'enabled',
  'labels',
  'channels',
  'hours',
  // An agent that speaks for no company of its own has an empty one.
  sql<string>`coalesce(company, '')`.as('company'),
] as const

export const listAgents = (db: Db, workspace: string) =>
  db
    .selectFrom('agents')
    .select(card)
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()

const one = (db: Db, workspace: string, id: string) =>
  db.selectFrom('agents').select(card).where('workspace', '=', workspace).where('id', '=', id)

export const findAgent = (db: Db, workspace: string, id: string) =>
  one(db, workspace, id).executeTakeFirst()

export const lockAgent = (trx: Trx, workspace: string, id: string) =>
  one(trx, workspace, id).forNoKeyUpdate().executeTakeFirst()

export type AgentEdit = {
  goal?: string
  rules?: string
  knowledge?: string
  enabled?: boolean
  labels?: string[]
  channels?: string[]
  hours?: Hours
}

export async function updateAgent(trx: Trx, id: string, { hours, ...edit }: AgentEdit) {
  await trx
    .updateTable('agents')
    .set({ ...edit, ...(hours && { hours: JSON.stringify(hours) }) })
    .where('id', '=', id)
    .execute()
}
