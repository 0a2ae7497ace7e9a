import { isIP } from 'node:net'
import type { MailServer } from '../../../db/accounts/tables.ts'
import { resolvePublic } from '../../../process/network/public-host.ts'

const lookUpMs = 5_000

/**
 * The server to connect to. One that a customer has named is known by its name alone: it is looked up again each time, has to be on
 * the public internet, and is reached at the very address that was checked, with its name for SNI and the certificate. Undefined if
 * it cannot be: what is private and what is not there are not distinguished.
 */
export async function pinned(server: MailServer): Promise<MailServer | undefined> {
  if (!server.public) return server
  const found = await resolvePublic(server.host, { withinMs: lookUpMs })
  if (typeof found === 'string') return undefined
  const tls = isIP(server.host) ? ('required' as const) : { servername: server.host }
  return { ...server, host: found.address, tls }
}
