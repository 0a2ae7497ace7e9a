import { type ParseArgsConfig, parseArgs } from 'node:util'
import { openClock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { listAdminTokens } from '../../db/workspace/admin-tokens.ts'
import { closeAccess, openAccess, openAdministration } from '../../db/workspace/administration.ts'
import { findMember } from '../../db/workspace/members.ts'
import { listTokens } from '../../db/workspace/tokens.ts'
import { findWorkspace } from '../../db/workspace/workspaces.ts'
import { loadConfig } from '../../process/config.ts'
import { adminScopes, scopes, usualAdminScopes } from '../../rules/scopes.ts'
import { fail, withDatabase } from './commands.ts'

// npm run -s token: creates, lists and revokes tokens, those of members and, with --admin, those of the administration. `create`
// prints the token alone on stdout, this one time.

const usage = [
  'npm run -s token -- create --workspace ID --member ID --client NAME --scopes a,b [--days 90] [--unattended]',
  'npm run -s token -- create --admin [--workspace ID] --client NAME [--scopes a,b] [--days 90]',
  'npm run -s token -- list [--workspace ID]',
  'npm run -s token -- revoke ID',
]
const longestDays = 3650
const longestAdminDays = 365

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
    admin: { type: 'boolean' },
    unattended: { type: 'boolean' },
  })
  const { workspace, member, client, days = '90', admin = false, unattended = false } = values
  const [known, longest] = admin ? [adminScopes, longestAdminDays] : [scopes, longestDays]
  const wanted = [...new Set((values.scopes ?? '').split(',').map((scope) => scope.trim()))].filter(
    Boolean,
  )
  const unknown = wanted.filter((scope) => !known.some((one) => one === scope))
  const isWhole = admin
    ? member === undefined && !unattended && (values.scopes === undefined || wanted.length > 0)
    : workspace && member && wanted.length > 0
  if (!isWhole || !client?.trim()) fail(...usage)
  if (unknown.length > 0)
    fail(`Unknown scope: ${unknown.join(', ')}. The scopes are ${known.join(', ')}.`)
  if (!/^\d+$/.test(days) || Number(days) < 1 || Number(days) > longest)
    fail(`--days must be a whole number from 1 to ${longest}.`)
  if (workspace && !(await findWorkspace(db, workspace)))
    fail(`There is no workspace ${workspace}.`)
  if (workspace && member && !(await findMember(db, workspace, member)))
    fail(`There is no member ${member} in ${workspace}.`)

  const access = { client: client.trim(), days: Number(days) }
  const now = (await openClock(db, config.clock)).now()
  const made =
    workspace && member
      ? await openAccess(db, { ...access, workspace, member, scopes: wanted, unattended }, now)
      : await openAdministration(
          db,
          {
            ...access,
            workspace: workspace ?? null,
            scopes: wanted.length > 0 ? wanted : usualAdminScopes,
          },
          now,
        )
  console.error(`${made.id}: shown only this once, valid for ${days} days.`)
  console.log(made.token)
}

async function list(db: Db) {
  const { values } = options({ workspace: { type: 'string' } })
  const now = Date.now()
  const stateOf = (token: { revokedAt: Date | null; expiresAt: Date }) =>
    token.revokedAt ? 'revoked' : token.expiresAt.getTime() <= now ? 'expired' : 'live'
  const members = await listTokens(db, values.workspace)
  const administration = (await listAdminTokens(db, values.workspace)).map((token) => ({
    ...token,
    member: 'administration',
    unattended: false,
  }))
  const rows = [...members, ...administration].map((token) => [
    token.id,
    token.workspace ?? '*',
    token.member,
    token.clientName,
    `${token.scopes.join(',')}${token.unattended ? ' (unattended)' : ''}`,
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
