import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Account,
  type CampaignFacts,
  findCampaignFacts,
  findRun,
  hastenSenders,
  type Run,
} from '../../db/campaigns/facts.ts'
import { countReturned } from '../../db/campaigns/failures.ts'
import { type NextTouch, readNextTouch } from '../../db/campaigns/next-touch.ts'
import { leaveTurns, takeTurn } from '../../db/campaigns/turns.ts'
import { operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { listClaimed } from '../../db/outgoing/letters-in-hand.ts'
import { holdOf } from '../../rules/budgets.ts'
import { type Pace, paceOf } from '../../rules/pace.ts'
import type { Asked, RunnerInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { attemptInHand, beating, cancelSignal, stopBeating, tellWith } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { findUnderway } from '../outgoing/underway.ts'
import {
  besidePollMs,
  holdingOf,
  inFlightPollMs,
  modelPollMs,
  releaseStranded,
  roomForReview,
  type Wait,
  waitsFor,
} from './due.ts'
import { type InHand, settleLeft } from './left.ts'
import { isSwift, type Known, overlapping } from './overlap.ts'
import type { Counts, Sending, Troubled } from './send-letter.ts'
import { countToWrite } from './write-ahead.ts'

// What the runner of a campaign does, letter by letter: everything that may go now.

type Next =
  | { do: 'end' }
  /** `plan`: people of the segment have no letter yet. */
  | { do: 'again'; plan?: true }
  | (Wait & {
      /** Letters have to be written. */
      writes?: true
      /** What an account cannot get past, in place of the usual sentence. */
      trouble?: { text: string; connection: string }
    })

/** What the runner does after a sitting, and how many letters the sitting has settled. */
export type Sat = Counts & Next

// After this long, others have their turn, and the history shows how far the campaign has come.
const sittingMs = 30_000
// A wait that is shorter than this is not worth a timer in the history.
const shortMs = 3_000
// What a sitting has read about the campaign and its accounts is read again this often, and whenever a claim was refused. The
// claim of each letter checks everything under locks.
const freshMs = 1_000
// A letter whose claim was refused twice in a row without a reason is tried again after this time.
const secondThoughtMs = 5_000
// Letters that go at once hold a slot of their queue, so campaigns leave slots for messages.
const sitting = bounded({ name: 'sittings', all: 100, waiting: 400 })

type Input = RunnerInput & Asked

export const sendDueActivities = (deps: Deps) => ({
  /**
   * Sends what may go now, one letter after the other, for some seconds, and says what holds the rest and until when. Safe to
   * retry: each letter is claimed before it is handed over, and one that an earlier attempt has claimed is settled first.
   */
  sendDue(input: Input): Promise<Sat> {
    return sitting(input.campaign, () => beating(() => sit(deps, input)))
  },
})

async function sit(deps: Deps, input: Input): Promise<Sat> {
  const { db, clock } = deps
  const counts: Counts = {}
  tellWith(() => counts)
  const began = performance.now()
  const isOver = () =>
    deps.stopping?.aborted || cancelSignal()?.aborted || performance.now() - began > sittingMs
  // The accounts that could not be opened in this sitting, and why.
  const troubled: Troubled = new Map()
  let known: Known | undefined
  let last: { touch: string; refused: boolean } | undefined
  let sent = 0

  if (input.asked && attemptInHand() === 1) await hastenSenders(db, input.campaign, clock.now())

  const letters = overlapping(deps, { isOver, pick, sendingOf })

  try {
    for (;;) {
      const next = await decide()
      await letters.landed()
      if (next.do !== 'wait' || isOver()) return { ...counts, ...next }
      const beside = known?.inHand ?? []
      const isShort = next.blockedBy === 'gap' && next.delayMs <= shortMs
      if (!isShort && (beside.length === 0 || next.writes || next.trouble))
        return { ...counts, ...next }
      await pause(isShort ? next.delayMs : Math.min(next.delayMs, inFlightPollMs), beside)
    }
  } finally {
    await letters.over()
    if (cancelSignal()?.aborted) await untilOwnOver()
    stopBeating()
  }

  /** The run ends after its letters: waits for those that this process is sending. */
  async function untilOwnOver() {
    for (const { id, epoch } of await listClaimed(db, input.campaign))
      if (epoch === input.epoch) await findUnderway(id)
  }

  async function decide(): Promise<Next> {
    for (;;) {
      const now = clock.now()
      const found = await look(now)
      if (!found) {
        await untilOwnOver()
        const left = await settleLeft(deps, input, counts)
        // Letters that a later run is sending are its own.
        if (left.some(({ isOwn }) => isOwn))
          throw trouble(
            'busy',
            'Another worker is sending a letter of the run, which ends after it.',
            {
              nextRetryDelay: inFlightPollMs,
            },
          )
        return { do: 'end' }
      }
      const { run, facts, readAt } = found
      // Others were claimed or settled meanwhile.
      if (facts.inFlight !== 0 || (await releaseStranded(db, run, facts, now))) {
        known = undefined
        continue
      }
      const pace = paceOf(facts, now)
      const prepared = await letters.takeAhead(found, pace)
      const letter = prepared?.letter ?? (await pick(found, pace, now))
      if (letter) {
        if (last?.refused && last.touch === letter.id) {
          last = undefined
          return waitsFor('in_flight', null, secondThoughtMs)
        }
        // Until then the operation shows what it waited for last.
        if (sent === 1) await operationRuns(db, input.operation)
        const { done, before = 'sent' } = await letters.send(
          found,
          sendingOf(found, pace, letter),
          prepared?.ready,
        )
        if (done === 'sent') sent++
        // What was refused because it was prepared too early is prepared again at once.
        last = { touch: letter.id, refused: done === 'refused' && !prepared }
        if (done !== 'sent' || before !== 'sent' || !isSwift(facts)) known = undefined
        if (isOver()) return { do: 'again' }
        continue
      }
      // What was read a moment ago is good enough to send a letter, but not to wait.
      if (readAt !== now) {
        known = undefined
        continue
      }
      if (facts.unplanned > 0 && (pace.now || pace.blockedBy === 'provider'))
        return { do: 'again', plan: true }
      return hold(found, pace, now)
    }
  }

  async function look(now: Date) {
    if (known && performance.now() - known.at < freshMs) return known
    // Letters that others are sending are looked for, so none may be in hand here.
    await letters.landed()
    const run = await findRun(db, input.campaign)
    if (run?.state !== 'running' || run.runEpoch !== input.epoch) return undefined
    const facts = await findCampaignFacts(db, run, now)
    const inHand = facts.inFlight > 0 ? await settleLeft(deps, input, counts) : []
    facts.inFlight -= inHand.length
    for (const sender of facts.senders) {
      sender.problem ??= troubled.has(sender.id) ? 'tried' : null
      sender.isSending = inHand.some(({ connection }) => connection === sender.id)
    }
    known = { run, facts, readAt: now, at: performance.now(), inHand, accounts: new Map() }
    return known
  }

  async function pick({ run, facts: { agreed, behind } }: Known, pace: Pace, now: Date) {
    if (!pace.now && pace.blockedBy !== 'provider') return undefined
    const connections = pace.senders.filter((id) => !troubled.has(id))
    if (connections.length === 0) return undefined
    const written = deps.model !== undefined
    return readNextTouch(db, { campaign: run.id, agreed, connections, behind, now, written })
  }

  function sendingOf({ run, facts }: Known, pace: Pace, letter: NextTouch): Sending {
    const { epoch, asked } = input
    return { run, facts, pace, letter, epoch, asked, counts, troubled }
  }

  /** Nothing may go: says why, and books the turns that the campaign waits for. */
  async function hold({ run, facts, inHand }: Known, earlier: Pace, now: Date): Promise<Next> {
    const pace = (await bookTurns(run, facts, earlier, now)) ? paceOf(facts, now) : earlier
    if (
      pace.blockedBy !== 'gap' &&
      pace.blockedBy !== 'in_flight' &&
      facts.senders.some(({ booked }) => booked)
    )
      await leaveTurns(db, run.id)
    const writes = roomForReview(pace, facts) > 0 || (await countToWrite(deps, run, facts, now)) > 0
    const held = isUnwritten(pace, writes)
      ? waitsFor('in_flight', null, modelPollMs)
      : holdingOf(pace, facts, now)
    // What comes of a letter that is being sent may change all this.
    if (inHand.length > 0) {
      if (held.blockedBy === 'nobody_left') held.blockedBy = 'in_flight'
      held.delayMs = Math.min(held.delayMs, besidePollMs)
    }
    const [soonest] = [...troubled].sort(([, a], [, b]) => a.delayMs - b.delayMs)
    if (held.blockedBy !== 'in_flight')
      await operationWaits(db, input.operation, held.blockedBy, pace.nextAt)
    const returned = held.blockedBy === 'nobody_left' ? await countReturned(db, run.id) : 0
    return {
      ...held,
      ...(returned > 0 && { returned }),
      ...(soonest &&
        held.blockedBy === 'provider' && {
          delayMs: Math.min(held.delayMs, soonest[1].delayMs),
          trouble: { connection: soonest[0], text: soonest[1].text },
        }),
      ...(writes && { writes }),
    }
  }

  // Letters may go, but none of them is written.
  function isUnwritten(pace: Pace, writes: boolean) {
    return pace.now && writes && deps.model !== undefined
  }

  async function bookTurns(run: Run, { senders, queued }: CampaignFacts, pace: Pace, now: Date) {
    if (pace.blockedBy !== 'gap') return false
    const isDue = (account: Account) =>
      queued.some(
        ({ connection, dueAt }) => dueAt <= now && (connection ?? account.id) === account.id,
      )
    let booked = false
    for (const account of senders) {
      if (
        account.turnAt ||
        !isDue(account) ||
        holdOf(account, run.timezone, now)?.because !== 'gap'
      )
        continue
      account.turnAt = await takeTurn(db, account.id, run.id, now)
      booked = true
    }
    return booked
  }

  /** Until one of the letters in hand is over, if this process sends it. */
  async function pause(ms: number, inHand: InHand[]) {
    const signals = [deps.stopping, cancelSignal()].filter((signal) => signal !== undefined)
    const resting = sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => {})
    await Promise.race([resting, ...inHand.flatMap(({ id }) => findUnderway(id) ?? [])])
    known = undefined
  }
}
