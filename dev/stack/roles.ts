import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDatabase, type Postgres, withClient } from './postgres.ts'

const sql = readFileSync(join(import.meta.dirname, '../operator/roles.sql'), 'utf8')

export const ownerRole = 'postroom_owner'
export const serviceRole = 'postroom_app'

export type Passwords = { owner: string; service: string }
/** The URL for reading and writing rows, and the URL for changing the schema. */
export type DatabaseUrls = { url: string; ownerUrl: string }

/** Creates a database on a server of ours with its two roles; takes over a database that a superuser has owned until now. */
export async function prepareDatabase(
  server: Pick<Postgres, 'url'>,
  name: string,
  passwords: Passwords,
): Promise<DatabaseUrls> {
  await ensureDatabase(server, name)
  await withClient(server.url(name), async (client) => {
    const set = (variable: string, value: string) =>
      client.query('select set_config($1, $2, false)', [`postroom.${variable}_password`, value])
    await set('owner', passwords.owner)
    await set('app', passwords.service)
    await client.query(sql)
  })
  return {
    url: server.url(name, { name: serviceRole, password: passwords.service }),
    ownerUrl: server.url(name, { name: ownerRole, password: passwords.owner }),
  }
}
