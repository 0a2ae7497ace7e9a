import { sandboxDomain } from './recipients.ts'

// The mode of a workspace. It is decided when the workspace is made and never changes: what a sandbox has queued would otherwise go
// out for real, and what is meant for people would be lost in a sandbox.

export const modes = ['live', 'sandbox'] as const
export type Mode = (typeof modes)[number]

/** What an account of a sandbox is shown to be connected to where no servers are given. Nothing is at these addresses. */
export const playedServers = {
  smtp: { host: sandboxDomain, port: 465, secure: true },
  imap: { host: sandboxDomain, port: 993, secure: true },
}

type Described = {
  workspace: { mode?: Mode | undefined }
  connections?: { oauth?: unknown; bridge?: unknown }[] | undefined
  calendars?: unknown[] | undefined
}

/** The same description with the mode that the workspace has, if it names none. */
export function withMode<T extends Described>(file: T, present: unknown): T {
  if (file.workspace.mode !== undefined || present !== 'sandbox') return file
  return { ...file, workspace: { ...file.workspace, mode: 'sandbox' as const } }
}

/**
 * What keeps a description from being that of this workspace. `present`: the mode that it has; undefined if it is not there yet. In a
 * sandbox, nothing may lead elsewhere: there are no bridges, calendars on servers, and logins at providers.
 */
export function modeProblems(file: Described, present: unknown) {
  const problems: { path: (string | number)[]; message: string }[] = []
  const { mode } = file.workspace
  if (present !== undefined && mode !== undefined && mode !== present)
    problems.push({
      path: ['workspace', 'mode'],
      message: `must stay ${present}: it is decided when a workspace is made`,
    })
  if ((present ?? mode) !== 'sandbox') return problems
  const message = 'must not be in a sandbox, which reaches no other system'
  file.connections?.forEach(({ oauth, bridge }, i) => {
    if (oauth !== undefined && oauth !== 'none')
      problems.push({ path: ['connections', i, 'oauth'], message })
    if (bridge !== undefined) problems.push({ path: ['connections', i, 'bridge'], message })
  })
  if (file.calendars?.length) problems.push({ path: ['calendars', 0], message })
  return problems
}
