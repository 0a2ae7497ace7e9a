import type { Clock } from '../clock.ts'
import type { Db } from '../database.ts'
import { type AdministeredRow, listAdministered } from './channels.ts'
import type { MailServer } from './tables.ts'

// A connection as the administration reads it.

/** One of the workspace; undefined if it has none with this id. */
export async function findAdministered(db: Db, workspace: string, id: string, clock: Clock) {
  const [row] = await listAdministered(db, workspace, clock.now(), { id, limit: 1 })
  return row && presentConnection(row, clock)
}

/** Times are ISO 8601; passwords and other secrets are left out. */
export function presentConnection(row: AdministeredRow, clock: Clock) {
  const { id, kind, name, account, member, oauth, bridge, paused, alive, problem } = row
  return {
    id,
    kind,
    name,
    account,
    member,
    smtp: serverShown(row.smtp),
    imap: serverShown(row.imap),
    oauth: oauth === 'none' ? null : oauth,
    bridge: bridge && { url: bridge.url },
    limits: { day: row.limitDay, week: row.limitWeek, gapSeconds: row.gapSeconds },
    paused,
    alive,
    problem,
    restsUntil: row.restsUntil?.toISOString() ?? null,
    readAt: row.readAt ? clock.at(row.readAt).toISOString() : null,
  }
}

const serverShown = (server: MailServer | null) =>
  server && {
    host: server.host,
    port: server.port,
    secure: server.secure,
    user: server.user ?? null,
  }
