import { isDeepStrictEqual } from 'node:util'
import { startReaders } from '../../db/accounts/mailboxes.ts'
import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import {
  changesLetters,
  lockWrittenWith,
  type WrittenWith,
  withdrawLetters,
} from '../../db/campaigns/written-with.ts'
import { hastenRests } from '../../db/conversations/message-turns.ts'
import type { Trx } from '../../db/database.ts'
import {
  type SealBinding,
  SealError,
  type SealedColumn,
  type SecretKey,
  seal,
  unseal,
} from '../../db/secrets.ts'
import { insertDescribed, type Row, updateDescribed } from '../../db/workspace/administration.ts'
import { type Item, jsonColumns } from './items.ts'

// What applying a description changes, item by item, and how it is carried out: for the operator's file, and for the document of the
// administration.

export type Work = {
  trx: Trx
  workspace: string
  /** Passwords are encrypted with it. */
  secretKey: SecretKey | undefined
  /** The time of the business clock. */
  now: Date
}

/** An item that is to be inserted, or whose columns `names` get the values of `wanted`. */
export type Edit = {
  item: Item
  row: Row | undefined
  names: string[]
  wanted: Record<string, unknown>
  /** The sealed passwords, where they change. */
  secrets: { secrets: string } | undefined
}

/**
 * What an item changes in its row; undefined if nothing. A value that is the same as in `last` was given before, and what is there
 * stays.
 */
export function editOf(
  { secretKey }: Pick<Work, 'secretKey'>,
  item: Item,
  row: Row | undefined,
  last: Record<string, unknown> = {},
): Edit | undefined {
  const secrets = sealed(secretKey, item, row)
  const wanted = merged(item, row)
  const names = Object.keys(item.given).filter(
    (name) =>
      !row ||
      (!isDeepStrictEqual(item.given[name], last[name]) &&
        !isDeepStrictEqual(wanted[name], row[name])),
  )
  return row && names.length === 0 && !secrets ? undefined : { item, row, names, wanted, secrets }
}

export async function carryOut(work: Work, edit: Edit): Promise<void> {
  const { trx, workspace, now } = work
  const { item, row, names, wanted, secrets } = edit
  if (!row) {
    const values = stored({ ...item.defaults, ...wanted })
    if (item.table === 'workspaces') values['houseUpdatedAt'] = now
    else values['workspace'] = workspace
    return void (await insertDescribed(trx, item.table, { ...values, ...secrets, id: item.id }))
  }
  const values = stored(Object.fromEntries(names.map((name) => [name, wanted[name]])))
  if (names.includes('houseRules')) values['houseUpdatedAt'] = now
  // The server or the password has changed: the next check finds out whether the account works.
  if (item.table === 'calendars') values['problem'] = null
  else if (
    secrets ||
    ['smtp', 'imap', 'bridge', 'oauth'].some((server) => names.includes(server))
  ) {
    Object.assign(values, { alive: true, problem: null, checkedAt: null })
    if (item.table === 'connections') await hastenRests(trx, workspace, item.id, now)
  }
  await updateDescribed(trx, item.table, item.id, { ...values, ...secrets })
  const changed = Object.fromEntries(names.map((name) => [name, wanted[name]]))
  if (changesLetters(item.table, row, changed)) {
    const edited = { table: item.table as WrittenWith, id: item.id }
    await withdrawLetters(trx, await lockWrittenWith(trx, workspace, edited))
  } else if (item.table === 'members' && 'jobTitle' in changed)
    await withdrawLetters(trx, await lockWrittenWith(trx, workspace, { jobTitleOf: item.id }))
}

/** What follows from edits that were carried out: campaigns look again, and mailboxes are read. */
export async function followEdits({ trx, workspace }: Work, edits: Edit[]): Promise<void> {
  // Running campaigns may depend on what has changed.
  const wakes = edits.some(({ item }) =>
    ['workspaces', 'connections', 'agents'].includes(item.table),
  )
  if (wakes) await wakeRunners(trx, { workspace }, 'settings')
  const mailboxes = edits
    .filter(({ item }) => item.table === 'connections' && item.given['imap'])
    .map(({ item }) => ({ id: item.id, workspace }))
  await startReaders(trx, mailboxes)
}

/** Missing hours are filled from the present ones, or from the defaults; everything else is taken as given. */
function merged(item: Item, row: Row | undefined): Record<string, unknown> {
  if (!('hours' in item.given)) return item.given
  const base = (row ?? item.defaults)['hours'] as object
  return { ...item.given, hours: { ...base, ...(item.given['hours'] as object) } }
}

const stored = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      jsonColumns.has(name) ? JSON.stringify(value) : value,
    ]),
  )

/** The encrypted passwords, where they differ from those stored; passwords that the description leaves out are kept. */
function sealed(
  secretKey: SecretKey | undefined,
  { table, id, passwords }: Item,
  row: Row | undefined,
) {
  if (!passwords || Object.keys(passwords).length === 0 || !secretKey) return undefined
  const kept = passwordsOf(secretKey, table, id, row)
  const wanted = { ...kept, ...passwords }
  if (isDeepStrictEqual(kept, wanted)) return undefined
  return { secrets: seal(secretKey, wanted, placeOf(table, id)) }
}

const placeOf = (table: Item['table'], id: string): SealBinding => ({
  in: `${table}.secrets` as SealedColumn,
  id,
})

/** The passwords of a row, by the server that they are for. */
export function passwordsOf(
  secretKey: SecretKey,
  table: Item['table'],
  id: string,
  row: Row | undefined,
): Record<string, string> {
  const secrets = row?.['secrets'] as string | null | undefined
  if (!secrets) return {}
  try {
    return unseal(secretKey, secrets, placeOf(table, id))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    // Encrypted with another SECRET_KEY: unless they are given again, nobody can read them any more.
    return {}
  }
}
