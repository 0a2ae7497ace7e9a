import type { Db } from '../../db/database.ts'
import { listDescribed, type Row, shownTables } from '../../db/workspace/administration.ts'

// A workspace as a document of the administration: the operator's file as it would have to be to describe what is there, without
// secrets, and without people, conversations, folders and deals, which a file only adds.

type Shown = (typeof shownTables)[number]
export type Rows = { workspace: Row | undefined } & Record<Shown, Row[]>

/** What is there of a workspace. */
export async function rowsOf(db: Db, workspace: string): Promise<Rows> {
  const [row] = await listDescribed(db, 'workspaces', workspace)
  const rows = { workspace: row } as Rows
  for (const table of shownTables) rows[table] = await listDescribed(db, table, workspace)
  return rows
}

export function documentOf(rows: Rows) {
  const { id, name, timezone, tagging, region, mode, houseRules, billing, retention, quotas } =
    rows.workspace as Row
  const members = (table: Shown, names: string[]) => rows[table].map((row) => some(row, names))
  return {
    workspace: given({ id, name, timezone, tagging, region, mode }),
    house: houseRules,
    members: members('members', ['id', 'name', 'email', 'jobTitle', 'zone', 'signature']),
    connections: rows.connections.map(connectionOf),
    calendars: members('calendars', ['id', 'name', 'member', 'caldav']),
    products: members('products', [
      ...['id', 'name', 'description', 'side', 'goal', 'conditions', 'markets'],
    ]),
    companies: members('companies', ['id', 'name', 'pitch', 'policy', 'facts', 'markets']),
    agents: members('agents', [
      ...['id', 'name', 'company', 'goal', 'rules', 'knowledge', 'enabled', 'labels', 'channels'],
      'hours',
    ]),
    ...given({ billing, retention, quotas }),
  }
}

const connectionOf = (row: Row) =>
  given({
    ...some(row, ['id', 'kind', 'name', 'account', 'member']),
    limits: { day: row['limitDay'], week: row['limitWeek'], gapSeconds: row['gapSeconds'] },
    smtp: serverOf(row['smtp']),
    imap: serverOf(row['imap']),
    oauth: row['oauth'],
    authserv: (row['authserv'] as string[]).length > 0 ? row['authserv'] : null,
    bridge: row['bridge'],
  })

/** A mail server as a document names it. Whether a customer has named it is not theirs to say. */
export function serverOf(server: unknown) {
  if (!server) return null
  const { public: _, ...shown } = server as Record<string, unknown>
  return shown
}

const some = (row: Row, names: string[]) =>
  given(Object.fromEntries(names.map((name) => [name, row[name]])))

// A document says nothing where there is nothing: null would be taken for a member that is left out.
const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  )
