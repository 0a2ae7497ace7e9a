import { createTicket } from '../../db/accounts/connect-tickets.ts'
import { findConnection } from '../../db/accounts/connections.ts'
import { needsOwner } from '../../oauth/provider.ts'
import { loadConfig } from '../../process/config.ts'
import { auditOfOperator, fail, withDatabase } from './commands.ts'

// npm run -s connect -- CONNECTION: prints the address of the page on which the owner of an account that logs in by OAuth 2.0
// consents. It works once, for a day.

const config = loadConfig()
const [id, ...more] = process.argv.slice(2)
if (!id || more.length > 0) fail('npm run -s connect -- CONNECTION')
await withDatabase(config, async (db) => {
  const connection = await findConnection(db, id)
  if (!connection) return fail(`There is no connection ${id}.`)
  if (!needsOwner(connection))
    return fail(
      `${id} does not log in by the consent of its owner: its \`oauth\` in the operator's file is ${saying(connection.oauth)}.`,
    )
  const { workspace, account } = connection
  const by = { member: null, client: null, token: null }
  const { ticket, expiresAt } = await db.transaction().execute(async (trx) => {
    const made = await createTicket(trx, { workspace, connection: id, by })
    await auditOfOperator(trx, {
      workspace,
      at: new Date(),
      action: 'channel.link_created',
      resource: id,
      after: { expiresAt: made.expiresAt.toISOString() },
    })
    return made
  })
  console.error(
    `For the owner of ${account} alone; it works once, until ${expiresAt.toISOString()}.`,
  )
  console.log(`${config.publicUrl}/connect/${ticket}`)
})

function saying(oauth: unknown) {
  if (oauth === null || oauth === 'none') return 'missing'
  return typeof oauth === 'object' && 'tokenServer' in oauth
    ? 'a token server'
    : 'client_credentials'
}
