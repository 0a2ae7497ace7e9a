import type { LoginProblem } from '../answers/login.ts'
import type { Problem } from '../problem.ts'
import type { Found } from './found.ts'

// What the caller who adds a mailbox is told of its servers, and of what has come of the logins.

/** The servers that were found, without the table's knowledge of the provider. */
export function shownFound({ source, smtp, imap, provider, unexpected }: Found) {
  return {
    source,
    smtp: smtp && { host: smtp.host, port: smtp.port, secure: smtp.secure, user: smtp.user },
    imap: imap && { host: imap.host, port: imap.port, secure: imap.secure, user: imap.user },
    provider: provider?.name ?? null,
    unexpected,
  }
}

type Tried =
  | { outcome: 'ok' }
  | { outcome: 'login_failed'; problem: LoginProblem; words: string }
  | { outcome: 'server_unreachable' }
type Outcome = {
  found?: Found
  problem?: 'no_servers' | 'hosts_to_confirm'
  smtp: Tried | null
  imap: Tried | null
}
type Code = 'login_failed' | 'server_unreachable' | 'validation_failed'

/** Why nothing was kept: each server with its own pointer, a login that was refused before all else. */
export function toldOutcome(
  account: string,
  outcome: Outcome | null,
): { code: Code; errors: (Problem & { pointer: string })[] } {
  if (outcome?.problem === 'hosts_to_confirm')
    return {
      code: 'validation_failed',
      errors: [
        {
          pointer: '/discover',
          code: 'hosts_to_confirm',
          message: `The domain of ${account} names ${(outcome.found?.unexpected ?? []).join(' and ')}, which is not under it. Show the owner of the mailbox these names, and then give smtp and imap.`,
        },
      ],
    }
  const failed = (['smtp', 'imap'] as const).flatMap((server) => {
    const tried = outcome?.[server]
    if (!tried || tried.outcome === 'ok') return []
    const message =
      tried.outcome === 'login_failed'
        ? tried.words || 'The server offers no login with a password.'
        : 'The server cannot be reached, or offers no connection that is safe.'
    return [{ pointer: `/${server}`, code: tried.outcome, message }]
  })
  const code = failed.find((one) => one.code === 'login_failed')?.code ?? failed[0]?.code
  if (code) return { code, errors: failed.sort((a) => (a.code === code ? -1 : 1)) }
  const isClosed = outcome?.found?.provider !== undefined
  return {
    code: 'validation_failed',
    errors: [
      {
        pointer: '/discover',
        code: 'no_servers',
        message: isClosed
          ? `${outcome.found?.provider?.name} lets no other program into its mailboxes.`
          : `The domain of ${account} names no servers for its mailboxes; give smtp and imap.`,
      },
    ],
  }
}
