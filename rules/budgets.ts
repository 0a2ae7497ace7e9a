import { nextDayIn, nextMondayIn } from './hours.ts'

// What a sending account may send in campaigns, and what keeps it from that.

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

/** The levels of health that forbid campaign letters. What a member asked for is sent all the same. */
export const unfitLevels: readonly string[] = ['restricted', 'blocked']

/** Whether campaigns may write through an account at all. */
export const mayWrite = ({ alive, health }: { alive: boolean; health: string }) =>
  alive && !unfitLevels.includes(health)

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
