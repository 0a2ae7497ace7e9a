import type { FoundServer, Provider } from './providers.ts'

// Which servers a domain itself names for its mailboxes: in SRV records (RFC 6186, RFC 8314), or in a document of its own, as
// mail programs read it.

/** `user` is the name to log in with. */
export type FoundLogin = FoundServer & { user: string }

/**
 * The servers of a mailbox, and where they were found. `unexpected`: hosts that are neither under the address's own domain nor of a
 * provider that is known, to which a password goes only after its owner has seen their names (RFC 6186, 6).
 */
export type Found = {
  source: 'provider' | 'srv' | 'autoconfig'
  smtp: FoundLogin | null
  imap: FoundLogin | null
  provider?: Provider
  unexpected: string[]
}

export type Srv = { name: string; port: number; priority: number; weight: number }

/** The services that are asked for, the safest first (RFC 8314, 3 and 5.1). */
export const services = {
  imap: ['_imaps._tcp', '_imap._tcp'],
  smtp: ['_submissions._tcp', '_submission._tcp'],
} as const

/** The ports at which mailboxes are read and letters handed in. */
export const mailPorts = { smtp: [465, 587, 2525], imap: [993, 143] } as const

/** The server that the records of a service name; undefined where it is not offered, or at a port that is none of mail. */
export function serverOfSrv(
  kind: 'imap' | 'smtp',
  service: string,
  records: readonly Srv[],
): FoundServer | undefined {
  const [first] = [...records].sort((a, b) => a.priority - b.priority || b.weight - a.weight)
  // A target of "." says that there is no such service (RFC 2782).
  const host = first?.name.toLowerCase().replace(/\.$/, '')
  if (!first || !host || !isHost(host)) return undefined
  if (!(mailPorts[kind] as readonly number[]).includes(first.port)) return undefined
  return { host, port: first.port, secure: /^_(imaps|submissions)\./.test(service) }
}

export const autoconfigBytes = 64 * 1_024

/**
 * The servers in an autoconfig document of version 1.1, for a mailbox; undefined if it is none, or names no server that can be
 * used. Linear in its length. One with a document type or an entity of its own is not read.
 */
export function serversOfAutoconfig(
  text: string,
  account: string,
): Pick<Found, 'imap' | 'smtp'> | undefined {
  if (text.length > autoconfigBytes || /<!(?:doctype|entity)/i.test(text)) return undefined
  if (!text.includes('<clientConfig')) return undefined
  const plain = withoutComments(text)
  const first = (kind: 'imap' | 'smtp', element: string) => {
    const logins = elements(plain, element)
      .filter(
        ({ attributes }) => attributes.includes(`"${kind}"`) || attributes.includes(`'${kind}'`),
      )
      .flatMap(({ inner }) => loginIn(kind, inner, account) ?? [])
    return logins.find(({ secure }) => secure) ?? logins[0] ?? null
  }
  const found = { imap: first('imap', 'incomingServer'), smtp: first('smtp', 'outgoingServer') }
  return found.imap || found.smtp ? found : undefined
}

const mostElements = 50

function elements(text: string, name: string) {
  return text
    .split(`<${name}`)
    .slice(1, mostElements)
    .flatMap((part) => {
      const end = part.indexOf(`</${name}>`)
      const open = part.indexOf('>')
      if (end < 0 || open < 0 || open > end) return []
      return [{ attributes: part.slice(0, open), inner: part.slice(open + 1, end) }]
    })
}

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, n) => {
      const end = part.indexOf('-->')
      return n === 0 ? part : end < 0 ? '' : part.slice(end + 3)
    })
    .join('')
}

function loginIn(kind: 'imap' | 'smtp', inner: string, account: string): FoundLogin | undefined {
  const value = (name: string) => elements(inner, name)[0]?.inner.trim() ?? ''
  const [local = '', domain = ''] = partsOf(account)
  const filled = (words: string) =>
    words
      .replaceAll('%EMAILADDRESS%', account)
      .replaceAll('%EMAILLOCALPART%', local)
      .replaceAll('%EMAILDOMAIN%', domain)
  const host = filled(value('hostname')).toLowerCase()
  const port = Number(value('port'))
  const how = value('socketType').toUpperCase()
  const user = filled(value('username')) || account
  const isOffered = (mailPorts[kind] as readonly number[]).includes(port)
  if (!isHost(host) || !isOffered || (how !== 'SSL' && how !== 'STARTTLS')) return undefined
  if (user.length > 300 || /[%\p{C}]/u.test(user)) return undefined
  return { host, port, secure: how === 'SSL', user }
}

function partsOf(account: string): [string, string] {
  const at = account.lastIndexOf('@')
  return [account.slice(0, at), account.slice(at + 1)]
}

/** Whether this is the full name of a host, in ASCII. */
export const isHost = (host: string) =>
  host.length <= 253 &&
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}$/.test(host)
