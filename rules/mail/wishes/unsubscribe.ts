import { declines } from './interest.ts'
import { endsInJapanese } from './japanese.ts'
import { isOfSignature, linesOf } from './letter.ts'
import { lastClause, patternOf, sentencesOf } from './phrases.ts'
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
