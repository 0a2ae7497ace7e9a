import type { MailServer } from '../../../db/accounts/tables.ts'
import { type LoginProblem, loginProblemOf, loginWords } from '../../../rules/answers/login.ts'
import { providerOfHost } from '../../../rules/servers/providers.ts'
import { openImap } from './imap.ts'
import { MailTrouble, openSmtp } from './smtp.ts'

// Whether the servers of a mailbox let somebody in with a password. A customer may name any server, so this must be of no use for
// looking into networks: whatever is not an answer to the login itself is one and the same outcome.

/**
 * ok: the server has let us in. login_failed: it has refused the login; `problem` is why, as far as it says so, and `words` are its
 * own, on one line, at most 200 characters, without the password. server_unreachable: it cannot be reached, is not public, has no
 * TLS that can be trusted, or did not answer in time.
 */
export type Tried =
  | { outcome: 'ok' }
  | { outcome: 'login_failed'; problem: LoginProblem; words: string }
  | { outcome: 'server_unreachable' }

/** The servers of a mailbox, with the password for each; one that is null is not tried. */
export type ToTry = Record<'smtp' | 'imap', { server: MailServer; password: string } | null>

export type TriedServers = { smtp: Tried | null; imap: Tried | null }

const withinMs = 20_000
const unreachable: Tried = { outcome: 'server_unreachable' }

/**
 * Logs in to both servers at once, by AUTH and by LOGIN, each once and with the one name that it was given, and logs out again.
 * Nothing is sent and no mail is read. Passwords go out over TLS alone (tls.ts). Takes twenty seconds at most, and never throws
 * for what a server does.
 */
export async function tryLogins({ smtp, imap }: ToTry): Promise<TriedServers> {
  const [ofSmtp, ofImap] = await Promise.all([
    smtp && tried('smtp', smtp, async ({ server, password }) => openSmtp(server, password)),
    imap && tried('imap', imap, async ({ server, password }) => openImap(server, password)),
  ])
  return { smtp: ofSmtp, imap: ofImap }
}

type One = { server: MailServer; password: string }

async function tried(
  kind: 'smtp' | 'imap',
  one: One,
  open: (one: One) => Promise<{ close(): unknown }>,
): Promise<Tried> {
  const opening = open(one)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), withinMs)
  })
  try {
    const session = await Promise.race([opening, late])
    if (session === 'late') {
      opening.then((opened) => opened.close()).catch(() => {})
      return unreachable
    }
    Promise.resolve(session.close()).catch(() => {})
    return { outcome: 'ok' }
  } catch (error) {
    if (!(error instanceof MailTrouble)) throw error
    return refusalIn(kind, one, error)
  } finally {
    clearTimeout(timer)
  }
}

function refusalIn(kind: 'smtp' | 'imap', { server, password }: One, error: MailTrouble): Tried {
  const said = error.answer?.stage === 'login' ? error.answer.words : error.said
  const isRefused = error.code === `${kind}_login_refused`
  if (said === undefined && !isRefused) return unreachable
  const words = said ?? ''
  const code = error.answer?.code
  return {
    outcome: 'login_failed',
    // It offers no way of logging in that we have.
    problem:
      words === ''
        ? 'no_login'
        : loginProblemOf({ server: kind, words, code }, providerOfHost(server.host)),
    words: loginWords(words, [password, `\0${server.user ?? ''}\0${password}`]),
  }
}
