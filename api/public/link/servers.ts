import { ZodError } from 'zod'
import type { Found } from '../../../rules/servers/found.ts'
import { providerOfHost } from '../../../rules/servers/providers.ts'
import { ApiError } from '../../http/errors.ts'
import { Password, ServerEdit, serverOf } from '../../shapes/mail-servers.ts'
import type { Entered, Wrong } from './page.ts'
import { verify } from './verify.ts'
import { type At, keyOf, requestFor, sayIn } from './visit.ts'
import type { Fault } from './words.ts'

// The servers of a mailbox: as they are found, and as its owner has entered them.

/** The servers of a mailbox; undefined if its domain names none. */
export async function find(
  at: At,
  account: string,
): Promise<Found | undefined | 'too_many' | 'late'> {
  const { service, link } = at
  const request = { ...requestFor(at, account, { smtp: null, imap: null }), discover: true }
  const outcome = await verify(service, keyOf(service), link, request, {})
  return typeof outcome === 'string' ? outcome : outcome.found
}

export const enteredWith = (account: string, found: Found | undefined): Entered => {
  const { imap, smtp } = found ?? {}
  const user = imap?.user ?? smtp?.user ?? account
  return {
    account,
    user: user === account ? '' : user,
    imapHost: imap?.host ?? '',
    imapPort: String(imap?.port ?? 993),
    smtpHost: smtp?.host ?? '',
    smtpPort: String(smtp?.port ?? 465),
  }
}

/** The servers as they were entered, by the rules of POST …/connections; without them, what is wrong with which field. */
export function readServers(at: At, entered: Entered, password: string) {
  const { faults, problems } = sayIn(at)
  const { account, user } = entered
  const fields: Wrong['fields'] = {}
  if (!Password.safeParse(password).success) fields.password = faults.password
  // Each member by itself, so that all that is wrong is said at once.
  const sound = (kind: 'imap' | 'smtp', name: Fault, given: object, host: string) => {
    try {
      return serverOf(
        kind,
        ServerEdit.parse({ host: 'host.example', ...given }),
        { account },
        {
          mailAllowPrivate: at.service.deployment.mailAllowPrivate,
        },
      )
    } catch (error) {
      const isPrivate = error instanceof ApiError && error.code === 'private_address'
      if (!(error instanceof ApiError || error instanceof ZodError)) throw error
      fields[name] = isPrivate ? problems.private_address(host) : faults[name]
      return undefined
    }
  }
  const server = (kind: 'imap' | 'smtp', host: string, port: string) => {
    const named = sound(kind, `${kind}Host`, { host }, host)
    const reached = sound(kind, `${kind}Port`, { port: Number(port) }, host)
    const known = sound(kind, 'user', user ? { user } : {}, host)
    return named && reached && known
      ? { ...reached, host: named.host, ...(known.user && { user: known.user }) }
      : undefined
  }
  const imap = server('imap', entered.imapHost, entered.imapPort)
  const smtp = server('smtp', entered.smtpHost, entered.smtpPort)
  const filesSent = imap && providerOfHost(imap.host)?.imap?.filesSent
  const isSound = imap && smtp && fields.password === undefined
  return {
    fields,
    servers: isSound ? { smtp, imap: { ...imap, ...(filesSent && { filesSent }) } } : undefined,
  }
}
