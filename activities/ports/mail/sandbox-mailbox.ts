import { setTimeout as sleep } from 'node:timers/promises'
import {
  deliverDue,
  fetchArrived,
  inboxState,
  listArrived,
  nextArrival,
} from '../../../db/accounts/sandbox-letters.ts'
import type { Clock } from '../../../db/clock.ts'
import type { Db } from '../../../db/database.ts'
import type { FolderState, Mailbox } from './imap.ts'

// The mailbox of an account of a sandbox, as its reader sees it. It has an Inbox, in which the mails lie that have come back; what was
// sent counts as filed.

const inbox = 'INBOX'
const sent = 'Sent'
// Whoever keeps a mail calls. A call that was lost, and a clock that was set, cost this much.
const lookEveryMs = 15_000

/** `news`: aborted at the next call for this mailbox. */
type News = { next(): AbortSignal; close(): void }

export function openSandboxMailbox(
  { db, clock }: { db: Db; clock: Clock },
  account: string,
  news: News,
): Mailbox {
  const state = async (): Promise<FolderState> => {
    await deliverDue(db, account, clock.now())
    return { uidValidity: '1', ...(await inboxState(db, account)) }
  }
  const empty: FolderState = { uidValidity: '1', uidNext: 1, exists: 0 }

  return {
    tellsStates: true,
    sentPath: async () => sent,
    folders: async () => [{ role: 'inbox', path: inbox }],
    listFolders: async () => [{ path: inbox, name: inbox, use: null, state: await state() }],
    state: async (path) => (path === inbox ? state() : empty),
    open: async (path) => ({ path, ...(path === inbox ? await state() : empty) }),
    list: async (fromUid) => listArrived(db, account, fromUid),
    async fetch(uids, maxBytes) {
      const mails = await fetchArrived(db, account, uids)
      return new Map(mails.map(({ uid, mail }) => [uid, mail.subarray(0, maxBytes)]))
    },
    async header(uid) {
      const [found] = await fetchArrived(db, account, [uid])
      return found && headOf(found.mail)
    },
    async search(fromUid, at) {
      const mails = await listArrived(db, account, fromUid)
      return mails.filter(({ arrivedAt }) => !at || arrivedAt >= at).map(({ uid }) => uid)
    },
    async heads(uids) {
      const bytes = new Map(
        (await fetchArrived(db, account, uids)).map(({ uid, mail }) => [uid, mail]),
      )
      const listed = await listArrived(db, account, Math.min(...uids))
      return listed.flatMap((mail) => {
        const whole = bytes.get(mail.uid)
        return whole ? [{ ...mail, fields: headOf(whole), draft: false }] : []
      })
    },
    has: async () => true,
    createSent: async () => sent,
    append: async () => {},
    async waitForMail(ms, signal) {
      const called = news.next()
      const next = await nextArrival(db, account)
      const dueMs = next ? next.getTime() - clock.now().getTime() : lookEveryMs
      const pauseMs = Math.max(0, Math.min(ms, dueMs, lookEveryMs))
      await sleep(pauseMs, undefined, {
        signal: AbortSignal.any([signal, called]),
        ref: false,
      }).catch(() => {})
      if (signal.aborted) return false
      const due = await nextArrival(db, account)
      return due !== undefined && due <= clock.now()
    },
    close: async () => news.close(),
  }
}

const headOf = (mail: Buffer) => {
  const end = mail.indexOf('\r\n\r\n')
  return mail.subarray(0, end < 0 ? mail.length : end + 2)
}
