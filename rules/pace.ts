import { DateTime } from 'luxon'

// Pure rules of time: which day, which week, when campaign letters may go and what holds them. No clock, no I/O: "now" is
// always given. Used by the API and by activities; workflow code gets instants from activities, because zone data changes
// with Node.

/** Working hours: HH:MM in an IANA zone, days off as mon…sun or YYYY-MM-DD. */
export type Hours = { zone: string; from: string; to: string; daysOff: string[] }

/** The day of an instant in a zone, YYYY-MM-DD. */
export const dayIn = (zone: string, at: Date): string => local(zone, at).toISODate() as string

/** The Monday of the week of an instant in a zone, YYYY-MM-DD. */
export const mondayIn = (zone: string, at: Date): string =>
  local(zone, at).startOf('week').toISODate() as string

/** The first instant of the day after, of the week after. */
export const nextDayIn = (zone: string, at: Date): Date =>
  local(zone, at).plus({ days: 1 }).startOf('day').toJSDate()
export const nextMondayIn = (zone: string, at: Date): Date =>
  local(zone, at).plus({ weeks: 1 }).startOf('week').toJSDate()

/** The same time of day `n` weekdays (Monday to Friday) later, in a zone. */
export function addWeekdays(zone: string, at: Date, n: number): Date {
  let day = local(zone, at)
  for (let left = n; left > 0; ) {
    day = day.plus({ days: 1 })
    if (day.weekday <= 5) left--
  }
  return day.toJSDate()
}

const local = (zone: string, at: Date) => DateTime.fromJSDate(at, { zone })

const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Campaign letters go on weekdays; what a member asked for goes on every day the agent works. */
type Days = 'weekdays' | 'every day'

/** Whether a day is a weekend, a day off, or one to work on. */
function kindOf(hours: Hours, day: DateTime, days: Days): 'weekend' | 'off' | 'work' {
  if (day.weekday > 5 && days === 'weekdays') return 'weekend'
  const off = hours.daysOff.map((name) => name.toLowerCase())
  return off.includes(names[day.weekday - 1] as string) || off.includes(day.toISODate() as string)
    ? 'off'
    : 'work'
}

// A clock time of a day. Setting it, rather than adding minutes to midnight, is right on days that have 23 or 25 hours.
const atTime = (day: DateTime, time: string) => {
  const minutes = minutesOf(time)
  return minutes >= 24 * 60
    ? day.plus({ days: 1 }).startOf('day')
    : day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 })
}

export type Window =
  | { open: true; closesAt: Date }
  /** opensAt is null when the hours never open. */
  | { open: false; because: 'weekend' | 'hours'; opensAt: Date | null }

/** Whether campaign letters may go at an instant, by the agent's hours; on a weekend only if `days` says so. */
export function windowAt(hours: Hours, at: Date, days: Days = 'weekdays'): Window {
  const today = local(hours.zone, at)
  const kind = kindOf(hours, today, days)
  if (kind === 'work' && today >= atTime(today, hours.from) && today < atTime(today, hours.to))
    return { open: true, closesAt: atTime(today, hours.to).toJSDate() }
  return {
    open: false,
    because: kind === 'weekend' ? 'weekend' : 'hours',
    opensAt: nextOpening(hours, at, days),
  }
}

// Days off may be dates, so no week repeats for sure; more than a year of them means never.
const horizonDays = 400

/** The first instant from `at` on at which letters may go; null when there is none within a year. */
export function nextOpening(hours: Hours, at: Date, days: Days = 'weekdays'): Date | null {
  const start = local(hours.zone, at)
  for (let i = 0; i <= horizonDays; i++) {
    const day = start.plus({ days: i })
    if (kindOf(hours, day, days) !== 'work') continue
    const from = atTime(day, hours.from)
    if (i > 0 || start < from) return from.toJSDate()
    if (start < atTime(day, hours.to)) return at
  }
  return null
}

export type Sender = {
  id: string
  alive: boolean
  health: string
  /** A safe code while its account cannot be opened. */
  problem: string | null
  limitDay: number
  limitWeek: number
  gapSeconds: number
  lastClaimAt: Date | null
  /** While its mail server gives no answer to what it takes. */
  restsUntil: Date | null
  usedDay: number
  usedWeek: number
}

/** Limits as they are in force: caution halves them, and leaves at least one where there is one. */
export const limitsOf = (sender: Pick<Sender, 'health' | 'limitDay' | 'limitWeek'>) => {
  const part = sender.health === 'caution' ? 0.5 : 1
  const inForce = (limit: number) => Math.max(Math.floor(limit * part), Math.min(limit, 1))
  return { day: inForce(sender.limitDay), week: inForce(sender.limitWeek) }
}

