import { placeOf } from '../campaign.ts'
import { type LetterOfCard, went } from './merged-letters.ts'

// A card is split into two, and a campaign has written, or was to write, to addresses of both.

/** It has given its place up where another card was merged into this one, or it was sent again. */
export type LetterToSplit = Pick<LetterOfCard, 'id' | 'place' | 'state'> & {
  /** Where it went or is to go; null until it is written. */
  toAddress: string | null
}

/** Where a letter belongs after the split: to the new card or not, and with which place. */
export type Divided = { id: string; moves: boolean; place: number }

/**
 * What changes in the letters of one campaign to a card, some of whose addresses go to a new one. Letters that have their places
 * stay together and follow the first one of them. A letter that has given its place up follows its own address; the card that is
 * left without the others gets its places back, so that nobody is written to again.
 */
export function dividedOf(letters: LetterToSplit[], goes: (address: string) => boolean): Divided[] {
  const follows = ({ toAddress }: LetterToSplit) => toAddress !== null && goes(toAddress)
  const placed = letters.filter(hasPlace).toSorted((a, b) => a.place - b.place)
  const first = placed.find(({ toAddress }) => toAddress)
  const placedMove = first !== undefined && follows(first)
  const isApart = (letter: LetterToSplit) => !hasPlace(letter) && follows(letter) !== placedMove
  const together = placedMove ? letters.filter((letter) => hasPlace(letter) || follows(letter)) : []
  return [
    ...together.map(({ id, place }) => ({ id, moves: true, place })),
    ...withPlaces(letters.filter(isApart)).map((letter) => ({ ...letter, moves: !placedMove })),
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
