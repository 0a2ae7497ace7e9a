// What in a text leads somewhere: links, addresses and phone numbers.

const urls =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'()[\]]+|\b(?:mailto|tel|sms|javascript|data):\S+/giu
// Matches begin only where a run of such characters begins; otherwise a long run would be scanned again from each character.
const addresses = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
// Words joined by a dot, in one case: "us.example", not "done.Then". Single letters are abbreviations.
const domains =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]{2,}\.)+(?:\p{Ll}{2,24}|\p{Lu}{2,24})(?![\p{L}\p{N}-])(?:\/[^\s<>"'()[\]]*)?/gu
const machines = /\b\d{1,3}(?:\.\d{1,3}){3}\b/gu
const phones = /(?<![\p{L}\p{N}])(?:\+|00)\d[\d ()/.-]{6,}\d/gu

/** The links, addresses and phone numbers of a text, normalized so that equal ones compare equal. */
export function contactsIn(text: string): string[] {
  const found: string[] = []
  let rest = text
  const take = (pattern: RegExp, plain: (match: string) => string[]) => {
    rest = rest.replace(pattern, (match) => {
      found.push(...plain(match))
      return ' '
    })
  }
  take(urls, (url) => [plainUrl(url), hostOf(url)])
  take(addresses, (address) => [address.toLowerCase()])
  take(machines, (machine) => [machine])
  take(domains, (domain) => [plainUrl(domain), hostOf(domain)])
  take(phones, (phone) => [phone.replace(/\D/g, '').replace(/^00/, '')])
  return [...new Set(found)]
}

const plainUrl = (url: string) =>
  url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?/]+$/, '')

const hostOf = (url: string) => plainUrl(url).replace(/[/?#].*$/, '')
