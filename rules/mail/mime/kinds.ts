import type { Part } from './tree.ts'

// What the parts of a mail are, as far as programs call them by many names.

/** The name of a file, as far as it is known that there is one. */
export const hasName = ({ type, disposition }: Part): boolean =>
  Boolean(disposition.params['filename'] || type.params['name'])

// Texts that are no letters: data, and what servers say to programs.
const noLetters =
  /^text\/(?:calendar|csv|tab-separated-values|vcard|x-vcard|directory|x-vcalendar|x-vtodo|x-vnote|rfc822|rfc822-headers|delivery-status|disposition-notification|css|javascript|ecmascript|xml|xml-external-parsed-entity|json|yaml|x-amp-html|x-watch-html|uri-list|x-(?:patch|diff|python|perl|c|java|sh|sql|log|script|url|moz-url|ics))$/

/**
 * As what a part is to be read, if it is a part of the letter: text that no program names is text (RFC 2045, 5.2), and so is a
 * type that is none. A part with a name is a file whatever it is, unless it has a type of letters.
 */
export function letterOf(part: Part): 'plain' | 'html' | 'enriched' | 'rtf' | undefined {
  const { value } = part.type
  if (part.disposition.value === 'attachment') return undefined
  if (value === 'text/html' || value === 'text/xhtml' || value === 'application/xhtml+xml')
    return 'html'
  if (value === 'text/plain' || value === '') return 'plain'
  if (hasName(part)) return undefined
  if (value === 'text/rtf' || value === 'application/rtf') return 'rtf'
  if (noLetters.test(value)) return undefined
  if (value === 'text/enriched' || value === 'text/richtext') return 'enriched'
  if (value === 'html') return 'html'
  return value.startsWith('text/') || !/^[^\s/]+\/[^\s/]+$/.test(value) ? 'plain' : undefined
}

const pkcs7 = /^application\/(?:x-)?pkcs7-mime$/
/** Whether it is in the form of S/MIME (RFC 8551, 3.2.1), some of whose files lose their type on the way. */
export const isPkcs7 = (part: Part): boolean =>
  pkcs7.test(part.type.value) || (isUntyped(part) && /\.p7[mz]$/i.test(nameOf(part)))

export const isTnef = (part: Part): boolean =>
  /^application\/(?:vnd\.)?(?:x-)?ms-tnef$/.test(part.type.value) ||
  (isUntyped(part) && /^winmail\.dat$/i.test(nameOf(part)))

const isUntyped = ({ type }: Part) =>
  /^application\/(?:octet-stream|binary|x-unknown)$/.test(type.value)
const nameOf = ({ type, disposition }: Part) =>
  disposition.params['filename'] ?? type.params['name'] ?? ''
