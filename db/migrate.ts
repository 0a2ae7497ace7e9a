import { type Migration, Migrator, sql } from 'kysely'
import { type Db, isUndefinedTable, openDatabase } from './database.ts'
import { grantRows } from './grants.ts'
import { buildIndexes } from './indexes.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as filesAndLists from './migrations/0002-files-and-lists.ts'
import * as calendar from './migrations/0003-calendar.ts'
import * as routing from './migrations/0004-routing.ts'
import * as tasks from './migrations/0005-tasks.ts'
import * as events from './migrations/0006-events.ts'
import * as finder from './migrations/0007-finder.ts'
import * as mailboxes from './migrations/0008-mailboxes.ts'
import * as pastMail from './migrations/0009-past-mail.ts'
import * as dueOrder from './migrations/0010-due-order.ts'
import * as caughtUp from './migrations/0011-caught-up.ts'
import * as evidence from './migrations/0012-evidence.ts'
import * as briefs from './migrations/0013-briefs.ts'
import * as fairOutbox from './migrations/0014-fair-outbox.ts'
import * as webhookRunners from './migrations/0015-webhook-runners.ts'
import * as operationToken from './migrations/0016-operation-token.ts'
import * as invitationsByDay from './migrations/0017-invitations-by-day.ts'
import * as alarms from './migrations/0018-alarms.ts'
import * as patience from './migrations/0019-patience.ts'
import * as relay from './migrations/0020-relay.ts'
import * as traces from './migrations/0021-traces.ts'
import * as sharedNumbers from './migrations/0022-shared-numbers.ts'
import * as changes from './migrations/0023-changes.ts'
import * as wordsOfLetters from './migrations/0024-words-of-letters.ts'
import * as accountRetries from './migrations/0025-account-retries.ts'
import * as accountTurns from './migrations/0026-account-turns.ts'
import * as outboxLooks from './migrations/0027-outbox-looks.ts'
import * as recordedLast from './migrations/0029-recorded-last.ts'
import * as mailboxHolder from './migrations/0031-mailbox-holder.ts'
import * as ownFields from './migrations/0032-own-fields.ts'
import * as suppressedPeople from './migrations/0033-suppressed-people.ts'
import * as takenOut from './migrations/0034-taken-out-and-regions.ts'
import * as wholeLetters from './migrations/0035-whole-letters.ts'
import * as templates from './migrations/0036-templates.ts'
import * as oauth from './migrations/0037-oauth.ts'
import * as ownWords from './migrations/0038-own-words.ts'
import * as headsOfLetters from './migrations/0041-heads-of-letters.ts'
import * as domainsInUnicode from './migrations/0042-domains-in-unicode.ts'
import * as rests from './migrations/0043-rests.ts'
import * as lettersAnew from './migrations/0044-letters-anew.ts'
import * as mailboxSets from './migrations/0045-mailbox-sets.ts'
import * as writers from './migrations/0047-writers.ts'
import * as importsAsRead from './migrations/0048-imports-as-read.ts'
import * as movedMeetings from './migrations/0049-moved-meetings.ts'
import * as cleanAddresses from './migrations/0051-clean-addresses.ts'

const migrations = {
  '0001-foundation': foundation,
  '0002-files-and-lists': filesAndLists,
  '0003-calendar': calendar,
  '0004-routing': routing,
  '0005-tasks': tasks,
  '0006-events': events,
  '0007-finder': finder,
  '0008-mailboxes': mailboxes,
  '0009-past-mail': pastMail,
  '0010-due-order': dueOrder,
  '0011-caught-up': caughtUp,
  '0012-evidence': evidence,
  '0013-briefs': briefs,
  '0014-fair-outbox': fairOutbox,
  '0015-webhook-runners': webhookRunners,
  '0016-operation-token': operationToken,
  '0017-invitations-by-day': invitationsByDay,
  '0018-alarms': alarms,
  '0019-patience': patience,
  '0020-relay': relay,
  '0021-traces': traces,
  '0022-shared-numbers': sharedNumbers,
  '0023-changes': changes,
  '0024-words-of-letters': wordsOfLetters,
  '0025-account-retries': accountRetries,
  '0026-account-turns': accountTurns,
  '0027-outbox-looks': outboxLooks,
  '0029-recorded-last': recordedLast,
  '0031-mailbox-holder': mailboxHolder,
  '0032-own-fields': ownFields,
  '0033-suppressed-people': suppressedPeople,
  '0034-taken-out-and-regions': takenOut,
  '0035-whole-letters': wholeLetters,
  '0036-templates': templates,
  '0037-oauth': oauth,
  '0038-own-words': ownWords,
  '0041-heads-of-letters': headsOfLetters,
  '0042-domains-in-unicode': domainsInUnicode,
  '0043-rests': rests,
  '0044-letters-anew': lettersAnew,
  '0045-mailbox-sets': mailboxSets,
  '0047-writers': writers,
  '0048-imports-as-read': importsAsRead,
  '0049-moved-meetings': movedMeetings,
  '0051-clean-addresses': cleanAddresses,
}

/** The name of the newest migration. A database that has it, or newer ones too, is ready for this release. */
export const newestMigration = Object.keys(migrations).sort().at(-1) as string

/**
 * Brings the database to the newest schema, as its owner, gives `role`, which the service connects as, the rights to its rows,
 * and builds the indexes that are missing. Two runs at once are harmless (each takes turns). A database that a later release has migrated stays as it is. A
 * database is refused if it lacks a migration of this release that comes before ones it has, or has an unknown one between
 * them.
 */
export async function migrateToLatest(
  ownerUrl: string,
  role?: string,
  log: (line: string) => void = () => {},
) {
  const db = openDatabase(ownerUrl, 2)
  try {
    const newer = await listNewer(db)
    if (newer.length > 0)
      log(`The database has migrations of a later release, which stay: ${newer.join(', ')}`)
    const known = { ...migrations, ...Object.fromEntries(newer.map((name) => [name, carriedOut])) }
    const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
    const { error, results } = await migrator.migrateToLatest()
    for (const result of results ?? []) log(`${result.migrationName}: ${result.status}`)
    if (error) throw error
    if (role) await grantRows(db, role)
    await buildIndexes(db, log)
  } finally {
    await db.destroy()
  }
}

const carriedOut: Migration = {
  async up() {
    throw new Error('A migration of a later release is not known here.')
  },
}

/** The migrations of a later release that the database has had. */
async function listNewer(db: Db): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration where name collate "C" > ${newestMigration} order by name`.execute(
      db,
    )
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isUndefinedTable(error)) return []
    throw error
  }
}

/** The name of the last migration that the database has had; empty if there is none. */
export async function findLastMigration(db: Db): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select name from kysely_migration order by name desc limit 1`.execute(db)
  return rows[0]?.name ?? ''
}
