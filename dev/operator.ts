import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { root } from './parts.ts'

// What an operator types on a new machine, done by `npm start` with the same commands.

const run = promisify(execFile)
const scopes = 'inbox:read,inbox:write,send,campaigns:write'

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

/** A token is shown once and kept by nobody, so every start makes its own. */
export const mintToken = ({ workspace, member }: Who, env: NodeJS.ProcessEnv): Promise<string> =>
  command(
    env,
    ...['dev/token.ts', 'create', '--workspace', workspace, '--member', member],
    ...['--client', 'npm start', '--scopes', scopes],
  )

async function command(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, args, { cwd: root, env })
    return stdout.trim()
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(`${args.slice(0, 2).join(' ')} failed:\n${stderr?.trim() || error}`)
  }
}
