import { sql } from 'kysely'
import { keyOf } from '../../rules/addresses.ts'
import {
  addName,
  countBatch,
  countStops,
  type Effects,
  errorsOf,
  type ImportMode,
  type ImportRows,
  type ImportStops,
  type Known,
  mostNamesakes,
  noRows,
  noStops,
  nothingKnown,
  resolveBatch,
  type Stop,
  stopsOf,
} from '../../rules/people/import-batch.ts'
import { valuesOf } from '../../rules/people/which-card.ts'
import type { Correction } from '../../rules/people-file/columns.ts'
import { mostErrors } from '../../rules/people-file/read.ts'
import type { Batch, ImportError, PersonFields } from '../../rules/people-file/rows.ts'
import type { Db, Trx } from '../database.ts'
import { callOf } from '../events/audit.ts'
import { recordEvent } from '../events/events.ts'
import { newId } from '../ids.ts'
import { endOperation, keyOfOperation, operationProgress } from '../operations/operations.ts'
import type { SecretKey } from '../secrets.ts'
import { beginCards, bringCards } from './card-words.ts'
import { insertAddresses, lockAllAddresses, orderAddresses } from './cards.ts'
import { findErased } from './erased.ts'
import { peopleHappened } from './events.ts'
import { findKinds } from './fields.ts'
import { findFirstRows, insertRows } from './import-rows.ts'
import { findAllOwners, findOrders } from './matching.ts'
import { findByExternalIds, keepKnown } from './people.ts'

// An import of people as rows. One file, because each batch changes the cards, the counts and the cursor in one transaction, and
// the plan looks up the same cards.

export type NewImport = {
  workspace: string
  operation: string
  name: string
  content: Buffer
  columns: Correction[]
  mode: ImportMode
  /** Of national phone numbers. */
  region: string | null
  /** The row of the headings, 0 if there is none, and the sheet; null where they are to be found. */
  headings: number | null
  sheet: string | null
}

export async function insertImport(trx: Trx, { columns, ...row }: NewImport): Promise<string> {
  const id = newId('imp')
  await trx
    .insertInto('imports')
    .values({ id, ...row, columns: JSON.stringify(columns), rows: JSON.stringify(noRows()) })
    .execute()
  return id
}

/** The input of an import; content is null once it has ended. */
export const findImport = (db: Db, id: string) =>
  db
    .selectFrom('imports')
    .select(['id', 'workspace', 'content', 'columns', 'region', 'cursor', 'state', 'rows'])
    .select(['headings', 'sheet'])
    .where('id', '=', id)
    .executeTakeFirst()

export type ImportState = {
  operation: string
  state: string
  rows: ImportRows
  suppressions: ImportStops
  errors: ImportError[]
}

/** The progress of an operation's import, as its caller reads it; `operation` is its key. */
export async function presentImport(db: Db, operation: string): Promise<ImportState> {
  const { rows, ...state } = await db
    .selectFrom('operations')
    .innerJoin('imports', 'imports.id', 'operations.resource')
    .select(['operations.key as operation', 'operations.state', 'imports.rows', 'imports.errors'])
    .where('operations.id', '=', operation)
    .executeTakeFirstOrThrow()
  const { suppressions, ...outcomes } = rows
  // Postgres keeps the members of a document in an order of its own.
  return {
    ...state,
    rows: { ...noRows(), ...outcomes },
    suppressions: { ...noStops(), ...suppressions },
  }
}

/** The people known by the addresses of a batch, with their cards locked until the transaction ends. */
async function lockKnown(
  trx: Trx,
  workspace: string,
  batch: Batch,
  secretKey: SecretKey | undefined,
): Promise<Known> {
  const known = nothingKnown()
  await addKnown(trx, { workspace, secretKey }, batch, known, (ids) =>
    cardsOf(trx, ids).forUpdate().execute(),
  )
  return known
}

/** Adds to `known` the people known by the addresses of a batch, for a plan: nothing is locked. */
export const lookUpKnown = (db: Db, of: Looking, batch: Batch, known: Known) =>
  addKnown(db, of, batch, known, (ids) => cardsOf(db, ids).execute())

const cardsOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('people')
    .select(['id', 'name', 'city', 'jobTitle', 'company', 'externalId', 'fields'])
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')

type CardRow = Awaited<ReturnType<ReturnType<typeof cardsOf>['execute']>>[number]

/** The workspace, and the key without which it is not known whose addresses were erased. */
type Looking = { workspace: string; secretKey: SecretKey | undefined }

