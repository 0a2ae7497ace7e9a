import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a host, as written in an address or in settings, is this machine itself, so that nobody can listen on the
 * line. A name other than localhost is not looked up, since its address may change.
 */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  const family = isIP(name)
  if (family === 0) return name === 'localhost'
  return loopback.check(name, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a request to an http or https address can be read on its way. */
export function isInClear(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol !== 'https:' && !isLoopback(hostname)
}
