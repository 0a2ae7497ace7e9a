import type { Db } from './database.ts'

// Small facts of the deployment that belong to no resource, by name.

/** The value kept under a name; undefined if there is none. */
export const findSetting = async <T>(db: Db, name: string): Promise<T | undefined> =>
  (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())
    ?.value as T | undefined

export async function keepSetting(db: Db, name: string, value: unknown) {
  const row = { name, value: JSON.stringify(value) }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((oc) => oc.column('name').doUpdateSet(row))
    .execute()
}
