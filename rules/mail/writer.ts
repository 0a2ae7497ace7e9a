import { addressParser } from 'postal-mime'
import { cleanedEmail } from '../address-cleaning.ts'
import { comparedForm, domainOf } from '../addresses.ts'
import { isPublicDomain } from '../mail-providers.ts'
import { plainLine, withoutInvisible } from '../text.ts'
import { writerIn } from './display-names.ts'

// Who wrote a mail, as its head claims. A server that checks a sender looks at the single address in From. If From can be read in two
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
const mailboxesIn = (value: string): Sender[] =>
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

// Who wrote a mail that a group or a form has sent on under an address of its own. Groups rewrite From where the writer's domain
// forbids others to write in its name (DMARC), and name the writer elsewhere; a form has From of its own, and Reply-To of its
// visitor. Anybody can write such fields: they count only where From is an address of ours (as-written.ts).

// Author is that of RFC 9057. Gmail keeps a From that it replaces by the account's, which forms that send through it have.
const fields = [
  'author',
  'x-original-from',
  'x-google-original-from',
  'original-from',
  'x-orig-from',
  'x-old-from',
  'x-simplelogin-original-from',
  'x-anonaddy-original-from-header',
  'x-original-sender',
  'x-anonaddy-original-sender',
  'x-original-author',
  'x-mailfrom',
]
const mostMailboxes = 20

/** The mailboxes of the fields with this name. */
export const mailboxesOf = (headers: Field[], name: string): Sender[] =>
  headers
    .filter(({ key }) => key === name)
    .slice(0, 3)
    .flatMap(({ value }) => mailboxesIn(value.slice(0, longestField)))
    .slice(0, mostMailboxes)

/** The writer whom a mail names beside its From; one of another domain comes before others. */
export function claimedWriter(headers: Field[], from: Sender): Sender | undefined {
  const originals = fields.flatMap((name) => mailboxesOf(headers, name))
  const replies = mailboxesOf(headers, 'reply-to')
  const sender = comparedForm(from.address)
  const domain = domainOf(sender)
  const named = [...originals, ...replies].map((one) => ({ ...one, of: comparedForm(one.address) }))
  const found =
    named.find(({ of }) => of !== sender && (domainOf(of) !== domain || isPublicDomain(domain))) ??
    named.slice(0, originals.length).find(({ of }) => of !== sender)
  if (!found) return undefined
  const name = named.find((one) => one.of === found.of && one.name !== '')?.name
  return { name: name || writerIn(from.name), address: found.address }
}

// What groups, forms and servers of ours put into the head of what people write through them.
const ofWay = new Set(['list-id', 'x-auto-response-suppress', 'return-path', 'x-mailer', 'x-loop'])

/** The head of a mail without what the group or the form that sent it on has put there. */
export const headOfWriter =
  (header: (name: string) => string) =>
  (name: string): string => {
    const value = header(name)
    if (ofWay.has(name)) return ''
    if (/^(?:x-)?precedence$/.test(name)) return /auto/i.test(value) ? value : ''
    // A form sends by itself what its visitor has written; what answers by itself says so.
    return name === 'auto-submitted' && /^\s*auto-generated\b/i.test(value) ? '' : value
  }
