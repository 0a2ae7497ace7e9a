import { equal } from 'node:assert/strict'
import { messageIdOf, nextTry } from '../../rules/outgoing.ts'

describe('the next try of a letter that the server put off', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const hours = (n: number) => n * 3600
  const tries: [
    what: string,
    tries: number,
    secondsSinceFirst: number | null,
    next: number | null,
  ][] = [
    ['comes after 15 s', 1, 0, 15],
    ['comes after twice as long each time', 3, 45, 60],
    ['comes after 15 min at the most', 12, hours(2), 15 * 60],
    ['comes where nothing is known of a first claim', 1, null, 15],
    ['comes until four days after the first claim', 400, hours(96), 15 * 60],
    ['comes no more after that', 400, hours(96) + 1, null],
  ]
  for (const [what, count, since, next] of tries)
    it(what, () => {
      const firstClaimedAt = since === null ? null : new Date(now.getTime() - since * 1000)
      const at = nextTry({ tries: count, firstClaimedAt }, now)
      equal(at && (at.getTime() - now.getTime()) / 1000, next)
    })
})

describe('our Message-ID', () => {
  const ids: [account: string, messageId: string][] = [
    ['mia@example.com', '<msg_1@example.com>'],
    ['"mia@home"@example.com', '<msg_1@example.com>'],
    ['mia@', '<msg_1@localhost>'],
  ]
  for (const [account, messageId] of ids)
    it(`has the domain of ${account}`, () => equal(messageIdOf('msg_1', account), messageId))
})
