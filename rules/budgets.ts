import { nextDayIn, nextMondayIn } from './hours.ts'
import { takingMs } from './outgoing.ts'

// How much a sending account may send in campaigns, and what keeps it from sending.

export type Sender = {
  id: string
  alive: boolean
  health: string
  /** A safe code while the account cannot be opened. */
  problem: string | null
  limitDay: number
  limitWeek: number
  gapSeconds: number
  lastClaimAt: Date | null
  /** Set while the account's mail server takes letters without answering. */
  restsUntil: Date | null
  /** When it is this campaign's turn, where several campaigns write through the account. */
  turnAt?: Date | null
  /** A letter of the campaign is being sent through it. */
  isSending?: boolean
  /** Why a host of the account is held. */
  heldWhy?: string | null
  usedDay: number
  usedWeek: number
}

/** The limits in force: caution halves them, but leaves at least one letter if the limit is not zero. */
export const limitsOf = (sender: Pick<Sender, 'health' | 'limitDay' | 'limitWeek'>) => {
  const part = sender.health === 'caution' ? 0.5 : 1
  const inForce = (limit: number) => Math.max(Math.floor(limit * part), Math.min(limit, 1))
  return { day: inForce(sender.limitDay), week: inForce(sender.limitWeek) }
}

/** The levels of health that forbid campaign letters. What a member asked for is sent nevertheless. */
export const unfitLevels: readonly string[] = ['restricted', 'blocked']

/** Whether campaigns may write through an account at all. */
export const mayWrite = ({ alive, health }: { alive: boolean; health: string }) =>
  alive && !unfitLevels.includes(health)

export type SenderHold = {
  because: 'day_limit' | 'week_limit' | 'provider' | 'in_flight' | 'gap'
  until: Date
}

/** What keeps an account from sending a campaign letter now; undefined if nothing does. `zone` is the workspace's. */
export function holdOf(sender: Sender, zone: string, now: Date): SenderHold | undefined {
  const limits = limitsOf(sender)
  if (sender.usedWeek >= limits.week)
    return { because: 'week_limit', until: nextMondayIn(zone, now) }
  if (sender.usedDay >= limits.day) return { because: 'day_limit', until: nextDayIn(zone, now) }
  if (sender.restsUntil && sender.restsUntil > now)
    return { because: 'provider', until: sender.restsUntil }
  if (sender.isSending) return { because: 'in_flight', until: new Date(now.getTime() + takingMs) }
  const gapEnds = (sender.lastClaimAt?.getTime() ?? 0) + sender.gapSeconds * 1000
  const free = Math.max(gapEnds, (sender.gapSeconds > 0 && sender.turnAt?.getTime()) || 0)
  return free > now.getTime() ? { because: 'gap', until: new Date(free) } : undefined
}

/** Of a new e-mail account for which nothing else is said. */
export const usualEmailLimits = { limitDay: 50, limitWeek: 250, gapSeconds: 30 }
