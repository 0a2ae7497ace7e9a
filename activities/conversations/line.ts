import { setTimeout as sleep } from 'node:timers/promises'

// The messages of an account that are due at one moment go in the order in which they were accepted, but their workflows wake in any
// order. Those that come before their turn wait here for a while, so that each is one attempt and nobody has to be woken again.

type Waiting = { dueAt: number; seq: bigint; wake(): void }

// What goes before the first of those that wait here may be sent by another process.
const lookMs = 100

/** The messages that wait for their turn in this process, by accounts, in the order in which they go. */
const lines = new Map<string, Waiting[]>()

type Place = { account: string; dueAt: Date; seq: string }
type Turn = {
  /** Whether no message goes before this one any more. */
  hasCome(): Promise<boolean>
  /** Whether there is time to wait. */
  goesOn(): boolean
}

/** Waits for the turn of a message; false if it does not come in the time that there is. */
export async function untilTurn({ account, ...place }: Place, turn: Turn): Promise<boolean> {
  const line = lines.get(account) ?? []
  lines.set(account, line)
  const own: Waiting = { dueAt: place.dueAt.getTime(), seq: BigInt(place.seq), wake() {} }
  const behind = line.findIndex((other) => isBefore(own, other))
  line.splice(behind < 0 ? line.length : behind, 0, own)
  let hasCome = false
  try {
    while (turn.goesOn()) {
      // Only the first asks.
      hasCome = line[0] === own && (await turn.hasCome())
      if (hasCome) return true
      const woken = new Promise<void>((resolve) => {
        own.wake = resolve
      })
      await Promise.race([woken, sleep(lookMs)])
    }
    return false
  } finally {
    line.splice(line.indexOf(own), 1)
    if (line.length === 0) lines.delete(account)
    // Whoever has its turn tells the next one when it has gone.
    else if (!hasCome) line[0]?.wake()
  }
}

const isBefore = (one: Waiting, other: Waiting) =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.seq < other.seq)

type Gone = { id: string; connection: string | null }

/** Messages that their servers have taken, while that is written down: the next ones go meanwhile. */
const taken = new Set<string>()

export const listTaken = (): string[] => [...taken]

export function isTaken({ id, connection }: Gone) {
  taken.add(id)
  wakeFirst(connection)
}

/** The message has gone, and that is written down; or it will not go for now. */
export function turnIsOver({ id, connection }: Gone) {
  taken.delete(id)
  wakeFirst(connection)
}

const wakeFirst = (account: string | null) => account && lines.get(account)?.[0]?.wake()
