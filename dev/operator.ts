import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { closeAccess, openAccess } from '../db/administration.ts'
import { openClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { listTokens } from '../db/tokens.ts'
import { root } from './parts.ts'
import { writePrivate } from './stack.ts'

// What an operator types on a new machine, done by `npm start` with the same commands.

const run = promisify(execFile)
const scopes = ['inbox:read', 'inbox:write', 'send', 'campaigns:write']
const day = 24 * 60 * 60 * 1000

export type Who = { workspace: string; member: string; name: string }

/** Applies the workspace file. @throws Error with what the command says is wrong with it. */
export async function applyWorkspace(file: string, env: NodeJS.ProcessEnv) {
  await command(env, 'dev/workspace.ts', 'apply', file)
}

/** The first member of a workspace file. */
export function firstMember(file: string): Who | undefined {
  const { workspace, members } = parse(readFileSync(join(root, file), 'utf8')) ?? {}
  const [member] = members ?? []
  if (!workspace?.id || !member?.id) return undefined
  return { workspace: workspace.id, member: member.id, name: member.name }
}

const client = 'npm start'

/**
 * The token of `npm start`: the one of the last start while it lives, kept where only the owner reads it, else another one.
 * Tokens that earlier starts made beside it are ended.
 */
export async function startToken(who: Who, dataDir: string, env: NodeJS.ProcessEnv) {
  const { workspace, member } = who
  const path = join(dataDir, 'token')
  const db = openDatabase(env['DATABASE_URL'] as string, 1)
  try {
    const ours = (await listTokens(db, workspace)).filter(
      ({ clientName, revokedAt, expiresAt }) =>
        clientName === client && !revokedAt && expiresAt.getTime() > Date.now() + day,
    )
    const kept = readKept(path)
    const living = ours.find((row) => row.id === kept?.id && row.member === member)
    const clock = await openClock(db, undefined)
    for (const { id } of ours) if (id !== living?.id) await closeAccess(db, id, clock.now())
    if (living && kept) return kept.token
    const wanted = { workspace, member, client, scopes, days: 90 }
    const { id, token } = await openAccess(db, wanted, clock.now())
    writePrivate(path, `${JSON.stringify({ id, token })}\n`)
    return token
  } finally {
    await db.destroy()
  }
}

function readKept(path: string): { id: string; token: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function command(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, args, { cwd: root, env })
    return stdout.trim()
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(`${args.slice(0, 2).join(' ')} failed:\n${stderr?.trim() || error}`)
  }
}
