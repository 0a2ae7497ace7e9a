import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { openClock } from '../../db/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { closeAccess, openAccess } from '../../db/workspace/administration.ts'
import { listTokens } from '../../db/workspace/tokens.ts'
import { scopes } from '../../rules/scopes.ts'
import { readProspects } from '../operator/prospects.ts'
import { writePrivate } from '../operator/stack-values.ts'
import { inTerminal, readWorkspaceFile } from '../operator/workspace-file.ts'
import { root } from './services.ts'

// What an operator would type on a new machine; `npm start` does it with the same commands.

const run = promisify(execFile)
const day = 24 * 60 * 60 * 1000

type Who = { workspace: string; member: string; name: string }

/** Applies the workspace file with the operator's command. @throws Error with the output of the command when it fails. */
export async function applyWorkspace(file: string, env: NodeJS.ProcessEnv) {
  try {
    await run(process.execPath, ['dev/operator/workspace.ts', 'apply', file], { cwd: root, env })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(`The workspace file was not applied:\n${stderr?.trim() || error}`)
  }
}

/** The file that the variable names: relative to the project's folder unless the path is absolute. */
const placeOf = (file: string) => resolve(root, file)

/**
 * Checks the file before anything is started. Whether its ids are free shows only when it is applied to the database.
 * @throws Error naming every wrong line.
 */
export function judgeWorkspace(file: string, env: NodeJS.ProcessEnv) {
  const path = placeOf(file)
  const read = readWorkspaceFile(path, env)
  const prospects = read.file?.prospects && resolve(dirname(path), read.file.prospects)
  const problems = [
    ...read.problems.map((problem) => ({ path: file, ...problem })),
    ...(prospects
      ? readProspects(prospects, '').problems.map((problem) => ({ path: prospects, ...problem }))
      : []),
  ]
  if (problems.length > 0)
    throw new Error([`The workspace file cannot be used:`, ...problems.map(inTerminal)].join('\n'))
}

/** The first member of a workspace file. */
export function firstMember(file: string): Who | undefined {
  const { workspace, members } = parse(readFileSync(placeOf(file), 'utf8')) ?? {}
  const [member] = members ?? []
  if (!workspace?.id || !member?.id) return undefined
  return { workspace: workspace.id, member: member.id, name: member.name }
}

const client = 'npm start'

/**
 * The token of `npm start`: that of the last start while it is valid, kept in a file that only the owner can read;
 * otherwise a new one. Other tokens that earlier starts made are revoked. `name` is that of the file.
 */
export async function startToken(
  who: Who,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  name = 'token',
) {
  const { workspace, member } = who
  const path = join(dataDir, name)
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
    const wanted = { workspace, member, client, scopes: [...scopes], days: 90 }
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
