import { sql } from 'kysely'
import type { Db } from './database.ts'

// What two processes compare is the time of the database: when an account may be tried again, whose turn it is, since when a mailbox is
// read. Machines' clocks differ, by milliseconds while they are kept in step and by any amount when they are not. So a process compares
// its own with the database's, goes by the database's where they differ, and says so.

/** From this difference on, the process says so. */
export const toldFromMs = 2_000
/** From this one on, it is not ready. */
export const notReadyFromMs = 10_000

const everyMs = 60_000
// A smaller difference is left as it is, so that the clock of a machine that is in step never moves by what a look is inexact.
const leftAloneMs = 500
// A look that takes longer says little. Of several, the quickest counts.
const quickMs = 100
const mostLooks = 3

export type MachineClock = {
  /** By how many milliseconds this machine's clock is ahead of the database's, as it was last found; negative if it is behind. */
  aheadMs(): number
  /** Now, by the database's clock. */
  now(): number
  /** Looks again. It fails, and nothing changes, while the database does not answer. */
  look(): Promise<void>
  stop(): void
}

/** The machine's clock, as it is. */
export const machineClock: MachineClock = {
  aheadMs: () => 0,
  now: () => Date.now(),
  look: async () => {},
  stop() {},
}

/** Compares the machine's clock with the database's, now and each minute, and calls `differs` each time that they do. */
export async function compareClocks(
  db: Db,
  differs: (aheadMs: number) => void = () => {},
  machine: () => number = Date.now,
): Promise<MachineClock> {
  let [aheadMs, correctedMs] = [0, 0]

  async function look() {
    const found = await findAhead(db, machine)
    aheadMs = found
    if (Math.abs(found - correctedMs) > leftAloneMs) correctedMs = found
    if (Math.abs(found) >= toldFromMs) differs(found)
  }
  await look()
  // What reports that the database is away is elsewhere.
  const timer = setInterval(() => void look().catch(() => {}), everyMs)
  timer.unref()
  return {
    aheadMs: () => aheadMs,
    now: () => machine() - correctedMs,
    look,
    stop: () => clearInterval(timer),
  }
}

/** To within half of what the look takes. */
async function findAhead(db: Db, machine: () => number): Promise<number> {
  let best: { tookMs: number; aheadMs: number } | undefined
  for (let looks = 0; looks < mostLooks && !(best && best.tookMs <= quickMs); looks++) {
    const begun = machine()
    const { rows } = await sql<{ at: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(db)
    const tookMs = machine() - begun
    const found = { tookMs, aheadMs: Math.round(begun + tookMs / 2 - (rows[0]?.at ?? begun)) }
    if (!best || (tookMs >= 0 && tookMs < best.tookMs)) best = found
  }
  return best?.aheadMs ?? 0
}
