import { lastPlace, placeOf } from '../campaign.ts'

// Two cards become one, and a campaign has written, or was to write, to both. A person gets one letter of each place.

export type LetterOfCard = {
  id: string
  person: string
  /** Less than 1 in a letter that has given its place up. */
  place: number
  state: 'queued' | 'review' | 'sending' | 'sent' | 'failed'
  reason: string | null
}

/** A letter that gives its place up; one that was still to go ends, because nobody wants it a second time. */
export type Displaced = { id: string; place: number; ends: boolean }

const waits = ({ state }: LetterOfCard) => state === 'queued' || state === 'review'
export const went = ({ state }: Pick<LetterOfCard, 'state'>) =>
  state === 'sent' || state === 'sending'

/** Reasons for which somebody is not to be written to any more. */
const ending = new Set(['skipped', 'unsubscribed', 'suppressed', 'replied'])

/**
 * What becomes of the letters of one campaign to several cards, `first` among them the one that stays. The letters of the card that
 * got the most keep their places: one that went comes before a decision against further ones, that before one that waits, and
 * that before one that failed. Letters to the others give their places up, as negative ones that tell the same place; those that
 * wait end. If a member skipped a letter to one of the cards, none that waits goes to any.
 */
export function displacedOf(letters: LetterOfCard[], first: string): Displaced[] {
  const ofCards = Map.groupBy(letters, ({ person }) => person)
  const ranked = [...ofCards].toSorted(
    ([a, ofA], [b, ofB]) =>
      rankOf(ofB) - rankOf(ofA) || Number(b === first) - Number(a === first) || (a < b ? -1 : 1),
  )
  const [, ...others] = ranked
  const isSkipped = letters.some(({ place, reason }) => place > 0 && reason === 'skipped')
  const taken = new Set(letters.map(({ place }) => place))
  const displaced = others
    .flatMap(([, some]) => some)
    .map((letter) => {
      let place = placeOf(letter.place) - lastPlace
      while (taken.has(place)) place -= lastPlace
      taken.add(place)
      return { id: letter.id, place, ends: waits(letter) }
    })
  const ended = (isSkipped ? (ranked[0]?.[1] ?? []) : [])
    .filter(waits)
    .map(({ id, place }) => ({ id, place, ends: true }))
  return [...displaced, ...ended]
}

function rankOf(letters: LetterOfCard[]): number {
  const placed = letters.filter(({ place }) => place > 0)
  const furthest = Math.max(0, ...placed.filter(went).map(({ place }) => place))
  if (furthest > 0) return 10 + furthest
  if (placed.some(({ reason }) => ending.has(reason ?? ''))) return 2
  return placed.some(waits) ? 1 : 0
}