async function addKnown(
  db: Db,
  { workspace, secretKey }: Looking,
  batch: Batch,
  all: Known,
  read: (ids: string[]) => Promise<CardRow[]>,
): Promise<void> {
  const { owners, emails, orders, cards, ids: externals } = all
  await loadKinds(db, workspace, batch, all)
  const addresses = batch.people.flatMap((person) => person.addresses)
  const asked = addresses.filter((address) => !owners.has(keyOf(address)))
  for (const key of await findErased(db, secretKey, workspace, addresses)) all.erased.add(key)
  for (const [key, people] of await findAllOwners(db, workspace, asked)) owners.set(key, people)
  const wanted = batch.people.flatMap(({ externalId }) =>
    externalId === undefined || externals.has(externalId) ? [] : [externalId],
  )
  for (const [externalId, id] of await findByExternalIds(db, workspace, wanted))
    externals.set(externalId, id)
  const namesakes = await listNamesakes(db, workspace, batch)
  for (const { given, id } of namesakes) addName(all.names, given, id)
  const ids = new Set([
    ...namesakes.map(({ id }) => id),
    ...addresses.flatMap((address) => owners.get(keyOf(address)) ?? []),
    ...batch.people.flatMap(({ externalId }) => externals.get(externalId ?? '') ?? []),
  ])
  const unread = [...ids].filter((id) => !cards.has(id))
  if (unread.length === 0) return
  for (const { id, ...fields } of await read(unread)) cards.set(id, fields)
  for (const [person, addresses] of await findOrders(db, unread)) {
    orders.set(person, addresses)
    const theirs = valuesOf(addresses)
    if (theirs.length > 0) emails.set(person, new Set(theirs))
  }
}

async function loadKinds(db: Db, workspace: string, { people }: Batch, { kinds }: Known) {
  const names = new Set(people.flatMap(({ own = {} }) => Object.keys(own)))
  const unread = [...names].filter((name) => !kinds.has(name))
  const found = await findKinds(db, workspace, unread)
  for (const name of unread) kinds.set(name, found.get(name))
}

/** The cards with the names of those rows that have nothing else to be found by. */
async function listNamesakes(db: Db, workspace: string, { people }: Batch) {
  const bare = people.filter((one) => one.addresses.length === 0 && one.externalId === undefined)
  const names = [...new Set(bare.flatMap(({ fields }) => fields.name ?? []))]
  if (names.length === 0) return []
  const { rows } = await sql<{ given: string; id: string }>`
    select given, card.id from unnest(${names}::text[]) as given
    cross join lateral (select id from people where workspace = ${workspace} and lower(name) = lower(given)
      order by id limit ${mostNamesakes}) as card
    order by card.id`.execute(db)
  return rows
}

