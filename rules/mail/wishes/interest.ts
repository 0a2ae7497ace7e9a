import {
  askedOf,
  declining,
  denying,
  notDeclining,
  undenied,
  wanting,
} from './interest-vocabulary.ts'
import { interestInJapanese } from './japanese.ts'
import { patternOf, sentencesOf } from './phrases.ts'
import { others } from './unsubscribe-vocabulary.ts'

// Whether somebody refuses an offer or takes it up. The same words say both: "interested" and what denies it.

const patterns = {
  declining: patternOf(declining),
  notDeclining: patternOf(notDeclining),
  wanting: patternOf(wanting),
  denying: patternOf(denying),
  undenied: patternOf(undenied, { others }),
  askedOf: patternOf(askedOf),
}

/** Whether a sentence, as `sentencesOf` gives it, refuses an offer. */
export const declines = (sentence: string): boolean =>
  (patterns.declining.test(sentence) && !patterns.notDeclining.test(sentence)) ||
  clausesOf(sentence).some(isDenied)

/** Whether somebody refuses an offer. */
export const declinesOffer = (text: string): boolean =>
  sentencesOf(text).some(declines) || interestInJapanese(text) === 'declined'

/** Whether somebody takes an offer up. */
export const isInterested = (text: string): boolean =>
  sentencesOf(text).flatMap(clausesOf).some(wants) || interestInJapanese(text) === 'interested'

/** A comma ends what a word denies: "no, we are interested". */
const clausesOf = (sentence: string) => sentence.split(/, ?/)

const isDenied = (clause: string) =>
  patterns.denying.test(clause) && !patterns.undenied.test(clause)

function wants(clause: string): boolean {
  const found = patterns.wanting.exec(clause)
  if (!found) return false
  const before = clause.slice(0, found.index)
  return !patterns.askedOf.test(before) && (!patterns.denying.test(clause) || isMore(clause))
}

// "Not only interested" denies nothing.
const isMore = (clause: string) => more.test(clause)
const more = patternOf(
  '(only/just/nur/bloss/seulement/solo/solamente/soltanto/somente/apenas/alleen/tylko) | (never) (been)? (more/so) | (nie) (mehr/so) | no doubt | (kein) zweifel | (sans/sin/senza/sem/zonder/bez) (aucun/ninguna/nessun)? (doute/duda/dubbio/duvida/twijfel/watpienia)',
)
