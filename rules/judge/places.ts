import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { fold, table } from './vocabulary.ts'

// Recognises countries by name, and by two things on a card: the prefix of a phone number and the top-level domain of an e-mail
// address. Cities are matched by their name alone.

const languages = ['en', 'de', 'es', 'fr']
const otherNames = table<CountryCode>(`US: usa america american
  GB: uk britain great_britain british england
  DE: german
  AT: austrian
  CH: swiss
  FR: french
  ES: spanish
  IT: italian
  NL: dutch holland
  PL: polish
  SE: swedish
  DK: danish
  NO: norwegian
  FI: finnish
  PT: portuguese
  IE: irish
  BE: belgian
  CZ: czech czech_republic
  CA: canadian
  AU: australian
  IN: indian
  AE: uae`)

// Top-level domains that are sold for names of all kinds, so that they say nothing about a country.
const generic = new Set(
  'ac ag ai am bz cc cf co fm ga gg gl gq im io la ly me ml nu pw sc sh so st tk to tv vc ws'.split(
    ' ',
  ),
)

let names: Map<string, CountryCode> | undefined

/** The country for a folded name of one to four words. Names of four languages are known, and some more. */
export function countryNamed(name: string): CountryCode | undefined {
  names ??= countryNames()
  return names.get(name)
}

function countryNames() {
  const all = new Map<string, CountryCode>()
  for (const language of languages) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of getCountries()) {
      const name = display.of(code)
      if (name && !all.has(fold(name))) all.set(fold(name), code)
    }
  }
  for (const [name, code] of otherNames) all.set(name.replaceAll('_', ' '), code)
  return all
}

/** The country for a code in capitals, such as DE or US. UK is in use too, although it is not a code. */
export function countryCoded(raw: string): CountryCode | undefined {
  if (raw === 'UK') return 'GB'
  return /^[A-Z]{2}$/.test(raw) ? getCountries().find((code) => code === raw) : undefined
}

/** Why a card belongs to a country, or undefined if nothing on it says so. `phones` are E.164. */
export function isInCountry(
  country: CountryCode,
  phones: string[],
  domains: string[],
): string | undefined {
  const prefix = `+${getCountryCallingCode(country)}`
  if (phones.some((phone) => phone.startsWith(prefix) && isNotElsewhere(phone, country)))
    return 'phone number'
  const domain = country === 'GB' ? 'uk' : country.toLowerCase()
  if (!generic.has(domain) && domains.some((name) => name.endsWith(`.${domain}`))) return 'e-mail'
  return undefined
}

// Several countries share +1, +7, +44 and some more. If the number does not show which one, each of them may be meant.
function isNotElsewhere(phone: string, country: CountryCode) {
  const known = parsePhoneNumberFromString(phone)?.country
  return known === undefined || known === country
}
