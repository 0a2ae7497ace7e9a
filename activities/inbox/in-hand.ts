import { type Leave, openPlaces, type Places } from '../../process/limits/places.ts'
import type { Arrived, Mailbox } from '../ports/mail/imap.ts'

// Mail that was fetched stays in this process's memory until it is stored, and may wait long for its turn to be parsed. So all
// mailboxes together may hold only so much, and workspaces take turns.

const mebibyte = 1024 * 1024
/** A longer mail is cut here. Files of 25 MiB, the most that a message of ours may have, make a mail of 34.2 MiB. */
export const maxBytes = 40 * mebibyte
/** The limit for new mail and, separately, for old mail, which nobody waits for. */
export const newsInHand = openPlaces({ name: 'new_mail_bytes', all: 96 * mebibyte })
export const pastInHand = openPlaces({ name: 'old_mail_bytes', all: 48 * mebibyte })
// How often a waiting reader reports that it waits.
const saidEveryMs = 20_000

/** What is needed of a mailbox. */
type Fetching = Pick<Mailbox, 'fetch'> & {
  waitForMail(ms: number, signal: AbortSignal): Promise<unknown>
}

type Turn = {
  workspace: string
  budget: Places
  signal: AbortSignal
  /** Called from time to time during the wait. */
  waits?: () => Promise<unknown>
}

/** Fetches mails by UID, as Mailbox.fetch does, once there is room for them; call `release` when they are stored. */
export async function fetchInTurn(
  mailbox: Fetching,
  mails: Pick<Arrived, 'uid' | 'size'>[],
  turn: Turn,
): Promise<{ raws: Map<number, Buffer>; release: () => void }> {
  if (mails.length === 0) return { raws: new Map(), release: () => {} }
  const bytes = mails.reduce((sum, { size }) => sum + Math.min(size, maxBytes), 0)
  const release = await room(mailbox, bytes, turn)
  try {
    const uids = mails.map(({ uid }) => uid)
    return { raws: await mailbox.fetch(uids, maxBytes), release }
  } catch (error) {
    release()
    throw error
  }
}

async function room(
  mailbox: Pick<Fetching, 'waitForMail'>,
  bytes: number,
  { workspace, budget, signal, waits }: Turn,
): Promise<Leave> {
  const withdrawn = new AbortController()
  const taken = budget.take(workspace, {
    weight: bytes,
    signal: AbortSignal.any([signal, withdrawn.signal]),
  })
  const over = new AbortController()
  const end = () => over.abort()
  taken.then(end, end)
  try {
    // If there is room at once, `taken` has settled after this.
    await Promise.resolve()
    // The server hangs up on a client that is silent for long.
    while (!over.signal.aborted) {
      await mailbox.waitForMail(saidEveryMs, over.signal)
      if (!over.signal.aborted) await waits?.()
    }
  } catch (error) {
    withdrawn.abort()
    taken.then(
      (release) => release(),
      () => {},
    )
    throw error
  }
  return taken
}
