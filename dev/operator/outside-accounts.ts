import { listSendingAccounts } from '../../db/accounts/connections.ts'
import type { Db } from '../../db/database.ts'
import { isLoopback } from '../../process/network/loopback.ts'

/** An account whose letters do not end in the mail sink of `npm start`, and the server to which it sends them. */
export type Leaving = { workspace: string; connection: string; account: string; to: string }

/** Every such account of the database, whoever created it. */
export async function accountsLeaving(db: Db, sinkPort: number): Promise<Leaving[]> {
  const accounts = await listSendingAccounts(db)
  return accounts.flatMap(({ workspace, id: connection, account, smtp, bridge }) => {
    const to = [smtp && beyondSink(smtp, sinkPort), bridge && addressOf(bridge.url)]
    return to.flatMap((to) => (to ? [{ workspace, connection, account, to }] : []))
  })
}

// Another server on this machine may forward the mail it accepts: only the sink is known to keep it.
const beyondSink = ({ host, port }: { host: string; port: number }, sinkPort: number) =>
  isLoopback(host) && port === sinkPort ? undefined : addressed(host, String(port))

function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return addressed(hostname, port || (protocol === 'https:' ? '443' : '80'))
}

const addressed = (host: string, port: string) =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`
