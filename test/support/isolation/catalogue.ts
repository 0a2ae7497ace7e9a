import { withClient } from '../../../dev/stack/postgres.ts'

// What a workspace owns, read from the schema itself, so that a new table is known the moment it is migrated.

export type Table = {
  columns: Set<string>
  /** The column that names the workspace; none in tables that hang on another one. */
  workspace?: string
  /** Columns that name one row of a tenant's table: its own, or one it refers to. */
  keys: Set<string>
  /** Those of them that refer to another row. */
  references: Set<string>
}

/** Every table that has a workspace or hangs on one that has. */
export type Catalogue = Map<string, Table>

const ofTheDeployment = new Set([
  // Its workspace says whose turn it is; the relay takes the commands of all.
  'outbox',
  // Those of everything and of a mail host count for every workspace.
  'holds',
])

export async function readCatalogue(url: string): Promise<Catalogue> {
  return withClient(url, async (client) => {
    const columns = await client.query<{ table: string; column: string }>(`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public'`)
    // Of one column: those of several, such as (workspace, key), name nothing without the others.
    const constraints = await client.query<{ table: string; column: string; to: string | null }>(`
      select rel.relname as "table", col.attname as "column", nullif(con.confrelid, 0)::regclass::text as "to"
      from pg_constraint con join pg_class rel on rel.oid = con.conrelid
        join pg_attribute col on col.attrelid = rel.oid and col.attnum = con.conkey[1]
      where con.contype in ('p', 'u', 'f') and cardinality(con.conkey) = 1
        and con.connamespace = 'public'::regnamespace`)

    const all: Catalogue = new Map()
    for (const { table, column } of columns.rows) {
      const one = all.get(table) ?? { columns: new Set(), keys: new Set(), references: new Set() }
      one.columns.add(column)
      all.set(table, one)
    }
    const tenants: Catalogue = new Map()
    const take = (name: string) => tenants.set(name, all.get(name) as Table)
    for (const [name, table] of all) {
      if (ofTheDeployment.has(name)) continue
      table.workspace =
        name === 'workspaces' ? 'id' : table.columns.has('workspace') ? 'workspace' : undefined
      if (table.workspace) take(name)
    }
    for (let before = -1; before !== tenants.size; ) {
      before = tenants.size
      for (const { table, to } of constraints.rows)
        if (to && tenants.has(to) && !ofTheDeployment.has(table)) take(table)
    }
    for (const { table, column, to } of constraints.rows) {
      const one = tenants.get(table)
      if (!one || column === one.workspace || (to && !tenants.has(to))) continue
      one.keys.add(column)
      if (to) one.references.add(column)
    }
    return tenants
  })
}
