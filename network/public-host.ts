import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

// Which hosts are of the public internet, so that an address somebody gave us leads to nothing of ours.

export type Resolved = { address: string; family: 4 | 6 }

/** How long a look-up may take, and whom it asks; unless given, the machine's own name servers. */
export type LookUp = { withinMs: number; nameServers?: string[] }

/**
 * The one address of a host to connect to, or why not: unresolved, private_address. All that a name stands for must be public.
 * Name servers are asked without the hosts file and without the threads that a look-up of the system would hold.
 */
export async function resolvePublic(host: string, lookUp: LookUp): Promise<Resolved | string> {
  const name = host.replace(/^\[|\]$/g, '')
  // Of this machine, whatever name servers say of it (RFC 6761, 6.3).
  if (/(^|\.)localhost\.?$/i.test(name)) return 'private_address'
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

// Where the cloud of Azure answers its own machines: public by its number, but everybody's own.
const ownOfClouds = [parse('168.63.129.16/32')]
// What has been given out for the internet so far (RFC 4291), without what is of protocols, of examples or leads to IPv4: all of
// 2001::/23 (RFC 2928; Teredo is in it), 6to4 (RFC 3056), documentation (RFC 3849, RFC 9637).
const globalUnicast = parse('2000::/3')
const notOfTheInternet = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parse)

/** Whether an IP address is of the public internet; one of IPv4 written as IPv6 is taken for what it is. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  // The library takes ::8.8.8.8, which leads nowhere, for ::ffff:8.8.8.8.
  if (parsed.kind() === 'ipv4' && address.includes(':') && !/ffff:/i.test(address)) return false
  if (parsed.range() !== 'unicast') return false
  const within = (range: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    parsed.kind() === range[0].kind() && parsed.match(range as never)
  if (parsed.kind() === 'ipv4') return !ownOfClouds.some(within)
  return within(globalUnicast) && !notOfTheInternet.some(within)
}
