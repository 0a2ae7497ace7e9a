import { type Address, readAddress, readEmail } from '../../rules/addresses.ts'
import { sideMeant } from '../../rules/sides.ts'
import type { Db } from '../database.ts'
import { findProductIds } from '../workspace/products.ts'
import type { RoutingField } from './tables.ts'

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
