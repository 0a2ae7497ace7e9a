import { connectionSecrets, SealError } from '../../../db/secrets.ts'
import { accessTokenOf, type TokenDeps } from '../../../oauth/access-token.ts'
import { type OauthAccount, usesOauth } from '../../../oauth/provider.ts'
import { OauthTrouble } from '../../../oauth/trouble.ts'
import { tokensFrom } from '../../../rules/oauth.ts'
import { type Bearer, MailTrouble } from './smtp.ts'

const refusals = ['smtp_login_refused', 'imap_login_refused']

/**
 * Opens an account with its password, or with an access token. A token that the server refuses is replaced once: it may have
 * been revoked before its end.
 * @throws MailTrouble, also password_unreadable if its secrets were sealed with another SECRET_KEY, and the codes of
 * oauth/trouble.ts.
 */
export async function loggedIn<T>(
  deps: TokenDeps,
  account: OauthAccount,
  { server, user }: { server: 'smtp' | 'imap'; user: string | undefined },
  open: (login: string | undefined | Bearer) => Promise<T>,
): Promise<T> {
  if (!usesOauth(account)) {
    const passwords = await inMailsWords(account, async () =>
      connectionSecrets(deps.secretKey, account),
    )
    return open(passwords[server])
  }
  const as = user ?? account.account
  const first = await inMailsWords(account, () => accessTokenOf(deps, account))
  try {
    return await open({ user: as, accessToken: first })
  } catch (error) {
    if (!(error instanceof MailTrouble && refusals.includes(error.code))) throw error
    const second = await inMailsWords(account, () => accessTokenOf(deps, account, first))
    if (second === first) throw error
    return open({ user: as, accessToken: second })
  }
}

// Asking again is of no use before a person has done something, as with a password that is refused. Of a client that is missing,
// nobody is asked, and nothing else tells that it is there now.
const forPeople = new Set(['consent_needed', 'oauth_refused'])

async function inMailsWords<T>({ oauth }: OauthAccount, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OauthTrouble)
      throw new MailTrouble(
        error.code,
        error.word,
        forPeople.has(error.code) ? 'refused' : 'unreachable',
        tokensFrom(oauth),
      )
    throw error instanceof SealError ? new MailTrouble('password_unreadable') : error
  }
}
