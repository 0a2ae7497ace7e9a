import { fold, lastClause, patternOf, sentencesOf } from '../phrases.ts'
import { declines } from './interest.ts'
import { endsInJapanese } from './japanese.ts'
import {
  asking,
  bare,
  clicks,
  denied,
  denying,
  events,
  letters,
  offers,
  others,
  polite,
  telling,
} from './unsubscribe-vocabulary.ts'

// Whether somebody asks for no more letters. It stops all campaigns for them, so a sentence that only has such words, says the
// contrary or is about something else does not count, and a word by itself counts only if it is all that they say.

// A person who wants no more letters says so in a few lines. A long letter with such words is about something else, and taking
// it as a refusal would stop letters to its sender.
const longest = 500

const patterns = {
  leaving: asking.map(({ leaving, parts }) => patternOf(leaving, parts)),
  ending: asking.map(({ ending, parts }) => patternOf(ending, parts)),
  bare: new RegExp(`^(?:${patternOf(bare).source})$`),
  polite: new RegExp(patternOf(polite).source, 'g'),
  denied: patternOf(denied, { others }),
  telling: patternOf(telling),
  denying: patternOf('{denying}', { denying }),
  clicks: patternOf(clicks),
  others: patternOf('{others}', { others }),
  events: patternOf('{events}', { events }),
  letters: patternOf('{letters}', { letters }),
  offers: patternOf(offers),
}

const greeting =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|bonjour|hola|ciao|ola|beste|dag) [\p{L} ]{1,30}, /u

/** Whether a text without quotations asks for no more letters. */
export function asksForNoLetters(own: string): boolean {
  const lines = linesOf(own)
  const said = lines.join('\n')
  if (said.length > longest) return false
  const [first = '', ...rest] = lines
  return (
    isBare(said) ||
    (rest.every(isOfSignature) && isBare(first)) ||
    asks(said) ||
    endsInJapanese(said)
  )
}

function isBare(said: string): boolean {
  const words = sentencesOf(said.replaceAll(/["“”„«»]/g, '')).map((sentence) => ({
    sentence,
    word: sentence
      .replace(greeting, '')
      .replace(patterns.polite, ' ')
      .replaceAll(/[ ,]+/g, ' ')
      .trim(),
  }))
  const isAsked = ({ word }: { word: string }) => patterns.bare.test(word)
  return (
    words.some(isAsked) &&
    words.every((one) => one.word === '' || isAsked(one) || declines(one.sentence))
  )
}

function asks(said: string): boolean {
  const sentences = sentencesOf(said)
  return sentences.some(
    (sentence, at) =>
      !isOffer(sentence, sentences[at + 1]) &&
      (has(sentence, patterns.ending) ||
        (!isOfOthers(sentence) && has(sentence, patterns.leaving, patterns.denying))),
  )
}

const isOffer = (sentence: string, next = '') =>
  patterns.offers.test(sentence) || patterns.clicks.test(next)

const isOfOthers = (sentence: string) =>
  (patterns.events.test(sentence) || patterns.others.test(sentence)) &&
  !patterns.letters.test(sentence)

const has = (sentence: string, all: RegExp[], denying?: RegExp) =>
  all.some((pattern) => {
    const found = pattern.exec(sentence)
    if (!found || denying?.test(found[0])) return false
    const before = lastClause(sentence.slice(0, found.index))
    const isTold = /^(?:stop|quit|cease)/.test(found[0]) && patterns.telling.test(before)
    return !isTold && !patterns.denied.test(before)
  })

// What a letter says without its greeting and its signature.

const salutation =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|sehr geehrte[rs]?|liebe[rs]?|bonjour|bonsoir|salut|madame|monsieur|chere?s?|hola|buen[oa]s? (?:dias|tardes)|buenas|estimad[oa]s?|ciao|salve|buongiorno|buonasera|gentile|egregi[oa]|ola|oi|bom dia|boa tarde|prezad[oa]s?|car[oa]s?|beste|geachte|goede(?:morgen|middag|ndag)|dag|dzien dobry|witam|szanown[aiy]|czesc)(?![\p{L}\p{N}-])/u
const goodbye =
  /^(?:p\.? ?s\b)?(?:(?:(?:with )?(?:best|kind|warm|many)(?: regards| wishes)?|regards|cheers|sincerely|yours(?: \p{L}+)?|thanks|thank you|many thanks|(?:mit )?(?:freundlichen?|besten?|vielen?|lieben?|schonen?) gruss\p{L}*|gruss\p{L}*|mfg|vg|lg|(?:bien )?cordialement|bien a vous|salutations|(?:un )?(?:cordial )?saludos?|atentamente|(?:cordiali |distinti )?saluti|atenciosamente|(?:os melhores )?cumprimentos|abracos?|(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)?|mvg|pozdrawiam|z powazaniem|z wyrazami szacunku|敬具|以上)(?: aus \p{L}+)?[,.! -]*$|(?:sent from|get outlook|von meinem|gesendet von|envoye d|enviado d|inviato da|verzonden v|wyslane z))/u
const link = /https?:\/\/|www\./

/** The lines of a letter between its greeting and its signature, but without what leads to a page. */
function linesOf(own: string): string[] {
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
    (salutation.test(fold(opening))
      ? !/[.!?]\s+\S/.test(opening)
      : /^[\p{L}.' -]+,$/u.test(opening))
  const rest = said.length > 1 && isGreeting && isShort(opening) ? said.slice(1) : said
  return [...rest, ...postscript].filter((line, at, all) => !leads(line, all[at + 1] ?? ''))
}

const isPostscript = (line: string) => /^p\.? ?s\b/i.test(line)
const isShort = (line: string) => line.split(/\s+/).length <= 6

/** A link, and the line that it stands under: "No more of these letters:". */
const leads = (line: string, next: string) =>
  link.test(line) || (/[:：]$/.test(line) && link.test(next))

/** Whether a line may be of somebody's signature: a few names, or what has a number or an address. */
const isOfSignature = (line: string): boolean =>
  line === '' ||
  /[\d@|]/.test(line) ||
  (/^\p{Lu}/u.test(line) && line.length < 60 && !/[.!?]$/.test(line) && isShort(line))
