import type { Context } from 'koa'
import type { Link } from '../../../db/accounts/connect-links.ts'
import type { VerificationRequest } from '../../../db/accounts/tables.ts'
import type { SecretKey } from '../../../db/secrets.ts'
import { OauthTrouble } from '../../../oauth/trouble.ts'
import { usualEmailLimits } from '../../../rules/budgets.ts'
import type { Service } from '../../serve.ts'
import type { Frame } from './page.ts'
import { type Words, words } from './words.ts'

// One call of the owner of a mailbox on the page of their link, as every step of it knows it.

/** `redirectUri`: where a provider sends the owner back. */
export type At = { ctx: Context; service: Service; link: Link; frame: Frame; redirectUri: string }

export const sayIn = ({ frame }: At): Words => words[frame.language]

/** What a connection is made from. */
export function requestFor(
  { link, service }: At,
  account: string,
  how: Pick<VerificationRequest, 'smtp' | 'imap' | 'oauth'>,
): VerificationRequest {
  return {
    account,
    member: link.member,
    name: account,
    limits: usualEmailLimits,
    ...how,
    discover: false,
    publicOnly: !service.deployment.mailAllowPrivate,
    // The page itself keeps it, and uses up its link, in one transaction.
    save: 'never',
    client: link.clientId === null ? null : { id: link.clientId, name: link.clientName ?? '' },
    key: null,
    instance: '',
  }
}

/** Tells the operator; neither the owner nor their link is named. */
export function logged({ ctx, service, link }: At, code: string) {
  ctx.state['log'] = { ...ctx.state['log'], code, isLogged: true }
  service.log.warn({ workspace: link.workspace, code }, 'A mailbox was not connected by its link.')
}

export function keyOf({ secretKey }: Service): SecretKey {
  if (secretKey === undefined) throw new OauthTrouble('oauth_unconfigured')
  return secretKey
}
