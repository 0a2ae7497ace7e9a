import { findConnection } from '../../db/accounts/connections.ts'
import { openClock } from '../../db/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { accessTokenOf, type TokenDeps } from '../../oauth/access-token.ts'
import { secretKey } from './given.ts'

// Asks for the access token of an account, and is killed when the provider has answered and nothing is written down yet.

const db = openDatabase(process.env['DATABASE_URL'] ?? '', 2)
const account = await findConnection(db, process.env['CONNECTION'] ?? '')
const deps: TokenDeps = {
  ...{ db, secretKey, clock: await openClock(db) },
  claimMs: 1_000,
  crash: () => process.kill(process.pid, 'SIGKILL'),
}
if (account) await accessTokenOf(deps, account)
