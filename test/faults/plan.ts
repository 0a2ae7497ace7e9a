import { setTimeout as sleep } from 'node:timers/promises'
import type { Envelope } from '../../dev/stack/mail.ts'
import type { Message } from '../../dev/stack/mail-store.ts'
import { liesOf, lyingProfiles } from './lies.ts'
import { type Random, randomFrom } from './random.ts'
import type { Part } from './stack.ts'

// What a seed decides: which faults happen when, and what the client does meanwhile.

/** Points at which the worker ends itself (activities/handover.ts, activities/people/import-people.ts). */
const handoverPoints = ['before-claim', 'after-claim', 'after-handover', 'after-settle'] as const
const importPoints = ['before-batch', 'after-batch'] as const

export type Fault = { atMs: number } & (
  | { do: 'kill'; part: Part }
  | { do: 'away'; part: 'temporal' | 'postgres' | 'mail'; forMs: number }
  | { do: 'crash'; point: string }
  /** The worker freezes: what it holds is presumed lost, and then it continues. */
  | { do: 'freeze'; forMs: number }
)
/** How the campaign ends: everybody written to, held by the limit of the day, or stopped for good. */
export type Ending = 'all' | 'limited' | 'done'

export type Plan = ReturnType<typeof planOf>

export const people = 40
export const conversations = 10
export const messagesEach = 4

/** The faults of a seed fall into the first fourteen seconds of its campaign, when its messages and most letters go. */
export function planOf(seed: number) {
  const random = randomFrom(seed)
  // Apart, so that what else a seed decides stays as it is.
  const lying = randomFrom(seed + 1_000_000)
  const slow = randomFrom(seed + 2_000_000)
  const { integer, chance, pick } = random
  const ending: Ending = chance(0.6) ? 'all' : chance(0.6) ? 'limited' : 'done'
  const at = () => integer(300, 14_000)
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
  const outage = (): Fault => {
    const part = pick(['temporal', 'postgres'] as const)
    return chance(0.4)
      ? { atMs: at(), do: 'away', part, forMs: integer(500, 2_500) }
      : { atMs: at(), do: 'kill', part }
  }
  // With two workers, one works while the other is dead, and both dispatch the outbox.
  const workers = chance(0.25) ? 2 : 1
  const faults: Fault[] = [
    ...times(integer(0, 2), (): Fault => ({ atMs: at(), do: 'kill', part: 'api' })),
    ...times(integer(0, 1), (): Fault => ({ atMs: at(), do: 'kill', part: 'worker' })),
    ...times(
      integer(0, 1),
      (): Fault => ({ atMs: at(), do: 'crash', point: pick(handoverPoints) }),
    ),
    ...times(integer(1, 2), outage),
    ...times(integer(0, 1), (): Fault => ({ atMs: at(), do: 'away', part: 'mail', forMs: 1_000 })),
    ...times(
      workers === 1 && chance(0.15) ? 1 : 0,
      (): Fault => ({ atMs: at(), do: 'freeze', forMs: 10_000 }),
    ),
  ]
  return {
    seed,
    random,
    /** How the server of the mailboxes lies, and who writes. */
    mailboxes: { profile: lying.pick(lyingProfiles), rows: liesOf(lying), random: lying },
    /** Which letters the mail server answers late. */
    slow,
    ending,
    workers,
    /** Above what is sent in a day; or, for a limited campaign, below. */
    limitDay: ending === 'limited' ? integer(20, 32) : 200,
    /** What the first worker dies of, if anything. */
    firstCrash: chance(0.3) ? '' : chance(0.3) ? pick(importPoints) : pick(handoverPoints),
    apiDiesWhileSettingUp: chance(0.5),
    faults: faults.sort((a, b) => a.atMs - b.atMs),
    /** Each so many letters after the move before, a moment into the next one. */
    pauses: times(integer(1, 3), () => ({
      afterLetters: integer(1, 10),
      andMs: integer(0, 400),
      forMs: integer(300, 1_500),
    })),
    messages: times(conversations, () =>
      times(messagesEach, () => ({
        afterMs: integer(0, 2_500),
        /** Later by this; null: at once. */
        sendInMs: chance(0.2) ? integer(1_000, 4_000) : null,
      })),
    ),
  }
}

/** What the mail server does to a letter; deferrals wait 15 s, so there are few. */
export function mailFates({ integer, chance }: Random, slow: Random) {
  const left = { deferred: 2, refused: 1 }
  const happened = { dropped: 0, deferred: 0, refused: 0, late: 0 }
  const limited = (kind: 'deferred' | 'refused', probability: number) => {
    if (left[kind] === 0 || !chance(probability)) return false
    left[kind]--
    happened[kind]++
    return true
  }
  // Time for a move of the campaign, or for a death, before the claim and while a letter is handed over.
  const pause = () => sleep(integer(0, 80))
  // Longer than the other letters of its campaign wait for one.
  const late = async () => {
    if (happened.late === 3 || !slow.chance(0.08)) return
    happened.late++
    await sleep(slow.integer(3_500, 12_000))
  }
  // An account rests for a quarter of an hour after three letters in a row without an answer: longer than a run.
  const inRow = new Map<string, number>()
  const drop = (probability: number, from: string) => {
    const before = inRow.get(from) ?? 0
    const drops = before < 2 && chance(probability)
    if (!drops) return undefined
    inRow.set(from, before + 1)
    happened.dropped++
    return 'drop' as const
  }
  return {
    happened,
    script: {
      async onAuth() {
        await pause()
        return undefined
      },
      onRcpt: () => (limited('deferred', 0.01) ? { code: 450 } : undefined),
      async onData({ from }: Envelope) {
        await pause()
        if (limited('deferred', 0.01)) return { code: 451 }
        if (limited('refused', 0.01)) return { code: 554 }
        return drop(0.02, from)
      },
      async onAccepted({ from }: Message) {
        await pause()
        await late()
        const fate = drop(0.04, from)
        if (!fate) inRow.delete(from)
        return fate
      },
    },
  }
}
