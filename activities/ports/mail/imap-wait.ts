import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Call } from './imap-calls.ts'
import { MailTrouble } from './smtp.ts'

// Waiting for mail in the current folder: with IDLE (RFC 2177) where the server takes it, otherwise by asking.

// How often a folder is polled. An IDLE that the server ends sooner, as it does by refusing it, costs more than that.
const pollMs = 20_000
/** After so long, a server that has ended IDLE early is asked for it again. */
const refusedForMs = 15 * 60_000

/** Answers `waitForMail` of a client (imap.ts). */
export function openWaiting(client: ImapFlow, call: Call) {
  let refusedAt = Number.NEGATIVE_INFINITY
  const takesIdle = () =>
    client.capabilities.has('IDLE') && performance.now() - refusedAt > refusedForMs

  const noop = () => call(client.noop())

  return async function waitForMail(ms: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + ms
    let isNews = false
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
        const left = until - performance.now()
        if (takesIdle()) await idle(left, over.signal)
        else {
          await pause(Math.min(left, pollMs), over.signal)
          if (!over.signal.aborted) await noop()
        }
        if (!client.usable) throw new MailTrouble('imap_unreachable')
      }
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
    } else if (client.usable) await noop()
    // The library ends IDLE for the next command.
    await call(idling)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
