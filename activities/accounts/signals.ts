import type { SendingRecord } from '../../db/accounts/sending-record.ts'
import type { HealthLevel, Signal } from '../../db/accounts/tables.ts'
import type { DomainRecords } from '../ports/dns.ts'

// What speaks for and against an account: each signal comes with its facts, and the worst one is the account's level. Pure. The
// thresholds are those that large providers publish for bulk senders: complaints below 0.1 % and never 0.3 %, authentication by
// SPF, DKIM and DMARC (Google and Yahoo, February 2024); bounces below 2 %, trouble from 5 %.

const order: HealthLevel[] = ['normal', 'caution', 'restricted', 'blocked']

/** The worst of the signals' levels; unknown only if all are unknown. */
export const levelOf = (signals: Signal[]): HealthLevel =>
  signals.reduce<HealthLevel>(
    (worst, { level }) => (order.indexOf(level) > order.indexOf(worst) ? level : worst),
    signals.some(({ level }) => level !== 'unknown') ? 'normal' : 'unknown',
  )

const scores: Record<string, number> = { normal: 100, unknown: 50, caution: 50, restricted: 20 }

const signal = (key: string, level: HealthLevel, facts: Record<string, unknown>): Signal => ({
  key,
  level,
  score: scores[level] ?? 0,
  facts,
})

/** Whether we can log in to the account, or its bridge answers. */
export const accessSignal = (key: 'login' | 'bridge', problem: string | null): Signal =>
  problem === null
    ? signal(key, 'normal', {})
    : signal(key, problem === 'consent_needed' ? 'caution' : 'blocked', { problem })

/** Whether incoming mail is read; without it, a reply stops nothing. */
export const mailboxSignal = (problem: string | null): Signal =>
  signal('mailbox', problem === null ? 'normal' : 'caution', problem === null ? {} : { problem })

/** Whether the domain's DNS records allow our mail. If the DNS cannot be asked about the domain, the signal has no level. */
export function domainSignals(records: DomainRecords | undefined): Signal[] {
  if (!records) return ['spf', 'dkim', 'dmarc'].map((key) => signal(key, 'unknown', {}))
  const { domain, spf, dkim, dmarc } = records
  const open = spf.some((text) => /\s\+?all\b/i.test(text))
  const spfLevel = spf.length !== 1 ? 'caution' : open ? 'restricted' : 'normal'
  // Without the configured selector, the key may be under a name that was not guessed, so a missing key proves nothing.
  const dkimLevel = dkim === null ? 'unknown' : dkim.found ? 'normal' : 'caution'
  return [
    signal('spf', spfLevel, { domain, records: spf.length, open }),
    signal('dkim', dkimLevel, { domain, selector: dkim?.selector ?? null }),
    signal('dmarc', dmarc.length === 1 ? 'normal' : 'caution', {
      domain,
      records: dmarc.length,
      policy: /;\s*p=(\w+)/i.exec(dmarc[0] ?? '')?.[1]?.toLowerCase() ?? null,
    }),
  ]
}

type Bound = { floor: number; caution: number; restricted: number; blocked: number }

// With fewer letters than its floor a rate says nothing: a single bad letter would decide it.
const bounds = {
  bounces: { floor: 20, caution: 0.02, restricted: 0.05, blocked: 0.1 },
  complaints: { floor: 100, caution: 0.001, restricted: 0.003, blocked: 0.01 },
  provider: { floor: 10, caution: 0.1, restricted: 0.3, blocked: 0.6 },
} satisfies Record<string, Bound>

function rateSignal(key: keyof typeof bounds, count: number, of: number): Signal {
  const { floor, caution, restricted, blocked } = bounds[key]
  const rate = of > 0 ? count / of : 0
  const facts = { count, of, rate: Math.round(rate * 10_000) / 10_000, floor }
  if (of < floor) return signal(key, 'normal', facts)
  if (rate >= blocked) return signal(key, 'blocked', facts)
  if (rate >= restricted) return signal(key, 'restricted', facts)
  return signal(key, rate >= caution ? 'caution' : 'normal', facts)
}

const dayMs = 24 * 60 * 60 * 1000
const youngDays = 14
// A new account may send `rampFloor` letters on any day, and beyond that up to `steepest` times its usual day.
const rampFloor = 50
const steepest = 4

/** The account's record, and whether its volume grows faster than providers like. */
export function recordSignals(record: SendingRecord, now: Date): Signal[] {
  const { sent, bounced, refused, complaints, firstSentAt, usedToday, usualDay } = record
  const days = firstSentAt ? Math.floor((now.getTime() - firstSentAt.getTime()) / dayMs) : 0
  const young = days < youngDays
  const allowed = Math.max(rampFloor, steepest * usualDay)
  return [
    rateSignal('bounces', bounced, sent),
    rateSignal('complaints', complaints, sent),
    rateSignal('provider', refused, sent + refused),
    signal('ramp', young && usedToday > allowed ? 'caution' : 'normal', {
      days,
      usedToday,
      usualDay: Math.round(usualDay),
      allowed: Math.round(allowed),
    }),
  ]
}
