import { type ParseArgsConfig, parseArgs } from 'node:util'
import { openClock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { closeAccess, openAccess } from '../../db/workspace/administration.ts'
import { findMember } from '../../db/workspace/members.ts'
import { listTokens } from '../../db/workspace/tokens.ts'
import { findWorkspace } from '../../db/workspace/workspaces.ts'
import { loadConfig } from '../../process/config.ts'
import { scopes } from '../../rules/scopes.ts'
import { fail, withDatabase } from './commands.ts'

// npm run -s token: creates, lists and revokes tokens. `create` prints the token alone on stdout, this one time.

const usage = [
  'npm run -s token -- create --workspace ID --member ID --client NAME --scopes a,b [--days 90]',
  'npm run -s token -- list [--workspace ID]',
  'npm run -s token -- revoke ID',
]
const longestDays = 3650

const config = loadConfig()
const [verb, ...args] = process.argv.slice(2)
const verbs: Record<string, (db: Db) => Promise<void>> = { create, list, revoke }
const run = verbs[verb ?? ''] ?? fail(...usage)
await withDatabase(config, run)

async function create(db: Db) {
  const text = { type: 'string' } as const
  const { values } = options({
    workspace: text,
    member: text,
    client: text,
    scopes: text,
    days: text,
  })
  const { workspace, member, client, days = '90' } = values
  const wanted = [...new Set((values.scopes ?? '').split(',').map((scope) => scope.trim()))].filter(
    Boolean,
  )
  const unknown = wanted.filter((scope) => !scopes.some((known) => known === scope))
  if (!workspace || !member || !client?.trim() || wanted.length === 0) fail(...usage)
  if (unknown.length > 0)
    fail(`Unknown scope: ${unknown.join(', ')}. The scopes are ${scopes.join(', ')}.`)
  if (!/^\d+$/.test(days) || Number(days) < 1 || Number(days) > longestDays)
    fail(`--days must be a whole number from 1 to ${longestDays}.`)
  if (!(await findWorkspace(db, workspace))) fail(`There is no workspace ${workspace}.`)
  if (!(await findMember(db, workspace, member)))
    fail(`There is no member ${member} in ${workspace}.`)

  const clock = await openClock(db, config.clock)
  const made = await openAccess(
    db,
    { workspace, member, client: client.trim(), scopes: wanted, days: Number(days) },
    clock.now(),
  )
  console.error(`${made.id}: shown only this once, valid for ${days} days.`)
  console.log(made.token)
}

async function list(db: Db) {
  const { values } = options({ workspace: { type: 'string' } })
  const now = Date.now()
  const stateOf = (token: { revokedAt: Date | null; expiresAt: Date }) =>
    token.revokedAt ? 'revoked' : token.expiresAt.getTime() <= now ? 'expired' : 'live'
  const rows = (await listTokens(db, values.workspace)).map((token) => [
    token.id,
    token.workspace,
    token.member,
    token.clientName,
    token.scopes.join(','),
    stateOf(token),
    token.expiresAt.toISOString().slice(0, 10),
    token.lastUsedAt?.toISOString().slice(0, 16) ?? '-',
  ])
  const header = ['id', 'workspace', 'member', 'client', 'scopes', 'state', 'expires', 'last used']
  const widths = header.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  for (const row of [header, ...rows])
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

async function revoke(db: Db) {
  const { positionals } = options({}, true)
  const [id] = positionals
  if (!id || positionals.length > 1) fail(...usage)
  const clock = await openClock(db, config.clock)
  if (!(await closeAccess(db, id, clock.now()))) fail(`There is no valid token ${id}.`)
  console.error(`${id} is revoked.`)
}

function options<T extends NonNullable<ParseArgsConfig['options']>>(
  known: T,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args, allowPositionals, options: known })
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}
