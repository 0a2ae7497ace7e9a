import { comparedForm, domainOf, readEmail } from '../addresses.ts'
import { isPublicDomain } from '../mail-providers.ts'

// What a display name says of the sender. Mail programs show the name and hide the address, so a name that is another address is
// a known form of phishing: "Ana Ruiz <ana@firm.example>" <phish@x.example>.

const invisible = /\p{Cf}|\u034f/gu
// What surrounds an address in a name, in any script.
const around = /[\s"'<>()[\]{},;:|/\\«»„“”‘’‹›「」【】（）＜＞]+/u
const longestName = 300

/** The addresses that a display name shows, as they are compared. */
export const addressesInName = (name: string): string[] =>
  name
    .slice(0, longestName)
    .replaceAll(invisible, '')
    .normalize('NFKC')
    .split(around)
    .flatMap((word) => readEmail(word.replace(/^mailto:/i, '').replace(/\.+$/, ''))?.value ?? [])

// Lists that have no name for a writer put the address there: "sofia@client.example via Sales".
const via = /\b(?:via|vía|über|a través de|através de|tramite|przez|経由)\s+\S/iu

/**
 * Whether a display name is an address that is not its sender's. One of the sender's own firm is taken for theirs, as names keep
 * former addresses, and so is one that a list puts before its own name.
 */
export function isOtherAddress({ name, address }: { name: string; address: string }): boolean {
  const own = comparedForm(address)
  const domain = domainOf(own)
  if (via.test(name.slice(0, longestName))) return false
  return addressesInName(name).some(
    (one) => one !== own && (domainOf(one) !== domain || isPublicDomain(domain)),
  )
}

const before = /\s*\(?(?:via|vía|über|a través de|através de|tramite|przez|経由)\s.*$/iu

/** The name of the writer in that under which a group sends their mail: 'Sofia Marín' via Sales. */
export function writerIn(given: string): string {
  const name = given.slice(0, longestName)
  return before.test(name)
    ? name
        .replace(before, '')
        .trim()
        .replace(/^['"‘“](.*)['"’”]$/u, '$1')
        .trim()
    : ''
}
