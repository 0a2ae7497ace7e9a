import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Address, keyOf } from '../../rules/addresses.ts'
import type { Db, Trx } from '../database.ts'
import { type SecretKey, seal, unseal } from '../secrets.ts'

// The addresses of people who were erased: nothing writes to them again, and no import brings them back. Only a keyed hash of each
// is kept (HMAC-SHA256 over the workspace and the form in which addresses are compared). The key is random, is used for nothing
// else, and does not change with SECRET_KEY, which only seals it.

type Named = Pick<Address, 'kind' | 'value'>

const place = (workspace: string) => ({ in: 'erasureKeys.secret' as const, id: workspace })
const keyBytes = 32

const hashOf = (key: Buffer, workspace: string, address: Named) =>
  createHmac('sha256', key)
    .update(`${workspace}\n${keyOf(address)}`)
    .digest()

/** The key of a workspace; undefined as long as nobody of it was erased. */
async function findKey(db: Db, secretKey: SecretKey | undefined, workspace: string) {
  const row = await db
    .selectFrom('erasureKeys')
    .select('secret')
    .where('id', '=', workspace)
    .executeTakeFirst()
  return row && opened(secretKey, workspace, row.secret)
}

function opened(secretKey: SecretKey | undefined, workspace: string, secret: string): Buffer {
  if (secretKey === undefined)
    throw new Error(
      'People of this workspace were erased: knowing their addresses needs SECRET_KEY.',
    )
  return Buffer.from(unseal<string>(secretKey, secret, place(workspace)), 'base64')
}

/** Makes the key of a workspace if it has none. */
async function makeKey(trx: Trx, secretKey: SecretKey | undefined, workspace: string) {
  if (secretKey === undefined) throw new Error('Erasing somebody needs SECRET_KEY.')
  const fresh = seal(secretKey, randomBytes(keyBytes).toString('base64'), place(workspace))
  await trx
    .insertInto('erasureKeys')
    .values({ id: workspace, secret: fresh })
    .onConflict((oc) => oc.doNothing())
    .execute()
  return (await findKey(trx, secretKey, workspace)) as Buffer
}

/** Notes that addresses are those of somebody who is erased. The caller has locked them. */
export async function eraseAddresses(
  trx: Trx,
  secretKey: SecretKey | undefined,
  workspace: string,
  addresses: Named[],
  now: Date,
) {
  const key = await makeKey(trx, secretKey, workspace)
  if (addresses.length === 0) return
  const hashes = addresses.map((address) => hashOf(key, workspace, address))
  await sql`
    insert into erased_addresses (workspace, hash, erased_at)
    select ${workspace}, hash, ${now} from unnest(${hashes}::bytea[]) as hash
    on conflict do nothing`.execute(trx)
}

/**
 * Those of the addresses, by `keyOf`, that somebody had who was erased. It is asked where a card is made or gets an address, with
 * the addresses locked, and costs one statement as long as nobody of the workspace was erased.
 */
export async function findErased(
  db: Db,
  secretKey: SecretKey | undefined,
  workspace: string,
  addresses: Named[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const key = await findKey(db, secretKey, workspace)
  if (!key) return new Set()
  const keys = new Map(
    addresses.map((address) => [hashOf(key, workspace, address).toString('hex'), keyOf(address)]),
  )
  const hashes = [...keys.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from erased_addresses
    where workspace = ${workspace} and hash = any(${hashes}::bytea[])`.execute(db)
  return new Set(rows.map(({ hash }) => keys.get(hash.toString('hex')) as string))
}
