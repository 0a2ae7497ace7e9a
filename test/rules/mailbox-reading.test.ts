import { equal } from 'node:assert/strict'
import { hiddenIn, type Movement, movementOf } from '../../rules/mailbox-reading.ts'

type Seen = { uidNext: number; exists: number }

describe('what a look at a folder finds', () => {
  const uidValidity = '7'
  const place = (nextUid: number) => ({ uidValidity, nextUid })
  const state = (uidNext: number, exists: number) => ({ uidValidity, uidNext, exists })

  const cases: [what: string, nextUid: number, state: Seen, seen: Seen | null, Movement][] = [
    ['nothing in one that was read before', 5, { uidNext: 5, exists: 4 }, null, 'still'],
    ['news beyond its place', 5, { uidNext: 6, exists: 5 }, null, 'moved'],
    ['news since the last look', 5, { uidNext: 6, exists: 5 }, { uidNext: 5, exists: 4 }, 'moved'],
    [
      'nothing though a mail is gone',
      5,
      { uidNext: 5, exists: 3 },
      { uidNext: 5, exists: 4 },
      'still',
    ],
    [
      'more mails without a new number',
      5,
      { uidNext: 5, exists: 5 },
      { uidNext: 5, exists: 4 },
      'doubtful',
    ],
    ['lower numbers after a backup', 5, { uidNext: 3, exists: 2 }, null, 'first'],
    [
      'lower numbers within a session',
      5,
      { uidNext: 3, exists: 2 },
      { uidNext: 5, exists: 4 },
      'first',
    ],
    [
      'news that was told and not shown',
      5,
      { uidNext: 7, exists: 5 },
      { uidNext: 6, exists: 4 },
      'moved',
    ],
    [
      'nothing that was told before and has not come',
      5,
      { uidNext: 6, exists: 4 },
      { uidNext: 6, exists: 4 },
      'still',
    ],
    ['perhaps news where UIDNEXT is not told', 5, { uidNext: 0, exists: 4 }, null, 'moved'],
    [
      'nothing where UIDNEXT is not told and the number is the same',
      5,
      { uidNext: 0, exists: 4 },
      { uidNext: 0, exists: 4 },
      'still',
    ],
  ]
  for (const [what, nextUid, now, seen, movement] of cases)
    it(`is ${movement}: ${what}`, () =>
      equal(
        movementOf(
          place(nextUid),
          state(now.uidNext, now.exists),
          seen ? state(seen.uidNext, seen.exists) : undefined,
        ),
        movement,
      ))

  it('is first: a folder without a place, or with other numbers', () => {
    equal(movementOf(undefined, state(5, 4), undefined), 'first')
    equal(movementOf({ uidValidity: '6', nextUid: 5 }, state(5, 4), state(5, 4)), 'first')
  })

  it('are mails that are counted and not shown, never fewer than none', () => {
    equal(hiddenIn(5, 3), 2)
    equal(hiddenIn(3, 5), 0)
  })
})
