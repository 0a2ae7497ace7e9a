import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

// Which hosts are on the public internet, so that an address given by a client leads to nothing of ours.

export type Resolved = { address: string; family: 4 | 6 }

/** The time limit of a lookup and the name servers to ask; by default those of the machine. */
export type LookUp = { withinMs: number; nameServers?: string[] }

/**
 * Answers the one address of a host to connect to, or why there is none: unresolved, private_address. Every address
 * of the name must be public. Name servers are asked directly, without the hosts file and without the threads that a
 * lookup by the system would block.
 */
export async function resolvePublic(host: string, lookUp: LookUp): Promise<Resolved | string> {
  const name = host.replace(/^\[|\]$/g, '')
  // Such names belong to this machine or its networks, whatever a name server answers (RFC 6761, 6.3).
  if (isPrivateHost(name.toLowerCase().replace(/\.+$/, ''))) return 'private_address'
  const found = ipaddr.isValid(name) ? [name] : await addressesOf(name, lookUp)
  const [first] = found
  if (first === undefined) return 'unresolved'
  if (!found.every(isPublic)) return 'private_address'
  return { address: first, family: ipaddr.parse(first).kind() === 'ipv6' ? 6 : 4 }
}

async function addressesOf(name: string, { withinMs, nameServers }: LookUp): Promise<string[]> {
  const resolver = new Resolver({ timeout: Math.ceil(withinMs / 2), tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const timer = setTimeout(() => resolver.cancel(), withinMs)
  const none = () => []
  try {
    const asked = [resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]
    return (await Promise.all(asked)).flat()
  } finally {
    clearTimeout(timer)
  }
}

const parse = (range: string) => ipaddr.parseCIDR(range)

// Azure's internal service for its own machines: the number is public, but each cloud network has its own.
const ownOfClouds = [parse('168.63.129.16/32')]
// The addresses assigned to the internet so far (RFC 4291), except those of protocols, examples and mappings to IPv4:
// all of 2001::/23 (RFC 2928, with Teredo), 6to4 (RFC 3056), documentation (RFC 3849, RFC 9637).
const globalUnicast = parse('2000::/3')
const notOfTheInternet = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parse)

/** Whether an IP address is on the public internet. An IPv4 address written as IPv6 is judged as IPv4. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  // The library reads ::8.8.8.8, which leads nowhere, as ::ffff:8.8.8.8.
  if (parsed.kind() === 'ipv4' && address.includes(':') && !/ffff:/i.test(address)) return false
  if (parsed.range() !== 'unicast') return false
  const within = (range: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    parsed.kind() === range[0].kind() && parsed.match(range as never)
  if (parsed.kind() === 'ipv4') return !ownOfClouds.some(within)
  return within(globalUnicast) && !notOfTheInternet.some(within)
}

// Of this machine or its networks by name: RFC 6761, RFC 6762, RFC 8375, and what networks call their own.
const ownNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|default|svc|consul)$/

/**
 * The name or the number of a host as it is meant, in small letters: `0x7f.1` is 127.0.0.1, and letters of full width are usual ones
 * (WHATWG URL). Undefined if it is no host.
 */
export function hostMeant(text: string): string | undefined {
  if (text.length > 300 || /[\s/?#@\\%\p{C}]/u.test(text)) return undefined
  const bare = text.replace(/^\[([^[\]]*)\]$/, '$1')
  const url = `http://${ipaddr.IPv6.isValid(bare) ? `[${bare}]` : bare}/`
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  if (port !== '' || (bare.includes(':') && !ipaddr.IPv6.isValid(bare))) return undefined
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === '' || /^\.|\.\./.test(host) ? undefined : host
}

/** Whether a host, as `hostMeant` has it, is not on the public internet by what is written alone. No name server is asked. */
export const isPrivateHost = (host: string): boolean =>
  ipaddr.isValid(host) ? !isPublic(host) : !host.includes('.') || ownNames.test(host)