/** Whether no other import of the workspace is writing; then none will until the transaction ends. */
async function takeTurn(trx: Trx, workspace: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`import ${workspace}`}, 0)) as taken`.execute(
    trx,
  )
  return rows[0]?.taken === true
}

export type BatchResult = 'written' | 'written before' | 'stopped' | 'busy'

/**
 * Writes one batch, its outcomes and the cursor after it in one transaction: a process killed at any point has written all of
 * it or nothing. The row's lock and the cursor prevent two overlapping attempts from writing it twice. `onEmails` is told of
 * the cards whose e-mail addresses have another order now, `onStops` of those who must not be written to. Without `secretKey` it
 * fails where somebody of the workspace was erased. 'busy': another import of the workspace is writing; nobody waits for it here,
 * because whoever waits would hold a connection.
 */
export const importBatch = (
  db: Db,
  secretKey: SecretKey | undefined,
  id: string,
  batch: Batch,
  total: number,
  now: Date,
  onEmails: (trx: Trx, people: string[]) => Promise<void> = async () => {},
  onStops: (trx: Trx, workspace: string, stops: Stop[]) => Promise<void> = async () => {},
): Promise<BatchResult> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('imports')
      .select(['workspace', 'operation', 'cursor', 'rows', 'state', 'mode'])
      .select(sql<number>`jsonb_array_length(errors)`.as('listed'))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.state !== 'running') return 'stopped'
    if (row.cursor >= batch.to) return 'written before'
    if (!(await takeTurn(trx, row.workspace))) return 'busy'
    await lockAllAddresses(trx, row.workspace)
    const known = await lockKnown(trx, row.workspace, batch, secretKey)
    known.rows = await findFirstRows(trx, row.operation, known.cards.keys())
    const effects = resolveBatch(batch, known, row.mode, () => newId('per'))
    await writeCards(trx, row.workspace, effects, known, now)
    await keepKnown(trx, row.workspace, [...known.cards.keys()])
    if (effects.emails.size > 0) await onEmails(trx, [...effects.emails].sort())
    const stops = stopsOf(batch, effects)
    if (stops.length > 0) await onStops(trx, row.workspace, stops)
    await insertRows(trx, row.operation, batch, effects)
    await cardsHappened(trx, row, effects, now)
    const errors = errorsOf(batch, effects).slice(0, Math.max(0, mostErrors - row.listed))
    await trx
      .updateTable('imports')
      .set({
        cursor: batch.to,
        rows: JSON.stringify({
          ...countBatch(row.rows, batch, effects),
          total,
          suppressions: countStops(row.rows.suppressions ?? noStops(), stops),
        }),
        ...(errors.length > 0 && {
          errors: sql<string>`errors || ${JSON.stringify(errors)}::jsonb`,
        }),
      })
      .where('id', '=', id)
      .execute()
    await operationProgress(trx, row.operation, batch.to, total)
    return 'written'
  })

async function writeCards(
  trx: Trx,
  workspace: string,
  effects: Effects,
  { cards }: Known,
  now: Date,
) {
  const columns = (ids: string[]) => {
    const of = (name: keyof PersonFields) => ids.map((id) => cards.get(id)?.[name] ?? '')
    const externals = ids.map((id) => cards.get(id)?.externalId ?? null)
    const own = ids.map((id) => JSON.stringify(cards.get(id)?.fields ?? {}))
    return sql`unnest(${ids}::text[], ${of('name')}::text[], ${of('city')}::text[], ${of('jobTitle')}::text[],
      ${of('company')}::text[], ${externals}::text[], ${own}::jsonb[])
      as fresh (id, name, city, job_title, company, external_id, fields)`
  }
  await beginCards(trx)
  if (effects.made.length > 0)
    await sql`
      insert into people (id, workspace, name, city, job_title, company, external_id, fields, created_at, updated_at)
      select id, ${workspace}, name, city, job_title, company, external_id, fields, ${now}, ${now} from ${columns(effects.made)}`.execute(
      trx,
    )
  const made = new Set(effects.made)
  const changed = [...effects.changed.keys()].filter((id) => !made.has(id))
  if (changed.length > 0)
    await sql`
      update people set name = fresh.name, city = fresh.city, job_title = fresh.job_title, company = fresh.company,
        external_id = fresh.external_id, fields = fresh.fields, updated_at = ${now}
      from ${columns(changed)} where people.id = fresh.id`.execute(trx)
  await insertAddresses(trx, workspace, effects.addresses, made)
  await orderAddresses(trx, workspace, effects.orders)
  const readdressed = effects.addresses.map(({ person }) => person)
  await bringCards(trx, workspace, [...made, ...changed, ...readdressed, ...effects.orders.keys()])
}

/** Records an event about each card that an import has made or changed, without its values. */
async function cardsHappened(
  trx: Trx,
  { workspace, operation }: { workspace: string; operation: string },
  { made, changed }: Effects,
  now: Date,
) {
  const fresh = new Set(made)
  const edited = [...changed.keys()].filter((id) => !fresh.has(id))
  const record = (kind: 'person.created' | 'person.edited', people: string[]) =>
    peopleHappened(
      trx,
      { workspace, kind, at: now, operation, by: { client: null, key: keyOfOperation(operation) } },
      people.map((id) => ({ id, members: [...(changed.get(id) ?? [])] })),
    )
  await record('person.created', made)
  await record('person.edited', edited)
}

export type ImportEnd = 'done' | 'failed' | 'cancelled'

/** Ends an import and its operation with the counts, and deletes the file. Ending it twice changes nothing. */
export const endImport = (
  db: Db,
  id: string,
  state: ImportEnd,
  problem: ImportError | undefined,
  now: Date,
) =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('imports')
      .set({
        state,
        content: null,
        ...(problem && { errors: sql<string>`errors || ${JSON.stringify([problem])}::jsonb` }),
      })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .returning(['operation', 'workspace'])
      .executeTakeFirst()
    if (!row) return
    await recordEvent(trx, {
      workspace: row.workspace,
      kind: `import.${state}`,
      at: now,
      resource: id,
      data: { state, operation: row.operation, ...callOf({ key: keyOfOperation(row.operation) }) },
    })
    const result = { ...(await presentImport(trx, row.operation)), state }
    await endOperation(trx, row.operation, { state, result, status: 200 }, now)
  })
