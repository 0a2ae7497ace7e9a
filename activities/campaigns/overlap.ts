import { type ConnectionRow, findConnection } from '../../db/accounts/connections.ts'
import type { CampaignFacts, Run } from '../../db/campaigns/facts.ts'
import type { NextTouch } from '../../db/campaigns/next-touch.ts'
import { type Pace, paceOf } from '../../rules/pace.ts'
import type { Deps } from '../deps.ts'
import { countUnderway, keepUnderway } from '../outgoing/underway.ts'
import type { InHand } from './left.ts'
import {
  type Done,
  handLetter,
  prepareAhead,
  prepareLetter,
  type Ready,
  type Sending,
} from './send-letter.ts'

// Where accounts keep no gap, a sitting does two things at once: while a letter is handed over, it prepares the next one, and
// while it is written down that a letter was taken, it claims the next one. Never more than one is in a conversation with its
// server, unless a server takes its time, which may be ten minutes: the sitting then goes on without that letter and its account,
// and may end before it. What is prepared ahead is a guess: its claim checks everything under locks, as always. If anything but
// "taken" comes of a letter, the next one waits until that is written down.

/** What a sitting has read of its campaign. */
export type Known = {
  run: Run
  facts: CampaignFacts
  readAt: Date
  at: number
  /** The letters that are being sent; the facts leave them out, and their accounts are busy. */
  inHand: InHand[]
  /** The accounts that letters were prepared for ahead. */
  accounts: Map<string, Promise<ConnectionRow | undefined>>
}
/** A letter that is ready to be claimed. */
export type Prepared = { letter: NextTouch; ready: Ready }

// Other letters wait this long for one that is with its server.
const slowMs = 3_000
// So many letters are left to themselves in a process, whatever their kind: each is in memory and has a session.
const mostLeft = 400

type Sitting = {
  isOver(): boolean
  pick(of: Known, pace: Pace, now: Date): Promise<NextTouch | undefined>
  sendingOf(of: Known, pace: Pace, letter: NextTouch): Sending
}

/** Whether letters may go one right after the other, because none of the accounts waits for anything in between. */
export const isSwift = ({ senders }: CampaignFacts) =>
  senders.every(({ gapSeconds }) => gapSeconds === 0)

export function overlapping(deps: Deps, { isOver, pick, sendingOf }: Sitting) {
  // Letters that have been claimed, and the preparation of the next one, until they are over, whatever comes of them.
  const inHand = new Set<Promise<unknown>>()
  // The letter that was taken last, while that is written down.
  let landing: Promise<Done> | undefined
  let ahead: { of: Known; next: Promise<Prepared | undefined> } | undefined

  function holding<T>(work: Promise<T>): Promise<T> {
    inHand.add(work)
    const end = () => void inHand.delete(work)
    work.then(end, end)
    return work
  }

  /**
   * Waits until the outcome of the letter before this one is written down; answers it, if there was one.
   * @throws what has kept it from being written down.
   */
  async function landed(): Promise<Done | undefined> {
    const last = landing
    landing = undefined
    return last
  }

  /** Leaves a letter to itself. Should that fail, the letter is settled like one whose attempt is gone. */
  function leave(touch: string, handing: Promise<Done>) {
    inHand.delete(handing)
    const end = handing.catch((err) => deps.log.error({ touch, err }, 'a letter was not settled'))
    void keepUnderway(touch, end)
  }

  /** Undefined if the letter cannot be prepared ahead: it is then prepared when it is its turn. */
  async function prepare(of: Known): Promise<Prepared | undefined> {
    try {
      const now = deps.clock.now()
      const pace = paceOf(of.facts, now)
      const letter = pace.now ? await pick(of, pace, now) : undefined
      const find = (id: string) => {
        const account = of.accounts.get(id) ?? findConnection(deps.db, id)
        of.accounts.set(id, account)
        return account
      }
      const ready = letter && (await prepareAhead(deps, sendingOf(of, pace, letter), find))
      return ready && { letter, ready }
    } catch {
      return undefined
    }
  }

  return {
    landed,

    /**
     * Sends a letter, which may have been prepared ahead. Where no gap is kept, answers `sent` as soon as its server has taken
     * it, and `before` is the outcome of the letter before it. Answers `moved` if the server takes its time.
     */
    async send(of: Known, sending: Sending, early?: Ready): Promise<{ done: Done; before?: Done }> {
      const ready = early ?? (await prepareLetter(deps, sending))
      if (typeof ready === 'string') return { done: ready }
      const { account } = ready
      const taken = Promise.withResolvers<Done>()
      const slow = Promise.withResolvers<'slow'>()
      let timer: NodeJS.Timeout | undefined
      const now = deps.clock.now()
      const handing = holding(
        handLetter(deps, sending, ready, {
          claimed() {
            account.usedDay++
            account.usedWeek++
            account.lastClaimAt = now
            timer = setTimeout(() => countUnderway() < mostLeft && slow.resolve('slow'), slowMs)
            if (isSwift(of.facts) && !isOver()) ahead = { of, next: holding(prepare(of)) }
          },
          taken() {
            if (isSwift(of.facts)) taken.resolve('sent')
          },
        }),
      )
      const done = await Promise.race([taken.promise, handing, slow.promise]).finally(() =>
        clearTimeout(timer),
      )
      const isSlow = done === 'slow'
      if (isSlow) leave(sending.letter.id, handing)
      const before = await landed()
      if (!isSlow) landing = handing
      return { done: isSlow ? 'moved' : done, ...(before && { before }) }
    },

    /** The letter that was prepared ahead, if what it was prepared from still holds. */
    async takeAhead(of: Known, pace: Pace): Promise<Prepared | undefined> {
      const kept = ahead
      ahead = undefined
      const prepared = kept?.of === of && pace.now ? await kept.next : undefined
      return prepared && pace.senders.includes(prepared.ready.account.id) ? prepared : undefined
    },

    /** Returns once nothing is in hand any more. */
    async over() {
      while (inHand.size > 0) await Promise.allSettled(inHand)
    },
  }
}
