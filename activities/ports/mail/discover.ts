import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import { exchange } from '../../../process/network/exchange.ts'
import { domainOf } from '../../../rules/addresses.ts'
import {
  autoconfigBytes,
  type Found,
  type FoundLogin,
  isHost,
  serverOfSrv,
  serversOfAutoconfig,
  services,
} from '../../../rules/servers/found.ts'
import {
  type FoundServer,
  isExpectedHost,
  isUnder,
  type Provider,
  providerOfDomain,
  providerOfHost,
  providerOfMx,
} from '../../../rules/servers/providers.ts'

// Where the mailbox of an address is: a table of providers, the domain's SRV records, its own autoconfig document, and whose its
// MX records are. Nothing but the domain is told to anybody, and nobody else is asked than its name servers and its own hosts.

/** The questions that discovery asks; the tests answer them themselves. Each answers an empty list, or undefined, for "no". */
export type Ask = {
  mx(domain: string): Promise<{ exchange: string; priority: number }[]>
  srv(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>
  /** The body of what an https address answers with 200, up to 64 KiB; no redirect is followed. */
  document(url: string): Promise<string | undefined>
}

const lookUpMs = 5_000
const documentMs = 10_000
const withinMs = 20_000

/** Asks the machine's own resolvers, and hosts on the public internet alone, at the address that was checked. */
export const askTheNet: Ask = {
  mx: (domain) => looked((resolver) => resolver.resolveMx(domain)),
  srv: (name) => looked((resolver) => resolver.resolveSrv(name)),
  async document(url) {
    const answer = await exchange({
      method: 'GET',
      url,
      headers: { accept: 'text/xml, application/xml' },
      timeoutMs: documentMs,
      answerLimit: autoconfigBytes,
      publicOnly: true,
    })
    return answer.problem === null && answer.status === 200 ? answer.body : undefined
  },
}

async function looked<T>(ask: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
  const resolver = new Resolver({ timeout: Math.ceil(lookUpMs / 2), tries: 2 })
  const timer = setTimeout(() => resolver.cancel(), lookUpMs)
  try {
    return await ask(resolver)
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The servers of the mailbox of an address; undefined if its domain names none. It takes twenty seconds at most, and never throws
 * for what is answered. One without servers is of a provider that lets no other program in.
 */
export async function discover(account: string, ask: Ask = askTheNet): Promise<Found | undefined> {
  const domain = domainToASCII(domainOf(account)).toLowerCase()
  if (!isHost(domain)) return undefined
  const known = providerOfDomain(domain)
  if (known) return ofProvider(known, account)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs)
  })
  try {
    return await Promise.race([ofDomain(domain, account, ask), late])
  } finally {
    clearTimeout(timer)
  }
}

async function ofDomain(domain: string, account: string, ask: Ask): Promise<Found | undefined> {
  const none = () => undefined
  const [provider, srv, autoconfig] = await Promise.all([
    byMx(domain, ask).catch(none),
    bySrv(domain, account, ask).catch(none),
    byAutoconfig(domain, account, ask).catch(none),
  ])
  const named = srv ?? autoconfig
  const hosts = [named?.smtp?.host, named?.imap?.host].filter((host) => host !== undefined)
  // Records of another house are often left over from a former one; the mail itself goes where the MX records say.
  const isOfOneHouse = (host: string) =>
    isUnder(host, domain) || providerOfHost(host)?.name === provider?.name
  if (provider && !(hosts.length > 0 && named?.smtp && named.imap && hosts.every(isOfOneHouse)))
    return ofProvider(provider, account)
  if (!named) return undefined
  const unexpected = [...new Set(hosts)].filter((host) => !isExpectedHost(host, domain))
  return { ...named, ...(provider && { provider }), unexpected }
}

function ofProvider(provider: Provider, account: string): Found {
  const login = (server: FoundServer | null): FoundLogin | null =>
    server && { ...server, user: account }
  const { smtp, imap } = provider
  return { source: 'provider', provider, smtp: login(smtp), imap: login(imap), unexpected: [] }
}

type Named = Pick<Found, 'source' | 'smtp' | 'imap'>

async function byMx(domain: string, ask: Ask): Promise<Provider | undefined> {
  const records = [...(await ask.mx(domain))].sort((a, b) => a.priority - b.priority)
  return providerOfMx(records.slice(0, 20).map(({ exchange }) => exchange))
}

async function bySrv(domain: string, account: string, ask: Ask): Promise<Named | undefined> {
  const first = async (kind: 'smtp' | 'imap'): Promise<FoundLogin | null> => {
    const asked = services[kind].map(async (service) => ({
      service,
      records: await ask.srv(`${service}.${domain}`),
    }))
    for (const { service, records } of await Promise.all(asked)) {
      const server = serverOfSrv(kind, service, records.slice(0, 20))
      if (server) return { ...server, user: account }
    }
    return null
  }
  const [smtp, imap] = await Promise.all([first('smtp'), first('imap')])
  return smtp || imap ? { source: 'srv', smtp, imap } : undefined
}

async function byAutoconfig(domain: string, account: string, ask: Ask): Promise<Named | undefined> {
  const urls = [
    `https://autoconfig.${domain}/mail/config-v1.1.xml`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
  ]
  const texts = await Promise.all(urls.map((url) => ask.document(url).catch(() => undefined)))
  for (const text of texts) {
    const servers = text === undefined ? undefined : serversOfAutoconfig(text, account)
    if (servers) return { source: 'autoconfig', ...servers }
  }
  return undefined
}
