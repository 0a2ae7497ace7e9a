import { addressParser } from 'postal-mime'
import { cleanedEmail } from '../address-cleaning.ts'
import { plainLine, withoutInvisible } from '../text.ts'

// The sender that a mail claims. A server that checks a sender looks at the single address in From. If From can be read in two
// ways, the server may have checked one sender while a reader sees another. So a sender is believed only if there is one way to
// read it.

export type Sender = { name: string; address: string }

type Field = { key: string; value: string }

// A sender takes some hundred characters; a longer one was made to confuse.
const longestField = 10_000

const line = (text: string, longest: number) => plainLine(text.slice(0, longest)).trim()

/**
 * The sender as it is shown, and how far From can be believed: `one` mailbox and no other way to read it; `nobody` if a single
 * From names no address, or there is none, as in reports of some servers; otherwise `unclear`.
 */
export function readSender(headers: Field[]): { from: Sender; is: 'one' | 'nobody' | 'unclear' } {
  const fields = headers.filter(({ key }) => key === 'from')
  const whole = fields[0]?.value ?? ''
  const value = whole.slice(0, longestField)
  const mailboxes = mailboxesIn(value)
  const [from = { name: '', address: '' }] = mailboxes
  const text = outside(seenOf(value))
  const addresses = text === undefined ? [] : addressesIn(text)
  const last = addresses.at(-1)
  const single = fields.length <= 1 && text !== undefined && value === whole
  if (single && last === undefined && mailboxes.length === 0) return { from, is: 'nobody' }
  const isOne =
    single &&
    mailboxes.length === 1 &&
    last === from.address &&
    isAddress(last) &&
    hasPlainDomain(last) &&
    new Set(addresses.map((one) => one.toLowerCase())).size === 1 &&
    // Nothing follows that another reader could take for a part of the address.
    /^[\s>,;]*$/.test(text.slice(text.lastIndexOf(last) + last.length))
  return isOne
    ? { from, is: 'one' }
    : { from: { name: from.name, address: shownIn(value) || from.address }, is: 'unclear' }
}

/** The address to show for a From that is not believed: its last one that is neither quoted nor in a comment. */
export const shownIn = (value: string): string =>
  line(addressesIn(outside(seenOf(value)) ?? '').findLast(isAddress) ?? '', 254)

/** The mailboxes of an address field, including those of its groups. */
export const mailboxesIn = (value: string): Sender[] =>
  addressParser(value, { flatten: true })
    .slice(0, 1_000)
    .map(({ name, address }) => ({
      name: line(name ?? '', 300),
      address: line(seenOf(address ?? ''), 254),
    }))
    .filter(({ address }) => address !== '')

const isAddress = (text: string): boolean => {
  const [local, domain, ...others] = text.split('@', 3)
  return Boolean(local && domain) && others.length === 0 && !text.includes('"')
}

/** Words with an @ in them, except encoded names (RFC 2047), whose content is never an address. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[\s<>,;:]+/)
    .filter((word) => word.includes('@') && !/^=\?[^?]+\?[bq]\?[^?]*\?=$/i.test(word))

/** A text without invisible characters before its last @. A domain stays as it is, because they may make another one of it. */
function seenOf(text: string): string {
  const at = Math.max(0, text.lastIndexOf('@'))
  return withoutInvisible(text.slice(0, at)) + text.slice(at)
}

/** Whether a domain is the one that it is read as: the server that checked the sender looked for it as it was written. */
function hasPlainDomain(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@')).normalize('NFC').replace(/\.$/, '')
  return cleanedEmail(`x${domain}`).text === `x${domain}`
}

/**
 * A field without the content of its quoted strings and comments, either of which may hold any character. A quotation mark
 * remains of each string, and a space of each comment. Undefined if one of them does not end.
 */
function outside(value: string): string | undefined {
  let text = ''
  let depth = 0
  let quoted = false
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string
    if (char === '\\' && (quoted || depth > 0)) i++
    else if (quoted) quoted = char !== '"'
    else if (char === '(' && depth++ === 0) text += ' '
    else if (char === ')' && depth > 0) depth--
    else if (depth > 0) continue
    else if (char === '"') {
      quoted = true
      text += char
    } else text += char
  }
  return quoted || depth > 0 ? undefined : text
}
