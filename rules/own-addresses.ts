import { comparedForm, domainOf, readEmail } from './addresses.ts'
import { isPublicDomain } from './mail-providers.ts'

// Which addresses are those of a workspace itself: its accounts and members, and whatever else writes from their domains,
// such as groups and forms.

export type Own = {
  /** Of accounts and members, as they are compared. */
  addresses: ReadonlySet<string>
  /** Of these addresses, without those of providers who give addresses to anybody. */
  domains: ReadonlySet<string>
}

/** What follows from the addresses of the accounts and members of a workspace. */
export function ownOf(given: string[]): Own {
  const addresses = given.flatMap((one) => readEmail(one.trim())?.value ?? [])
  const domains = addresses.map(domainOf).filter((domain) => !isPublicDomain(domain))
  return { addresses: new Set(addresses), domains: new Set(domains) }
}

/** Whether it is the address of an account or a member: one of our own people, who is no client. */
export const isOwnAddress = (own: Own, address: string): boolean =>
  own.addresses.has(comparedForm(address))

/** Whether it is an address of ours: one of those, or of one of their domains. */
export const isOfOurs = (own: Own, address: string): boolean =>
  isOwnAddress(own, address) || isOwnDomain(own, domainOf(comparedForm(address)))

/** Whether a domain, in small letters, is one of ours or below one. */
export const isOwnDomain = ({ domains }: Own, domain: string): boolean =>
  domains.has(domain) || [...domains].some((one) => domain.endsWith(`.${one}`))
