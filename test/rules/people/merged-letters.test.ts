import { deepEqual } from 'node:assert/strict'
import { displacedOf, type LetterOfCard } from '../../../rules/people/merged-letters.ts'

describe('letters of a campaign to two cards of one person', () => {
  /** `a` is the card that stays; a letter is written as card, place, state and reason. */
  const letters = (text: string) =>
    text.split(', ').map((one, i): LetterOfCard => {
      const [person = '', place = '', state, reason = null] = one.split(' ')
      return { id: `${i}`, person, place: Number(place), state, reason } as LetterOfCard
    })
  const table: [what: string, letters: string, displaced: string[]][] = [
    ['queued twice, it is the other that ends', 'a 1 queued, b 1 queued', ['1 -2 ends']],
    ['the one that was sent keeps its place', 'a 1 queued, b 1 sent, b 2 queued', ['0 -2 ends']],
    [
      'of two that were sent, the furthest keep their places',
      'a 1 sent, a 2 queued, b 1 sent, b 2 sent, b 3 queued',
      ['0 -2', '1 -1 ends'],
    ],
    ['one that is being sent counts as sent', 'a 1 queued, b 1 sending', ['0 -2 ends']],
    ['a decision comes before one that waits', 'a 1 queued, b 1 failed replied', ['0 -2 ends']],
    [
      'what a member skipped for one goes to neither',
      'a 1 sent, a 2 queued, b 1 failed skipped',
      ['2 -2', '1 2 ends'],
    ],
    ['one that waits comes before one that failed', 'a 1 failed no_contact, b 1 queued', ['0 -2']],
    [
      'places that were given up stay apart',
      'a 1 queued, a -2 failed, b 1 sent, b -2 failed',
      ['0 -5 ends', '1 -8'],
    ],
    ['three cards', 'b 1 queued, a 1 queued, c 1 queued', ['0 -2 ends', '2 -5 ends']],
  ]
  for (const [what, given, displaced] of table)
    it(what, () => {
      deepEqual(
        displacedOf(letters(given), 'a').map(
          ({ id, place, ends }) => `${id} ${place}${ends ? ' ends' : ''}`,
        ),
        displaced,
      )
    })
})
