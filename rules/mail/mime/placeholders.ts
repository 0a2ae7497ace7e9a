import { wordsOf } from '../html/words.ts'

// A plain text beside HTML that only says that there is HTML, or nothing at all: the HTML says what the letter says.

// Such a text is a line or two.
const longest = 500
const speaksOfIt =
  /\bx?html\b|\bmime\b|plain[- ]text (?:version|part|alternative)|text[- ](?:only )?version|(?:view|see|read|open|display) (?:this|the) (?:e-?mail|message|newsletter) (?:in|with|on|online)|(?:e-?mail|mail|message|browser|client|reader|program) (?:\p{L}+ ){0,4}(?:not support|unable|cannot (?:display|show|render))|textversion|nur[- ]text|textfassung|version texte|versi[oó]n (?:de |en )?texto|versione (?:di )?test[oi]|vers[aã]o (?:de |em )?texto|tekstversie|wersj\p{L} tekstow\p{L}|текстов\p{L}+ верси\p{L}+/iu

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What a mail is to say in place of its plain text; undefined if that says something of its own. */
export function insteadOf(plain: string, html: string): string | undefined {
  const said = words(plain.slice(0, longest * 2))
  const isEmpty = said === '' && plain.trim().length < longest
  if (!isEmpty && (plain.length > longest || !speaksOfIt.test(plain))) return undefined
  const shown = wordsOf(html).trim()
  if (words(shown) === '') return undefined
  // Who writes about HTML says the same in both.
  return isEmpty || !words(shown).includes(said) ? shown : undefined
}
