import type { Importance, Intent } from '../../rules/intents.ts'

// What the marks of a message of a client mean, for the reference.

/** How soon it should be dealt with. */
export const importanceMeans = {
  low: 'it can wait',
  normal: 'it is neither low nor high',
  high: 'it should be dealt with first',
} satisfies Record<Importance, string>

/** What the client wants, by each intent. */
export const intentMeans = {
  quote: 'an offer',
  question: 'an answer to a question',
  interested: 'to continue, without a specific request',
  meeting: 'a meeting',
  not_interested: 'nothing: they are not interested',
  complaint: 'to have a problem solved',
  unsubscribe: 'to receive no more letters',
  out_of_office: 'nothing: they are away',
  other: 'something else, or the intent was not recognised',
} satisfies Record<Intent, string>
