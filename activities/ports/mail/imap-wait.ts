import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Call } from './imap-calls.ts'
import { MailTrouble } from './smtp.ts'

// Waiting for mail in the current folder: with IDLE (RFC 2177) where the server takes it, otherwise by asking.

// How often a folder is polled. An IDLE that the server ends sooner, as it does by refusing it, costs more than that.
const pollMs = 20_000
/** After so long, a server that has ended IDLE early is asked for it again. */
const refusedForMs = 15 * 60_000
// The end of IDLE gives a server nothing to do: one that does not answer it has told nothing for as long as IDLE lasted.
const endsIdleWithinMs = 15_000

/** `opened` is to be told how many mails a folder had when it was opened; `waitForMail` is that of imap.ts. */
export function openWaiting(client: ImapFlow, call: Call) {
  let refusedAt = Number.NEGATIVE_INFINITY
  /** How many mails the folder had when it was last looked into. */
  let known = 0
  const takesIdle = () =>
    client.capabilities.has('IDLE') && performance.now() - refusedAt > refusedForMs

  const noop = () => call(client.noop())

  const count = () => (client.mailbox ? client.mailbox.exists : 0)
  const opened = (exists: number) => {
    known = exists
  }
  return { opened, waitForMail }

  async function waitForMail(ms: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + ms
    // It may have been said with the answer to another command.
    let isNews = count() > known
    const over = new AbortController()
    const end = () => over.abort()
    const news = ({ count, prevCount }: { count: number; prevCount: number }) => {
      if (count <= prevCount) return
      isNews = true
      end()
    }
    client.on('exists', news)
    client.on('close', end)
    signal.addEventListener('abort', end)
    try {
      while (!isNews && !signal.aborted && performance.now() < until) {
        // A timer may fire a moment before its time.
        const left = Math.ceil(until - performance.now()) + 1
        if (takesIdle()) await idle(left, over.signal)
        else {
          await pause(Math.min(left, pollMs), over.signal)
          if (!over.signal.aborted) await noop()
        }
        if (!client.usable) throw new MailTrouble('imap_unreachable')
      }
      known = count()
      return isNews
    } finally {
      client.off('exists', news)
      client.off('close', end)
      signal.removeEventListener('abort', end)
    }
  }

  async function idle(ms: number, signal: AbortSignal) {
    const began = performance.now()
    const ended = new AbortController()
    const end = () => ended.abort()
    const idling = client.idle().then(end, end)
    await pause(ms, AbortSignal.any([signal, ended.signal]))
    const lasted = performance.now() - began
    if (ended.signal.aborted) {
      if (!signal.aborted && lasted < Math.min(pollMs, ms)) refusedAt = performance.now()
    } else if (client.usable) await call(endIdle(), endsIdleWithinMs)
    await call(idling, endsIdleWithinMs)
  }

  /** As the library does it before the next command; it shows no other way. */
  async function endIdle() {
    const { preCheck } = client as unknown as { preCheck: false | (() => Promise<unknown>) }
    if (preCheck) await preCheck()
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
