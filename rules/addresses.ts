import { domainToUnicode } from 'node:url'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import {
  type Cleaned,
  cleanedEmail,
  cleanedPhone,
  cleanedProfile,
  takenInWords,
} from './address-cleaning.ts'

// Decides when two spellings of an address are the same address. Pure: the child process that reads an import uses it too.

export type AddressKind = 'email' | 'phone' | 'linkedin'

/** `value` is compared, `given` is shown on the card. */
export type Address = { kind: AddressKind; value: string; given: string }

export const addressKinds: readonly AddressKind[] = ['email', 'phone', 'linkedin']

/** The key of an address in a map. No kind contains a space. */
export const keyOf = (address: { kind: string; value: string }) =>
  `${address.kind} ${address.value}`

/** The address, or undefined if the text is not one of that kind. `region` is that of national phone numbers. */
export function readAddress(kind: AddressKind, text: string, region?: string): Address | undefined {
  if (kind === 'phone') return readPhone(text, region)
  return (kind === 'email' ? readEmail : readProfile)(text)
}

const cleaners: Record<AddressKind, (text: string) => Cleaned> = {
  email: cleanedEmail,
  phone: cleanedPhone,
  linkedin: cleanedProfile,
}

/** What is left out of a text to read its address, in words; undefined if nothing is. */
export function leftOut(kind: AddressKind, text: string): string | undefined {
  const { taken } = cleaners[kind](text)
  return taken.length === 0 ? undefined : taken.map((one) => takenInWords[one]).join(', ')
}

/** Whether this is the code of a country (ISO 3166, two letters) with phone numbers. */
export const isRegion = (code: string): boolean => isSupportedCountry(code)

// One @, no spaces or quoting, and a domain of dotted labels: the addresses that mail providers assign, not all of RFC 5321.
const emailForm =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,250}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,62})\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u

/**
 * Cleaned, and in lower case, because no provider in use distinguishes case, with its domain in Unicode, and shown so. At most 254
 * octets (RFC 5321, erratum 1690); of its local part alone no limit is kept, because programs that make one for each conversation
 * keep none either.
 */
export function readEmail(text: string): Address | undefined {
  const given = cleanedEmail(text).text.normalize('NFC').toLowerCase()
  if (!isEmail(given)) return undefined
  const value = inUnicode(given)
  return { kind: 'email', value, given: value }
}

const longestOctets = 254
const isEmail = (text: string): boolean =>
  text.length <= longestOctets &&
  Buffer.byteLength(text) <= longestOctets &&
  emailForm.test(text) &&
  !text.startsWith('.') &&
  !/\.\.|\.@|-\./.test(text)

/** An e-mail address that is only shown: cleaned, with its domain in Unicode, and its local part in the case that it was given in. */
export const shownEmail = (text: string): string => inUnicode(cleanedEmail(text).text)

/**
 * An e-mail address with its domain in Unicode, if that can be written so: `xn--mller-kva.example` is `müller.example` (RFC 5890).
 * Anything else is answered as given.
 */
export function inUnicode(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (at === 0 || !/(?:^|\.)xn--|[^\0-\x7f]/i.test(domain)) return address
  const written = address.slice(0, at) + domainToUnicode(domain)
  return isEmail(written) ? written : address
}

/** The form in which an e-mail address, or the handle of a messenger, is compared with others. */
export const comparedForm = (handle: string): string =>
  readEmail(handle)?.value ?? handle.trim().toLowerCase()

/** The domain of a mail address; localhost if it has none. */
export const domainOf = (address: string): string => address.split('@').at(-1) || 'localhost'

const phoneForm = /^\+?[\d\s().\-/–·]+(?:(?:ext\.?|x|#)\s*\d{1,6})?$/i

/**
 * E.164 if the number parses with its country code (00 is read as +); otherwise as given, with 5 to 20 digits, and compared by
 * the digits. No country is ever guessed for a national number: it is one of `region`, if that is given.
 */
export function readPhone(text: string, region?: string): Address | undefined {
  const given = cleanedPhone(text).text
  if (given.length > 60 || !phoneForm.test(given)) return undefined
  const international = given.replace(/^\(?\s*00(?=[1-9])/, '+')
  const parsed = parsePhoneNumberFromString(international, {
    extract: false,
    ...(region !== undefined && isSupportedCountry(region) && { defaultCountry: region }),
  })
  if (
    parsed &&
    /^\+\d{5,15}$/.test(parsed.number) &&
    (parsed.isPossible() || given.startsWith('+'))
  )
    return { kind: 'phone', value: parsed.number, given: parsed.number }
  const digits = given.replace(/\D/g, '')
  return digits.length >= 5 && digits.length <= 20
    ? { kind: 'phone', value: digits, given }
    : undefined
}

const profileForm =
  /^(?:[a-z][a-z+.-]*:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,63})(?::\d+)?(\/[^\s?#]*)(?:[?#]\S*)?$/iu
const handleForm = /^@?([\p{L}\p{N}_%.-]{2,100})$/u

/**
 * A profile address without scheme, www, country subdomain, query and trailing slash, in lower case. A bare handle is taken as
 * one of linkedin.com/in/.
 */
export function readProfile(given: string): Address | undefined {
  if (given.length > 500) return undefined
  const { text } = cleanedProfile(given)
  const [, host, path] = profileForm.exec(text) ?? []
  if (host !== undefined && path !== undefined) {
    const clean = decoded(path).replace(/\/+/g, '/').replace(/\/$/, '')
    if (clean === '') return undefined
    const known = host
      .toLowerCase()
      .replace(/^www\d?\./, '')
      .replace(/^(?:\w\w|m|mobile)\.(?=linkedin\.com$)/, '')
    return { kind: 'linkedin', value: (known + clean).normalize('NFC').toLowerCase(), given: text }
  }
  const handle = handleForm.exec(text)?.[1]
  if (handle === undefined || /^[\d.%-]+$/.test(handle)) return undefined
  return {
    kind: 'linkedin',
    value: `linkedin.com/in/${decoded(handle).normalize('NFC').toLowerCase()}`,
    given: text,
  }
}

function decoded(path: string) {
  try {
    const plain = decodeURIComponent(path)
    return plain.includes('\0') ? path : plain
  } catch {
    return path
  }
}
