import { placeOf } from '../campaign.ts'

// A card is split into two, and a campaign has written, or was to write, to addresses of both.

export type LetterToSplit = {
  id: string
  /** Less than 1 in a letter that has given its place up: another card had been merged into this one, or it was sent again. */
  place: number
  state: 'queued' | 'review' | 'sending' | 'sent' | 'failed'
  /** Where it went or is to go; null until it is written. */
  toAddress: string | null
}

/** Where a letter belongs after the split: to the new card or not, and with which place. */
export type Divided = { id: string; moves: boolean; place: number }

const went = ({ state }: LetterToSplit) => state === 'sent' || state === 'sending'

/**
 * What changes in the letters of one campaign to a card, some of whose addresses go to a new one. Letters that have their places
 * stay together and follow the first one of them. A letter that has given its place up follows its own address; the card that is
 * left without the others gets its places back, so that nobody is written to again.
 */
export function dividedOf(letters: LetterToSplit[], goes: (address: string) => boolean): Divided[] {
  const [placed, others] = [letters.filter(hasPlace), letters.filter((one) => !hasPlace(one))]
  const first = placed.toSorted((a, b) => a.place - b.place).find(({ toAddress }) => toAddress)
  const follows = ({ toAddress }: LetterToSplit) => toAddress !== null && goes(toAddress)
  const placedMove = first !== undefined && follows(first)
  const together = placedMove ? placed.map(({ id, place }) => ({ id, moves: true, place })) : []
  const apart = others.filter((letter) => follows(letter) !== placedMove)
  const beside = others.filter((letter) => placedMove && follows(letter))
  return [
    ...together,
    ...beside.map(({ id, place }) => ({ id, moves: true, place })),
    ...withPlaces(apart).map(({ id, place }) => ({ id, moves: !placedMove, place })),
  ]
}

const hasPlace = ({ place }: LetterToSplit) => place > 0

/** Of the letters for one place, one that went comes first. */
function withPlaces(letters: LetterToSplit[]): { id: string; place: number }[] {
  const taken = new Set<number>()
  return letters
    .toSorted((a, b) => Number(went(b)) - Number(went(a)) || b.place - a.place)
    .map(({ id, place }) => {
      const before = placeOf(place)
      if (taken.has(before)) return { id, place }
      taken.add(before)
      return { id, place: before }
    })
}
