import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionRow, findConnection } from '../../db/accounts/connections.ts'
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
import type { Db } from '../../db/database.ts'
import { operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { workspaceOf } from '../../db/operations/outbox.ts'
import { listClaimed } from '../../db/outgoing/letters-in-hand.ts'
import { holdOf } from '../../rules/budgets.ts'
import { type Pace, paceOf } from '../../rules/pace.ts'
import type { Asked, RunnerInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { attemptInHand, beating, cancelSignal, stopBeating, tellWith } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { countUnderway, findUnderway, keepUnderway } from '../outgoing/underway.ts'
import {
  besidePollMs,
  hasNothing,
  holdingOf,
  inFlightPollMs,
  modelPollMs,
  releaseStranded,
  roomForReview,
  type Wait,
  waitsFor,
} from './due.ts'
import { type InHand, settleLeft } from './left.ts'
import {
  type Counts,
  type Done,
  handLetter,
  prepareLetter,
  type Ready,
  type Troubled,
} from './send-letter.ts'
import { countToWrite } from './write-ahead.ts'

// What the runner of a campaign does, letter by letter: everything that may go now. One file, because a sitting is one loop over one
// state.

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
const sittings = bounded({ name: 'sittings', all: 100, ofKey: 25, waiting: 400 })
// Other letters wait this long for one that is with its server.
const slowMs = 3_000
// So many letters are left to themselves in a process, whatever their kind: each is in memory and has a session.
const mostLeft = 400

type Input = RunnerInput & Asked

/** What a sitting has read of its campaign. */
type Known = {
  run: Run
  facts: CampaignFacts
  readAt: Date
  at: number
  /** The letters that are being sent; the facts leave them out, and their accounts are busy. */
  inHand: InHand[]
  /** The accounts of its letters. */
  accounts: Map<string, Promise<ConnectionRow | undefined>>
}

/** A sitting of the runner of a campaign, and how far it has come. */
type Sitting = {
  deps: Deps
  input: Input
  isOver(): boolean
  counts: Counts
  /** The accounts that could not be opened in this sitting, and why. */
  troubled: Troubled
  known: Known | undefined
  last: { touch: string; refused: boolean } | undefined
  sent: number
  /** Letters that are being handed over or settled, until they are over, whatever comes of them. */
  handing: Set<Promise<Done>>
  /** The letter that was taken last, while that is written down. */
  landing: Promise<Done> | undefined
  /** The next letter, which is written while one is with its server. */
  ahead: { of: Known; next: Promise<Ready | undefined> } | undefined
}

export const sendDueActivities = (deps: Deps) => ({
  /**
   * Sends what may go now, one letter after the other, for some seconds, and says what holds the rest and until when. Safe to
   * retry: each letter is claimed before it is handed over, and one that an earlier attempt has claimed is settled first.
   */
  sendDue(input: Input): Promise<Sat> {
    return sittings(workspaceOf(input.operation), () => beating(() => sit(deps, input)))
  },
})

async function sit(deps: Deps, input: Input): Promise<Sat> {
  const began = performance.now()
  const isOver = () =>
    deps.stopping?.aborted === true ||
    cancelSignal()?.aborted === true ||
    performance.now() - began > sittingMs
  const sitting: Sitting = {
    deps,
    input,
    isOver,
    counts: {},
    troubled: new Map(),
    known: undefined,
    last: undefined,
    sent: 0,
    handing: new Set(),
    landing: undefined,
    ahead: undefined,
  }
  tellWith(() => sitting.counts)
  if (input.asked && attemptInHand() === 1)
    await hastenSenders(deps.db, input.campaign, deps.clock.now())
  try {
    for (;;) {
      const next = await sendAll(sitting)
      await landed(sitting)
      const { counts } = sitting
      if (next.do !== 'wait' || isOver()) return { ...counts, ...next }
      const beside = sitting.known?.inHand ?? []
      const isShort = next.blockedBy === 'gap' && next.delayMs <= shortMs
      if (!isShort && (beside.length === 0 || next.writes || next.trouble))
        return { ...counts, ...next }
      await pause(sitting, isShort ? next.delayMs : Math.min(next.delayMs, inFlightPollMs), beside)
    }
  } finally {
    while (sitting.handing.size > 0) await Promise.allSettled(sitting.handing)
    await sitting.ahead?.next
    if (cancelSignal()?.aborted) await untilOwnOver(sitting)
    stopBeating()
  }
}

/** Sends letters until none may go, and answers why. */
async function sendAll(sitting: Sitting): Promise<Next> {
  const { deps, input, isOver } = sitting
  const { db, clock } = deps
  for (;;) {
    const now = clock.now()
    const found = await look(sitting, now)
    if (!found) return endOf(sitting)
    const { run, facts, readAt } = found
    // Others were claimed or settled meanwhile.
    if (facts.inFlight !== 0 || (await releaseStranded(db, run, facts, now))) {
      sitting.known = undefined
      continue
    }
    const pace = paceOf(facts, now)
    const ahead = await takeAhead(sitting, found, pace)
    const letter = ahead?.letter ?? (await pick(sitting, found, pace, now))
    if (letter) {
      if (sitting.last?.refused && sitting.last.touch === letter.id) {
        sitting.last = undefined
        return waitsFor('in_flight', null, secondThoughtMs)
      }
      // Until then the operation shows what it waited for last.
      if (sitting.sent === 1) await operationRuns(db, input.operation)
      const ready = ahead ?? (await prepareLetter(deps, sendingOf(sitting, found, pace, letter)))
      const { done, before } =
        typeof ready === 'string'
          ? { done: ready, before: 'sent' as const }
          : await send(sitting, found, pace, ready)
      if (done === 'sent') sitting.sent++
      // What was refused because it was ready too early is looked for again at once.
      sitting.last = { touch: letter.id, refused: done === 'refused' && !ahead }
      if (done !== 'sent' || before !== 'sent' || !isSwift(facts)) sitting.known = undefined
      if (isOver()) return { do: 'again' }
      continue
    }
    // What was read a moment ago is good enough to send a letter, but not to wait.
    if (readAt !== now) {
      sitting.known = undefined
      continue
    }
    if (facts.unplanned > 0 && (pace.now || pace.blockedBy === 'provider'))
      return { do: 'again', plan: true }
    return hold(sitting, found, pace, now)
  }
}

/** The run is over once its letters are. @throws trouble while another worker sends one of them. */
async function endOf(sitting: Sitting): Promise<Next> {
  await untilOwnOver(sitting)
  const left = await settleLeft(sitting.deps, sitting.input, sitting.counts)
  // Letters that a later run is sending are its own.
  if (left.some(({ isOwn }) => isOwn))
    throw trouble('busy', 'Another worker is sending a letter of the run, which ends after it.', {
      nextRetryDelay: inFlightPollMs,
    })
  return { do: 'end' }
}

/** Waits for the letters of the run that this process is sending. */
async function untilOwnOver({ deps, input }: Sitting) {
  for (const { id, epoch } of await listClaimed(deps.db, input.campaign))
    if (epoch === input.epoch) await findUnderway(id)
}

/** What the sitting knows of its campaign, read again after a second; undefined if the run is over. */
async function look(sitting: Sitting, now: Date): Promise<Known | undefined> {
  const { deps, input, counts, troubled } = sitting
  if (sitting.known && performance.now() - sitting.known.at < freshMs) return sitting.known
  // Letters that others are sending are looked for, so none may be in hand here.
  await landed(sitting)
  const run = await findRun(deps.db, input.campaign)
  if (run?.state !== 'running' || run.runEpoch !== input.epoch) return undefined
  const facts = await findCampaignFacts(deps.db, run, now)
  const inHand = facts.inFlight > 0 ? await settleLeft(deps, input, counts) : []
  facts.inFlight -= inHand.length
  for (const sender of facts.senders) {
    sender.problem ??= troubled.has(sender.id) ? 'tried' : null
    sender.isSending = inHand.some(({ connection }) => connection === sender.id)
  }
  sitting.known = { run, facts, readAt: now, at: performance.now(), inHand, accounts: new Map() }
  return sitting.known
}

async function pick(
  { deps, troubled }: Sitting,
  { run, facts: { agreed, behind } }: Known,
  pace: Pace,
  now: Date,
) {
  if (!pace.now && pace.blockedBy !== 'provider') return undefined
  const connections = pace.senders.filter((id) => !troubled.has(id))
  if (connections.length === 0) return undefined
  const written = deps.model !== undefined
  return readNextTouch(deps.db, { campaign: run.id, agreed, connections, behind, now, written })
}

/** Whether letters may go one right after the other, because none of the accounts waits for anything in between. */
const isSwift = ({ senders }: CampaignFacts) => senders.every(({ gapSeconds }) => gapSeconds === 0)

const sendingOf = (
  { input, counts, troubled }: Sitting,
  { run, facts }: Known,
  pace: Pace,
  letter: NextTouch,
) => ({
  run,
  facts,
  pace,
  letter,
  epoch: input.epoch,
  asked: input.asked,
  counts,
  troubled,
})

/**
 * Writes the next letter while one is with its server; undefined if that is for its turn to find out. Without it, letters of one
 * account go at two thirds of the rate.
 */
async function writeNext(sitting: Sitting, known: Known): Promise<Ready | undefined> {
  try {
    const now = sitting.deps.clock.now()
    const pace = paceOf(known.facts, now)
    const letter = pace.now ? await pick(sitting, known, pace, now) : undefined
    const ready =
      letter && (await prepareLetter(sitting.deps, sendingOf(sitting, known, pace, letter)))
    return typeof ready === 'object' ? ready : undefined
  } catch {
    return undefined
  }
}

/** The letter that was written meanwhile, if what it was picked by still holds. */
async function takeAhead(sitting: Sitting, known: Known, pace: Pace): Promise<Ready | undefined> {
  const { ahead } = sitting
  sitting.ahead = undefined
  const ready = await ahead?.next
  const holds = ahead?.of === known && pace.now && ready && pace.senders.includes(ready.account.id)
  return holds ? ready : undefined
}

/**
 * Hands a letter over. Where no gap is kept, it answers `sent` as soon as the server has taken the letter, so that the next one is
 * claimed while that is written down; `before` is then the outcome of the letter before it. A server may take ten minutes: after
 * some seconds, the sitting goes on without that letter and its account (`moved`).
 */
async function send(sitting: Sitting, known: Known, pace: Pace, ready: Ready) {
  const { deps } = sitting
  const { facts, accounts } = known
  const { letter } = ready
  const taken = Promise.withResolvers<Done>()
  const slow = Promise.withResolvers<'slow'>()
  let timer: NodeJS.Timeout | undefined
  const now = deps.clock.now()
  const handing = handLetter(deps, ready, sendingOf(sitting, known, pace, letter), {
    account(id) {
      const account = accounts.get(id) ?? findConnection(deps.db, id)
      accounts.set(id, account)
      return account
    },
    claimed(account) {
      account.usedDay++
      account.usedWeek++
      account.lastClaimAt = now
      timer = setTimeout(() => countUnderway() < mostLeft && slow.resolve('slow'), slowMs)
      if (isSwift(facts) && !sitting.isOver())
        sitting.ahead = { of: known, next: writeNext(sitting, known) }
    },
    taken() {
      if (isSwift(facts)) taken.resolve('sent')
    },
  })
  sitting.handing.add(handing)
  const end = () => void sitting.handing.delete(handing)
  handing.then(end, end)
  const done = await Promise.race([taken.promise, handing, slow.promise]).finally(() =>
    clearTimeout(timer),
  )
  if (done === 'slow') leave(sitting, letter.id, handing)
  const before = (await landed(sitting)) ?? 'sent'
  if (done === 'slow') return { done: 'moved' as const, before }
  sitting.landing = handing
  return { done, before }
}

/**
 * Waits until the outcome of the letter before this one is written down; answers it, if there was one.
 * @throws what has kept it from being written down.
 */
async function landed(sitting: Sitting): Promise<Done | undefined> {
  const last = sitting.landing
  sitting.landing = undefined
  return last
}

/** Leaves a letter to itself. Should that fail, the letter is settled like one whose attempt is gone. */
function leave({ deps, handing: inHand }: Sitting, touch: string, handing: Promise<Done>) {
  inHand.delete(handing)
  const end = handing.catch((err) => deps.log.error({ touch, err }, 'a letter was not settled'))
  void keepUnderway(touch, end)
}

/** Nothing may go: says why, and books the turns that the campaign waits for. */
async function hold(
  { deps, input, troubled }: Sitting,
  { run, facts, inHand }: Known,
  earlier: Pace,
  now: Date,
): Promise<Next> {
  const { db } = deps
  const pace = (await bookTurns(db, run, facts, earlier, now)) ? paceOf(facts, now) : earlier
  if (
    pace.blockedBy !== 'gap' &&
    pace.blockedBy !== 'in_flight' &&
    facts.senders.some(({ booked }) => booked)
  )
    await leaveTurns(db, run.id)
  const writes = roomForReview(pace, facts) > 0 || (await countToWrite(deps, run, facts, now)) > 0
  // Letters may go, but none of them is written.
  const isUnwritten = pace.now && writes && deps.model !== undefined
  const held = isUnwritten
    ? waitsFor('in_flight', null, modelPollMs)
    : holdingOf(run.id, pace, facts, now)
  // What comes of a letter that is being sent may change all this.
  if (inHand.length > 0) {
    if (hasNothing(held.blockedBy)) held.blockedBy = 'in_flight'
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

async function bookTurns(
  db: Db,
  run: Run,
  { senders, queued }: CampaignFacts,
  pace: Pace,
  now: Date,
) {
  if (pace.blockedBy !== 'gap') return false
  const isDue = (account: Account) =>
    queued.some(
      ({ connection, dueAt }) => dueAt <= now && (connection ?? account.id) === account.id,
    )
  let booked = false
  for (const account of senders) {
    if (account.turnAt || !isDue(account) || holdOf(account, run.timezone, now)?.because !== 'gap')
      continue
    account.turnAt = await takeTurn(db, account.id, run.id, now)
    booked = true
  }
  return booked
}

/** Until one of the letters in hand is over, if this process sends it. */
async function pause(sitting: Sitting, ms: number, inHand: InHand[]) {
  const signals = [sitting.deps.stopping, cancelSignal()].filter((signal) => signal !== undefined)
  const resting = sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => {})
  await Promise.race([resting, ...inHand.flatMap(({ id }) => findUnderway(id) ?? [])])
  sitting.known = undefined
}
