import { setTimeout as sleep } from 'node:timers/promises'
import { noteBehind, readerWorkflowId } from '../../../db/accounts/mailboxes.ts'
import { noteProblem } from '../../../db/accounts/problems.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import { enqueueSignal } from '../../../db/operations/outbox.ts'
import { openThinning } from '../../../process/telemetry/thinned.ts'
import { passes } from '../../../rules/answers/causes.ts'
import { pauseAfter } from '../../../rules/answers/login-pauses.ts'
import { whatToDo } from '../../../rules/oauth.ts'
import type { Deps } from '../../deps.ts'
import { MailTrouble, whyOfMail } from '../../ports/mail/smtp.ts'
import { openBell } from './bell.ts'
import { turnAt } from './hosts.ts'
import { openMind } from './mind.ts'
import { LoginDeferred, NoPlace, openMailbox } from './open-mailbox.ts'
import { sit } from './session.ts'

// Reads one mailbox, in one session after the other, until told to stop.

const longestPauseMs = 20_000
// Until its next turn at a host that takes few sessions, an account counts as read for this long.
const unreadAfterMs = 3 * 60_000
// A session whose server does not answer is ended by force after this time.
const endsWithinMs = 5_000
// A host that has no place for another session counts those that have just ended for a moment.
const placeMs = 1_000
const often = openThinning()

/** How a mailbox is doing, for the counts of whoever reads its set. */
export type Condition = 'reading' | 'read' | 'troubled'

export type MailboxReader = {
  condition(): Condition
  /** Letters wait to be filed. */
  file(): void
  /** Ends its session. */
  stop(): Promise<void>
}

/** `before`: the reading that it follows, if there was one. */
export function startMailbox(
  deps: Deps,
  reader: Reader,
  holder: string,
  before?: Promise<void>,
): MailboxReader {
  const stopping = new AbortController()
  const stop = stopping.signal
  const bell = openBell()
  // Letters may have been sent while nobody read it.
  bell.ring()
  const mind = openMind()
  let condition: Condition = 'reading'
  let failures = 0
  let pauseMs = 0
  let told = ''
  let left: NodeJS.Timeout | undefined

  async function session() {
    const host =
      reader.mode === 'sandbox' ? reader.mode : `${reader.imap?.host}:${reader.imap?.port}`
    const turn = await turnAt(host, reader.id, stop)
    if (!turn) return
    try {
      const mailbox = await openMailbox(deps, reader, turn.tooMany)
      const end = () => setTimeout(() => void mailbox.close(), endsWithinMs).unref()
      stop.addEventListener('abort', end)
      try {
        await sit({ deps, reader, holder, mind, bell, turn, stop, whenRead }, mailbox)
      } finally {
        stop.removeEventListener('abort', end)
        await mailbox.close()
      }
    } finally {
      turn.leave()
    }
  }

  function whenRead() {
    clearTimeout(left)
    condition = 'read'
    failures = 0
    pauseMs = 0
    told = ''
  }

  async function run() {
    await before
    while (!stop.aborted) {
      left = setTimeout(() => void behind(), unreadAfterMs).unref()
      try {
        await session()
      } catch (error) {
        if (error instanceof NoPlace)
          await sleep(placeMs, undefined, { signal: stop, ref: false }).catch(() => {})
        else if (!stop.aborted) await failed(error)
      } finally {
        clearTimeout(left)
      }
    }
    await behind()
  }

  const behind = () => noteBehind(deps.db, { connection: reader.id, holder }).catch(() => {})

  async function failed(error: unknown) {
    condition = 'troubled'
    failures++
    await behind()
    pauseMs = error instanceof MailTrouble ? pauseFor(error) : quickPause()
    try {
      if (error instanceof MailTrouble) {
        const isNews = told !== error.code && (failures > 2 || pauseMs > longestPauseMs)
        const text = await tellTrouble(deps, reader, error, { pauseMs, isNews })
        if (isNews) told = error.code
        warn(error.code, text)
      } else warn('internal', 'a mailbox cannot be read', error)
    } catch (failure) {
      // Everything else reports a database that cannot be reached.
      warn('internal', 'a mailbox cannot be read', failure)
    }
    await sleep(pauseMs, undefined, { signal: stop, ref: false }).catch(() => {})
  }

  function warn(code: string, text: string, err?: unknown) {
    const again = often(`${reader.id} ${code}`)
    if (!again) return
    const nextTryAt = new Date(Date.now() + pauseMs).toISOString()
    const cause = { code, ...(err !== undefined && { err }) }
    deps.log.warn({ connection: reader.id, ...cause, ...again, nextTryAt }, text)
  }

  const quickPause = () => Math.min(1_000 * 2 ** Math.min(failures - 1, 10), longestPauseMs)

  function pauseFor(error: MailTrouble): number {
    if (error instanceof LoginDeferred) return error.waitMs
    if (!passes(error.code)) return quickPause()
    return pauseAfter('passing', { lastMs: pauseMs, failedAt: [], now: new Date() })
  }

  const running = run()
  return {
    condition: () => condition,
    file: bell.ring,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

// What is said of a mailbox that cannot be read.

// This signal only informs, so all other commands go first.
const priority = 4

/**
 * Notes the trouble, and shows it in the mailbox's handle. The sentence says what an operator needs: what is wrong, where, since
 * when, when it is tried again, and what can be done.
 */
async function tellTrouble(
  deps: Deps,
  { id, workspace, imap, oauth }: Reader,
  error: MailTrouble,
  { pauseMs, isNews }: { pauseMs: number; isNews: boolean },
): Promise<string> {
  const { db, clock, searchable } = deps
  const { code } = error
  const now = clock.now()
  const since = (await noteProblem(db, 'reading', id, code, now)) ?? now
  const todo = whatToDo(code, { id, oauth })
  const again =
    pauseMs < minute
      ? 'It is tried again within a minute'
      : `It is tried again in ${Math.round(pauseMs / minute)} min`
  const text = `The mailbox of ${id} cannot be read (${whyOfMail(error, imap)}) since ${since.toISOString()}.${todo ? ` ${todo}` : ''} ${again}; the update retryNow tries at once.`
  if (isNews) {
    const trouble = { code, text, connection: id, searchable: searchable?.() === true }
    await enqueueSignal(db, readerWorkflowId(workspace, id), 'troubled', [trouble], { priority })
  }
  return text
}
const minute = 60_000