/** Whether campaigns may write through an account at all. */
export const mayWrite = ({ alive, health }: { alive: boolean; health: string }) =>
  alive && health !== 'restricted' && health !== 'blocked'

export type SenderHold = {
  because: 'day_limit' | 'week_limit' | 'provider' | 'gap'
  until: Date
}

/** What keeps one account from sending a campaign letter now; undefined when nothing does. `zone` is the workspace's. */
export function holdOf(sender: Sender, zone: string, now: Date): SenderHold | undefined {
  const limits = limitsOf(sender)
  if (sender.usedWeek >= limits.week)
    return { because: 'week_limit', until: nextMondayIn(zone, now) }
  if (sender.usedDay >= limits.day) return { because: 'day_limit', until: nextDayIn(zone, now) }
  if (sender.restsUntil && sender.restsUntil > now)
    return { because: 'provider', until: sender.restsUntil }
  const free = (sender.lastClaimAt?.getTime() ?? 0) + sender.gapSeconds * 1000
  return free > now.getTime() ? { because: 'gap', until: new Date(free) } : undefined
}

/** Everything that may hold the letters of a campaign; docs/operating.md says of each what to do. */
export const blockedBys = [
  'draft',
  'paused',
  'done',
  'weekend',
  'hours',
  'day_limit',
  'week_limit',
  'gap',
  'review',
  'health',
  'no_sender',
  'no_agent',
  'provider',
  'nobody_left',
] as const
export type BlockedBy = (typeof blockedBys)[number]

export type Facts = {
  state: 'draft' | 'running' | 'paused' | 'done'
  /** Of the workspace: budgets are counted by its days. */
  zone: string
  agent: { enabled: boolean; hours: Hours } | null
  senders: Sender[]
  /** Letters of agreed places that are queued: the earliest instant for each account they are bound to (null: any). */
  queued: { connection: string | null; dueAt: Date }[]
  /** Letters that wait for their place to be agreed: due and not written, or written and in review. */
  unagreed: number
  /** A follow-up is due whose account's mailbox has not been read: an answer may lie there. */
  unseen: boolean
  /** People of the segment who have no letter planned yet. */
  unplanned: number
  inFlight: number
}

export type Pace = {
  /** Whether a letter may be claimed at this instant. */
  now: boolean
  blockedBy: BlockedBy | null
  /** When that changes by itself; null when only a person can change it. */
  nextAt: Date | null
  /** When today's hours end. */
  endsAt: Date | null
  /** The accounts free to send now, those with most of their day left first; those in trouble only where all are. */
  senders: string[]
}

/**
 * What a campaign may do now, or what holds it and until when. What a person has to mend comes first, then the calendar,
 * then the letters, then the accounts.
 */
export function paceOf(facts: Facts, now: Date): Pace {
  const { state, agent, zone } = facts
  const held = (
    blockedBy: BlockedBy,
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
  if (!agent?.enabled) return held('no_agent')
  const living = facts.senders.filter(({ alive }) => alive)
  if (living.length === 0) return held('no_sender')
  const fit = living.filter(mayWrite)
  if (fit.length === 0) return held('health')
  const { queued, unagreed, unplanned, inFlight, unseen } = facts
  if (queued.length + unagreed + unplanned + inFlight === 0 && !unseen) return held('nobody_left')

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
  if (wanted.length === 0) return held(living.some(isWanted) ? 'health' : 'no_sender', null, endsAt)
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

/** How long a campaign will take from now: letters a day over weekdays, then the two follow-ups. An estimate. */
export function termOf(input: { left: number; senders: Sender[]; zone: string; now: Date }) {
  const perDay = input.senders.reduce((sum, sender) => {
    const limits = limitsOf(sender)
    return sum + Math.min(limits.day, limits.week / 5)
  }, 0)
  const firstLetters = perDay > 0 ? Math.ceil(input.left / perDay) : 0
  const weekdays = firstLetters + followUpWeekdays[2] + followUpWeekdays[3]
  return {
    weeks: Math.max(1, Math.ceil(weekdays / 5)),
    ends: dayIn(input.zone, addWeekdays(input.zone, input.now, weekdays)),
    approx: true,
  }
}

/** Weekdays between a letter and the one before it, by place. */
export const followUpWeekdays = { 2: 3, 3: 5 } as const
