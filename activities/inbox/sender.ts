import { addressParser } from 'postal-mime'
import { plainLine } from '../../rules/text.ts'

// Who a mail says that it is from. A server that checks a sender looks at the one address in From; a mail whose From can be
// read in two ways may have been checked for one sender and be read as another. So a sender is believed only where there is one
// way to read it.

export type Sender = { name: string; address: string }

type Field = { key: string; value: string }

// A sender takes some hundred characters; what is longer was made to be odd.
const longestField = 10_000

const line = (text: string, longest: number) => plainLine(text.slice(0, longest)).trim()

/**
 * The sender as it is shown, and how far From can be believed: `one` mailbox and no way to read another; `nobody` where a single
 * From names no address, as reports of some servers do; else `unclear`.
 */
export function readSender(headers: Field[]): { from: Sender; is: 'one' | 'nobody' | 'unclear' } {
  const fields = headers.filter(({ key }) => key === 'from')
  const whole = fields[0]?.value ?? ''
  const value = whole.slice(0, longestField)
  const mailboxes = mailboxesIn(value)
  const [from = { name: '', address: '' }] = mailboxes
  const text = outside(value)
  const addresses = text === undefined ? [] : addressesIn(text)
  const last = addresses.at(-1)
  const single = fields.length === 1 && text !== undefined && value === whole
  if (single && last === undefined && mailboxes.length === 0) return { from, is: 'nobody' }
  const isOne =
    single &&
    mailboxes.length === 1 &&
    last === from.address &&
    isAddress(last) &&
    new Set(addresses.map((one) => one.toLowerCase())).size === 1 &&
    // Nothing follows that another reader could take for a part of it.
    /^[\s>,;]*$/.test(text.slice(text.lastIndexOf(last) + last.length))
  return isOne
    ? { from, is: 'one' }
    : { from: { name: from.name, address: shownIn(value) || from.address }, is: 'unclear' }
}

/** An address to show of a From that is not believed: its last one that is neither quoted nor in a comment. */
export const shownIn = (value: string): string =>
  line(addressesIn(outside(value) ?? '').findLast(isAddress) ?? '', 254)

/** The mailboxes of an address field, those of its groups too. */
const mailboxesIn = (value: string): Sender[] =>
  addressParser(value, { flatten: true })
    .slice(0, 1_000)
    .map(({ name, address }) => ({
      name: line(name ?? '', 300),
      address: line(address ?? '', 254),
    }))
    .filter(({ address }) => address !== '')

const isAddress = (text: string): boolean => {
  const [local, domain, ...others] = text.split('@', 3)
  return Boolean(local && domain) && others.length === 0 && !text.includes('"')
}

/** Words with an @ in them, but for names that were encoded (RFC 2047): what these say is never an address. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[\s<>,;:]+/)
    .filter((word) => word.includes('@') && !/^=\?[^?]+\?[bq]\?[^?]*\?=$/i.test(word))

/**
 * A field without what its quotation marks and comments hold, either of which may be any character: a mark stays of the first, a
 * blank of the second. Undefined where one of them does not end.
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
