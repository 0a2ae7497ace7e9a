import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

// What the floors share. A floor is given its input in the environment and says its port on standard output.

export type Input = { databaseUrl: string; temporalAddress: string; smtpPort: number }

export const input: Input = JSON.parse(process.env['FLOOR'] ?? '{}')

/** As many connections as a process of ours has. */
export const pool = new pg.Pool({ connectionString: input.databaseUrl, max: 20 })

export const serve = (server: Server) =>
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
