import { z } from 'zod'
import type { MailServer } from '../../db/accounts/tables.ts'
import { hostMeant, isPrivateHost } from '../../process/network/public-host.ts'
import { mailPorts } from '../../rules/servers/found.ts'
import { ApiError, invalid } from '../http/errors.ts'
import type { Deployment } from '../route.ts'
import { OneLine, optional } from './shapes.ts'

// The mail servers of an account, as a caller names them.

/** Nothing that ends a line, or a field of AUTH PLAIN (RFC 4616). */
export const Password = OneLine(1_000).min(1)

export const ServerEdit = z
  .strictObject({
    host: optional(z.string().min(1).max(300)).describe(
      'The name of the server. It has to be on the public internet.',
    ),
    port: optional(z.number().int().min(1).max(65_535)).describe(
      '465, 587 or 2525 for SMTP, by default 465; 993 or 143 for IMAP, by default 993.',
    ),
    secure: optional(z.boolean()).describe(
      'Whether TLS begins with the first byte, by default at 465 and 993. Otherwise it begins with STARTTLS, before the login.',
    ),
    user: optional(OneLine(300).min(1)).describe(
      'The name to log in with; by default the address of the account.',
    ),
    password: optional(Password).describe(
      'The password for this server, where it has another one than `password`. It is never shown.',
    ),
  })
  .meta({ id: 'MailServerUpdate' })
export type ServerEdit = z.output<typeof ServerEdit>

export const ServerShown = z
  .object({
    host: z.string().describe('The name of the server.'),
    port: z.number().describe('Its port.'),
    secure: z.boolean().describe('Whether TLS begins with the first byte.'),
    user: z.string().nullable().describe('The name to log in with.'),
  })
  .meta({ id: 'MailServer' })
  .nullable()

const secured = [465, 993]
const usualPort = { smtp: 465, imap: 993 } as const

/**
 * A server that a caller names, or of which a caller changes something.
 * @throws ApiError private_address; validation_failed, which name the member.
 */
export function serverOf(
  kind: 'smtp' | 'imap',
  edit: ServerEdit,
  { account, before }: { account: string; before?: MailServer | null | undefined },
  { mailAllowPrivate = false }: Pick<Deployment, 'mailAllowPrivate'>,
): MailServer {
  const named = edit.host ?? before?.host
  if (named === undefined) throw invalid(`/${kind}/host`, 'missing', 'is required')
  const host = hostMeant(named)
  if (host === undefined)
    throw invalid(`/${kind}/host`, 'invalid_value', 'must be the name of a host')
  if (!mailAllowPrivate && isPrivateHost(host)) throw privateAddress(`/${kind}/host`)
  const port = edit.port ?? before?.port ?? usualPort[kind]
  const ports: readonly number[] = mailPorts[kind]
  if (!ports.includes(port) && !(mailAllowPrivate && port >= 1_024))
    throw invalid(`/${kind}/port`, 'invalid_value', `must be ${listed(ports)}`)
  const secure = edit.secure ?? (edit.port === undefined ? before?.secure : undefined)
  return {
    host,
    port,
    secure: secure ?? secured.includes(port),
    user: edit.user ?? before?.user ?? account,
    ...(!mailAllowPrivate && { public: true }),
  }
}

const listed = (ports: readonly number[]) =>
  `${ports.slice(0, -1).join(', ')} or ${ports[ports.length - 1]}`

function privateAddress(pointer: string) {
  const message =
    'is not on the public internet; where that is intended, as during development, start the API with MAIL_ALLOW_PRIVATE=true'
  return new ApiError('private_address', `${pointer}: ${message}`, {
    errors: [{ pointer, code: 'private_address', message }],
  })
}
