// Addresses and Message-IDs in the words of servers.

const between =
  /[\s<>"';,:()[\]{}=|\\\u3000-\u3003\u3008-\u3011\u2018-\u201f\uff08-\uff0e\uff1a-\uff20]+/
// Chinese, Japanese and Korean put words next to an address without a space between them.
const glued =
  /^(?:.*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])?([\w.!#$%&*+/=?^`~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+)/iu
const isGlued = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const form = /^[^@]{1,250}@[^@]{1,190}$/
const longest = 256 * 1024
const maxAddresses = 200

/** What looks like an address, in the order of a text. */
export const addressesIn = (text: string): string[] =>
  text
    .slice(0, longest)
    .split(between)
    .filter((word) => word.includes('@') && form.test(word))
    .slice(0, maxAddresses)
    .flatMap((word) => plain(word) ?? [])

/** What stands behind the last @ of an address; empty if there is none. */
export const hostOf = (address: string): string =>
  address.includes('@') ? address.slice(address.lastIndexOf('@') + 1).toLowerCase() : ''

/** Servers put full stops behind addresses, and Exchange wraps those of others (IMCEASMTP-kim+40client+2Eexample@us.example). */
function plain(found: string): string | undefined {
  const alone = isGlued.test(found) ? (glued.exec(found)?.[1] ?? found) : found
  const bare = alone
    .replace(/[.!?。、]{1,9}$/, '')
    .replace(/^-{2,9}/, '')
    .replace(/^(?:mailto|smtp|rfc822)[:;]/i, '')
  const wrapped = /^imcea[a-z]+-([^@]+)@/i.exec(bare)?.[1]
  const inside = wrapped && unescaped(wrapped)
  return inside?.includes('@') ? inside : bare.includes('.', bare.indexOf('@')) ? bare : undefined
}

/** Characters that a server wrote in hexadecimal (xtext, RFC 3461, 4). */
export const unescaped = (text: string): string =>
  text.replace(/\+([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

// A head may break the line before its Message-ID, and stand behind marks of quotation or in the words of a notification.
const labelled =
  /(?:^|[^a-z-])(?:message[- ]?id|msgid|x-(?:[a-z]{2,20}-)?original-message-id|x-failed-message-id)["']?[ \t]{0,9}[:=]?[ \t]{0,9}["']?(?:\r?\n[> \t]{0,9})?[ \t]{0,9}(?:<([^<>\s]{1,990})>|([^\s<>"',;()]{1,250}@[^\s<>"',;()]{1,250}))/gi
const maxIds = 5

/** The Message-IDs that a text names as such, with their brackets. */
export const idsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(labelled)].map(([, id, bare]) => `<${id ?? bare}>`))].slice(
    0,
    maxIds,
  )

/** The values of the fields with a name, in a text that may be quoted. */
export const valuesOf = (report: string, name: string): string[] =>
  [...report.matchAll(new RegExp(`^[> \\t]{0,9}${name}[ \\t]{0,9}:[ \\t]{0,99}(.*)$`, 'gim'))].map(
    (match) => match[1] ?? '',
  )

/** The recipients that providers name in the head of the letter that they return, beside To. */
export const recipientsOfHead = (head: string): string[] => {
  const named = [
    'x-hmxmroriginalrecipient',
    'x-original-to',
    'x-original-recipient',
    'delivered-to',
    'x-rcpt-to',
  ].flatMap((name) => valuesOf(head, name).flatMap(addressesIn))
  return named.length > 0 ? named : valuesOf(head, 'to').slice(0, 1).flatMap(addressesIn)
}
