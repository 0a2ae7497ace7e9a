// How long an account waits after a login that failed. Providers lock accounts that fail to log in again and again.

const minute = 60_000

/** refused: the server does not take the login. passing: it cannot for now. unreachable: it did not come to a login. */
export type LoginFailure = 'refused' | 'passing' | 'unreachable'

export const loginPauses: Record<LoginFailure, { firstMs: number; longestMs: number }> = {
  refused: { firstMs: 15_000, longestMs: 60 * minute },
  passing: { firstMs: minute, longestMs: 15 * minute },
  unreachable: { firstMs: 1_000, longestMs: minute },
}

const mostInHour = 4
const hourMs = 60 * minute

/**
 * The pause after one more failure. `lastMs` is the pause before it (0 if it is the first), `failedAt` are the refused logins of
 * the last hour with this one: after four of them, the next is an hour after the first.
 */
export function pauseAfter(
  failure: LoginFailure,
  {
    lastMs,
    failedAt,
    now,
    firstMs,
  }: { lastMs: number; failedAt: Date[]; now: Date; firstMs?: number | undefined },
): number {
  const pause = loginPauses[failure]
  const ms = Math.min(Math.max(firstMs ?? pause.firstMs, 2 * lastMs), pause.longestMs)
  const first = failedAt.at(-mostInHour)
  if (failure !== 'refused' || failedAt.length < mostInHour || !first) return ms
  return Math.max(ms, first.getTime() + hourMs - now.getTime())
}
