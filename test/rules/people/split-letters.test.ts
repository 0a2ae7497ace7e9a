import { deepEqual } from 'node:assert/strict'
import { dividedOf, type LetterToSplit } from '../../../rules/people/split-letters.ts'

describe('letters of a campaign to a card that is split', () => {
  /** A letter is written as place, state and address; `b` goes to the new card. */
  const letters = (text: string) =>
    text.split(', ').map((one, i): LetterToSplit => {
      const [place = '', state, toAddress = null] = one.split(' ')
      return { id: `${i}`, place: Number(place), state, toAddress } as LetterToSplit
    })
  const table: [what: string, letters: string, divided: string[]][] = [
    ['stay with the address that they went to', '1 sent a, 2 queued', []],
    ['go with the address that they went to', '1 sent b, 2 queued', ['0 moves 1', '1 moves 2']],
    ['stay where none is written', '1 queued, 2 queued', []],
    [
      'of a card that was merged into it go back to it',
      '1 sent a, 2 queued, -2 sent b',
      ['2 moves 1'],
    ],
    [
      'of a card that was merged into it stay as its own, where the others go',
      '1 sent b, 2 queued, -2 sent a',
      ['0 moves 1', '1 moves 2', '2 stays 1'],
    ],
    [
      'that were sent again elsewhere leave the card its place',
      '1 sent a, -2 failed b, -5 failed b',
      ['1 moves 1', '2 moves -5'],
    ],
    [
      'that were sent again elsewhere go along',
      '1 sent b, -2 failed b',
      ['0 moves 1', '1 moves -2'],
    ],
    [
      'that went come before others for one place',
      '1 sent a, -2 failed b, -5 sent b',
      ['2 moves 1', '1 moves -2'],
    ],
    ['that nobody wrote stay given up', '1 sent a, -2 failed', []],
  ]
  for (const [what, given, divided] of table)
    it(what, () => {
      const goes = (address: string) => address === 'b'
      deepEqual(
        dividedOf(letters(given), goes)
          .filter(({ id, moves, place }) => moves || place !== letters(given)[Number(id)]?.place)
          .map(({ id, moves, place }) => `${id} ${moves ? 'moves' : 'stays'} ${place}`),
        divided,
      )
    })
})
