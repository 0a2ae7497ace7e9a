import { createHash } from 'node:crypto'
import { loggedIn as isLoggedIn, mayLogIn } from '../../../db/accounts/login-breaker.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import { newsOf } from '../../../db/accounts/sandbox-letters.ts'
import type { Deps } from '../../deps.ts'
import { noteFailedLogin } from '../../ports/mail/failed-login.ts'
import { type Mailbox, openImap } from '../../ports/mail/imap.ts'
import { loggedIn } from '../../ports/mail/logged-in.ts'
import { openSandboxMailbox } from '../../ports/mail/sandbox-mailbox.ts'
import { MailTrouble } from '../../ports/mail/smtp.ts'
import { whenSetChanges } from './changes.ts'

type Account = Pick<Reader, 'id' | 'account' | 'imap' | 'oauth' | 'secrets' | 'mode'>

/** Another try to log in to the account has to come first; `waitMs` is the time until then. */
export class LoginDeferred extends MailTrouble {
  readonly waitMs: number
  constructor(code: string, waitMs: number) {
    super(code)
    this.waitMs = waitMs
  }
}

/** The host takes no session beside those of other accounts; a turn has to come. */
export class NoPlace extends Error {}

// Another one is trying at the moment.
const shortestWaitMs = 2_000

/**
 * Opens a connection's mailbox, or that of a sandbox, which has no server. While it cannot be opened, one try at a time finds out whether it can again.
 * `isOfHost` decides about a refusal because of too many sessions, of which nobody is notified if it concerns the host.
 * @throws MailTrouble; LoginDeferred if it is not to be tried now; NoPlace.
 */
export async function openMailbox(
  deps: Deps,
  account: Account,
  isOfHost = () => false,
): Promise<Mailbox> {
  const { imap, ...connection } = account
  if (account.mode === 'sandbox')
    return openSandboxMailbox(deps, account.id, whenSetChanges(newsOf(account.id)))
  if (!imap) throw new MailTrouble('no_imap')
  const { db, clock } = deps
  const settings = settingsOf(account)
  const permit = await mayLogIn(db, { id: account.id, server: 'imap', settings }, clock.now())
  if (!permit.may) {
    const { retry, retryAt } = permit.trouble
    const waitMs = (retryAt?.getTime() ?? 0) - clock.now().getTime()
    throw new LoginDeferred(retry?.code ?? 'imap_unreachable', Math.max(waitMs, shortestWaitMs))
  }
  try {
    const mailbox = await loggedIn(deps, connection, { server: 'imap', user: imap.user }, (login) =>
      openImap(imap, login ?? ''),
    )
    await isLoggedIn(db, permit, clock.now())
    return mailbox
  } catch (error) {
    if (!(error instanceof MailTrouble)) throw error
    if (error.code === 'imap_too_many_sessions' && isOfHost()) {
      await isLoggedIn(db, permit, clock.now())
      throw new NoPlace()
    }
    await noteFailedLogin(deps, permit, { server: imap, settings }, error)
    throw error
  }
}

/** Tells the settings and passwords that are tried from all others. */
const settingsOf = ({ imap, oauth, secrets }: Account) =>
  createHash('sha256')
    .update(JSON.stringify([imap, oauth, secrets]))
    .digest('base64url')
