import { type Kysely, sql } from 'kysely'
import { accounts } from './accounts.ts'
import { calendar } from './calendar.ts'
import { campaigns } from './campaigns.ts'
import { changes } from './changes.ts'
import { conversations } from './conversations.ts'
import { events } from './events.ts'
import { mailboxes } from './mailboxes.ts'
import { operations } from './operations.ts'
import { people } from './people.ts'
import { segments } from './segments.ts'
import { workspace } from './workspace.ts'

// The schema of 0.4.0, the first release whose databases are kept. The numbers below 0100 were those of releases before it.
//
// How tables are stored differs from what Postgres does by itself in two ways, each where its reason holds. A fillfactor leaves
// room for the next version of a row in its page. It helps only where no index holds what is written, neither as a column nor in
// its condition: then the write costs no index anything, and old versions are cleared away in passing. A vacuum by itself comes
// when a fifth of a table is dead. Of a table with millions of rows that are done with and few that are not, that would be
// hundreds of thousands of dead entries before those few: such tables are vacuumed at a twentieth, and the outbox, which is
// looked through several times a second, at a fiftieth. More often would cost more than it saves, because each vacuum reads all
// indexes.

const parts = [
  ...[workspace, operations, accounts, mailboxes, people, segments],
  ...[conversations, campaigns, calendar, events, changes],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of parts) await sql.raw(part).execute(db)
}
