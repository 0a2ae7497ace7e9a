import { comparedForm, domainOf } from '../addresses.ts'
import { isPublicDomain } from '../mail-providers.ts'
import { writerIn } from './display-names.ts'
import { mailboxesIn, type Sender } from './sender.ts'

// Who wrote a mail that a group or a form has sent on under an address of its own. Groups rewrite From where the writer's domain
// forbids others to write in its name (DMARC), and name the writer elsewhere; a form has From of its own, and Reply-To of its
// visitor. Anybody can write such fields: they count only where From is an address of ours (as-written.ts).

type Field = { key: string; value: string }

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
const longestField = 10_000

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
