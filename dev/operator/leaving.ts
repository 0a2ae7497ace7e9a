import { listSendingAccounts } from '../../db/accounts/sending-accounts.ts'
import type { Db } from '../../db/database.ts'
import { isLoopback } from '../../network/loopback.ts'

/** An account whose letters do not end in the mail sink of `npm start`, and where it hands them over. */
export type Leaving = { workspace: string; connection: string; account: string; to: string }

/** Every such account of the database, whoever put it there. */
export async function accountsLeaving(db: Db, sinkPort: number): Promise<Leaving[]> {
  const accounts = await listSendingAccounts(db)
  return accounts.flatMap(({ workspace, id: connection, account, smtp, bridge }) => {
    const to = [smtp && beyondSink(smtp, sinkPort), bridge && addressOf(bridge.url)]
    return to.flatMap((to) => (to ? [{ workspace, connection, account, to }] : []))
  })
}

// Another server of this machine may hand on what it takes: the sink alone is known to keep it.
const beyondSink = ({ host, port }: { host: string; port: number }, sinkPort: number) =>
  isLoopback(host) && port === sinkPort ? undefined : addressed(host, String(port))

function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return addressed(hostname, port || (protocol === 'https:' ? '443' : '80'))
}

const addressed = (host: string, port: string) =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`
