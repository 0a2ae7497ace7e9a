import { fold } from './phrases.ts'

// What a letter says without its greeting and its signature.

const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|sehr geehrte[rs]?|liebe[rs]?|bonjour|bonsoir|salut|madame|monsieur|chere?s?|hola|buen[oa]s? (?:dias|tardes)|buenas|estimad[oa]s?|ciao|salve|buongiorno|buonasera|gentile|egregi[oa]|ola|oi|bom dia|boa tarde|prezad[oa]s?|car[oa]s?|beste|geachte|goede(?:morgen|middag|ndag)|dag|dzien dobry|witam|szanown[aiy]|czesc)(?![\p{L}\p{N}-])/u
const goodbye =
  /^(?:p\.? ?s\b)?(?:(?:(?:with )?(?:best|kind|warm|many)(?: regards| wishes)?|regards|cheers|sincerely|yours(?: \p{L}+)?|thanks|thank you|many thanks|(?:mit )?(?:freundlichen?|besten?|vielen?|lieben?|schonen?) gruss\p{L}*|gruss\p{L}*|mfg|vg|lg|(?:bien )?cordialement|bien a vous|salutations|(?:un )?(?:cordial )?saludos?|atentamente|(?:cordiali |distinti )?saluti|atenciosamente|(?:os melhores )?cumprimentos|abracos?|(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)?|mvg|pozdrawiam|z powazaniem|z wyrazami szacunku|敬具|以上)(?: aus \p{L}+)?[,.! -]*$|(?:sent from|get outlook|von meinem|gesendet von|envoye d|enviado d|inviato da|verzonden v|wyslane z))/u
const link = /https?:\/\/|www\./

/** The lines of a letter between its greeting and its signature, but without what leads to a page. */
export function linesOf(own: string): string[] {
  const lines = own.split('\n').map((line) => line.trim())
  const first = lines.findIndex((line) => line !== '')
  const last = lines.findIndex(
    (line, at) => at > first && line.length < 60 && goodbye.test(fold(line)),
  )
  const said = lines.slice(Math.max(first, 0), last < 0 ? undefined : last)
  const postscript = lines.slice(last < 0 ? lines.length : last).filter(isPostscript)
  const opening = said[0] ?? ''
  const isGreeting =
    opening.length < 80 &&
    (greeting.test(fold(opening)) ? !/[.!?]\s+\S/.test(opening) : /^[\p{L}.' -]+,$/u.test(opening))
  const rest = said.length > 1 && isGreeting && isShort(opening) ? said.slice(1) : said
  return [...rest, ...postscript].filter((line, at, all) => !leads(line, all[at + 1] ?? ''))
}

const isPostscript = (line: string) => /^p\.? ?s\b/i.test(line)
const isShort = (line: string) => line.split(/\s+/).length <= 6

/** A link, and the line that it stands under: "No more of these letters:". */
const leads = (line: string, next: string) =>
  link.test(line) || (/[:：]$/.test(line) && link.test(next))

/** Whether a line may be of somebody's signature: a few names, or what has a number or an address. */
export const isOfSignature = (line: string): boolean =>
  line === '' ||
  /[\d@|]/.test(line) ||
  (/^\p{Lu}/u.test(line) && line.length < 60 && !/[.!?]$/.test(line) && isShort(line))
