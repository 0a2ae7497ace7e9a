import { holdOf, limitsOf, mayWrite, type Sender, type SenderHold } from './budgets.ts'
import type { CampaignState, WaitsFor } from './campaign.ts'
import { addWeekdays, dayIn, type Hours, nextOpening, windowAt } from './hours.ts'

// Whether a campaign may write now, and how long it will take.

export type Facts = {
  state: CampaignState
  /** Why the workspace is held, if it is. */
  heldWhy?: string | null
  /** The zone of the workspace: budgets are counted by its days. */
  zone: string
  agent: { enabled: boolean; hours: Hours } | null
  senders: Sender[]
  /** Queued letters of agreed places: the earliest instant for each account that they are bound to (null: any). */
  queued: { connection: string | null; dueAt: Date }[]
  /** Letters that wait for their place to be agreed: due and not written, or written and in review. */
  unagreed: number
  /** Letters are queued whose place is not agreed, whenever they are due. */
  notAgreed: boolean
  /** A follow-up is due, but its account's mailbox has not been read completely and may hold an answer. */
  unseen: boolean
  /** People of the segment who have no planned letter yet. */
  unplanned: number
  inFlight: number
}

export type Pace = {
  /** Whether a letter may be claimed at this instant. */
  now: boolean
  blockedBy: WaitsFor | null
  /** When that changes without a person; null if only a person can change it. */
  nextAt: Date | null
  /** When today's hours end. */
  endsAt: Date | null
  /** The accounts that are free to send now, those with the most units left today first; accounts in trouble only if all are. */
  senders: string[]
}

/**
 * What a campaign may do now, or what holds it and until when. Causes that a person has to fix come first, then the calendar,
 * then the letters, then the accounts.
 */
export function paceOf(facts: Facts, now: Date): Pace {
  const { state, agent, zone } = facts
  const held = (
    blockedBy: WaitsFor,
    nextAt: Date | null = null,
    endsAt: Date | null = null,
  ): Pace => ({
    now: false,
    blockedBy,
    nextAt,
    endsAt,
    senders: [],
  })
  if (state !== 'running') return held(state)
  if (facts.heldWhy != null) return held('held')
  if (!agent?.enabled) return held('no_agent')
  const living = facts.senders.filter(({ alive }) => alive)
  if (living.length === 0) return held('no_sender')
  const healthy = living.filter(mayWrite)
  if (healthy.length === 0) return held('health')
  const fit = healthy.filter(({ heldWhy }) => heldWhy == null)
  if (fit.length === 0) return held('held')
  const { queued, unagreed, unplanned, inFlight, unseen } = facts
  if (queued.length + unagreed + unplanned + inFlight === 0 && !unseen)
    return held(facts.notAgreed ? 'letter_not_agreed' : 'nobody_left')

  const window = windowAt(agent.hours, now)
  if (!window.open) return held(window.because, window.opensAt)
  const endsAt = window.closesAt
  const opening = (at: Date) => nextOpening(agent.hours, at)

  const due = queued.filter(({ dueAt }) => dueAt <= now)
  if (due.length === 0 && unplanned === 0 && inFlight === 0) {
    const next = earliest(queued.map(({ dueAt }) => dueAt))
    const because = unagreed > 0 ? 'review' : unseen ? 'provider' : 'nobody_left'
    return held(because, next && opening(next), endsAt)
  }

  const bound = due.every(({ connection }) => connection !== null) && due.length > 0
  const isWanted = ({ id }: Sender) => !bound || due.some(({ connection }) => connection === id)
  const wanted = fit.filter(isWanted)
  if (wanted.length === 0) {
    const because = healthy.some(isWanted) ? 'held' : living.some(isWanted) ? 'health' : 'no_sender'
    return held(because, null, endsAt)
  }
  const held_ = wanted.map((sender) => ({ sender, hold: holdOf(sender, zone, now) }))
  const free = held_.filter(({ hold }) => !hold).map(({ sender }) => sender)
  if (free.length === 0) {
    const first = held_
      .map(({ hold }) => hold as SenderHold)
      .sort((a, b) => +a.until - +b.until)[0] as SenderHold
    return held(first.because, opening(first.until), endsAt)
  }
  const well = free.filter(({ problem }) => problem === null)
  const left = (sender: Sender) => limitsOf(sender).day - sender.usedDay
  const senders = (well.length > 0 ? well : free)
    .sort((a, b) => left(b) - left(a))
    .map(({ id }) => id)
  if (well.length === 0) return { now: false, blockedBy: 'provider', nextAt: null, endsAt, senders }
  return { now: true, blockedBy: null, nextAt: now, endsAt, senders }
}

const earliest = (instants: Date[]): Date | null =>
  instants.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null)

/** Why what a campaign would do is held; undefined if nothing is. */
export const reasonOfHold = ({ heldWhy, senders }: Pick<Facts, 'heldWhy' | 'senders'>) =>
  heldWhy ?? senders.find((sender) => sender.heldWhy != null)?.heldWhy ?? undefined

/** An estimate of how long a campaign will take from now: so many letters a day over weekdays, then the follow-ups. */
export function termOf(input: {
  left: number
  /** The weekdays before each follow-up. */
  waitDays: number[]
  senders: Sender[]
  zone: string
  now: Date
}) {
  const perDay = input.senders.reduce((sum, sender) => {
    const limits = limitsOf(sender)
    return sum + Math.min(limits.day, limits.week / 5)
  }, 0)
  const firstLetters = perDay > 0 ? Math.ceil(input.left / perDay) : 0
  const weekdays = input.waitDays.reduce((sum, days) => sum + days, firstLetters)
  return {
    weeks: Math.max(1, Math.ceil(weekdays / 5)),
    ends: dayIn(input.zone, addWeekdays(input.zone, input.now, weekdays)),
    approx: true,
  }
}
