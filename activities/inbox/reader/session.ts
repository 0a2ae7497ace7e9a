import { type FolderPosition, listPositions } from '../../../db/accounts/folder-positions.ts'
import { noteBehind, noteCaughtUp, tellReader } from '../../../db/accounts/mailboxes.ts'
import { noteProblem } from '../../../db/accounts/problems.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import { wakeRunnersBehind } from '../../../db/campaigns/campaigns.ts'
import { foldersToRead, type ReadFolder } from '../../../rules/mailbox-folders.ts'
import { movementOf } from '../../../rules/mailbox-reading.ts'
import type { Deps } from '../../deps.ts'
import type { FolderState, Mailbox } from '../../ports/mail/imap.ts'
import { MailTrouble } from '../../ports/mail/smtp.ts'
import { fileSent } from '../file-sent.ts'
import type { Bell } from './bell.ts'
import type { Turn } from './hosts.ts'
import type { Mind } from './mind.ts'
import { readFolder } from './read-folder.ts'

// One session with the server of a mailbox: it looks at all folders, reads what has moved, and waits in the Inbox until something
// arrives there or it is time for another look.

// The Inbox reports new mail by itself (IDLE); a rule of the owner may put an answer into any other folder.
const lookEveryMs = 90_000
// A server that is gone says nothing, and some end a session that says nothing after a minute. One that knows LIST-STATUS is newer
// and allows more, and is asked for the states of its folders meanwhile.
const longestIdleMs = 50_000
// Each folder that is asked about by itself takes a moment.
const lookAtOneMs = 500
const scarceMs = 5_000
// A mailbox that is read for longer counts as one that may hold an unread answer.
const unreadAfterMs = 2_000

export type Sitting = {
  deps: Deps
  reader: Reader
  holder: string
  mind: Mind
  /** Rung when letters wait to be filed. */
  bell: Bell
  turn: Turn
  stop: AbortSignal
  /** Told that all folders have been read to their ends. */
  whenRead: () => void
}

/** Ends when told to stop, or when another account of the host waits for its turn. @throws MailTrouble. */
export async function sit(sitting: Sitting, session: Mailbox): Promise<void> {
  const { deps, reader, holder, mind, bell, turn, stop } = sitting
  const { db, clock, log } = deps
  let current = ''
  const mailbox: Mailbox = {
    ...session,
    async open(path) {
      current = path
      return session.open(path)
    },
  }
  const places: Map<string, FolderPosition> = await listPositions(db, reader.id)
  const reading = { deps, reader, mailbox, mind, stop, places }
  /** What the server said of each folder when it was last read to its end. */
  const seen = new Map<string, FolderState>()
  let folders: ReadFolder[] = []
  let sent: string | null = null
  let isCaughtUp = false
  const now = () => performance.now()

  while (!stop.aborted) {
    const states = await list()
    await file()
    const isRead = await readAll(states)
    if (stop.aborted) return
    // A server may say that nothing has moved, and refuse to open the Inbox.
    const [inbox] = folders
    if (inbox && current !== inbox.path) await enter(inbox)
    if (isRead) await caughtUp()
    if (turn.isWanted()) return
    await waitForNews(isRead)
  }

  /** Lists the folders, because a rule may be new and its folder too. Answers their states, where the server lists them. */
  async function list(): Promise<Map<string, FolderState>> {
    const listed = await orAway(mailbox.listFolders())
    folders = foldersToRead(listed, reader.imap?.folders?.leaveOut)
    sent = folders.find(({ kind }) => kind === 'sent')?.path ?? null
    return new Map(listed.flatMap(({ path, state }) => (state ? [[path, state]] : [])))
  }

  async function file() {
    if (!bell.wasRung()) return
    bell.quiet()
    sent = await fileSent(deps, reader, mailbox, sent, stop).catch((error) => {
      bell.ring()
      throw error
    })
  }

  /** Whether all folders were read to their ends, as far as they have ever been. */
  async function readAll(states: Map<string, FolderState>): Promise<boolean> {
    let isRead = true
    for (const folder of folders) {
      if (stop.aborted) return false
      const { path, kind } = folder
      if (kind === 'waiting') continue
      if (mind.isLeftAlone(path)) isRead = false
      else
        try {
          await readMoved(folder, states.get(path))
        } catch (error) {
          if (!(error instanceof MailTrouble) || error.code !== 'imap_error') throw error
          if (kind === 'inbox') throw away()
          // The folder alone cannot be opened. One that never could holds no letters.
          if (mind.tellsOf(path)) log.warn({ connection: reader.id }, 'a folder cannot be opened')
          if (places.has(path)) isRead = false
        }
    }
    if (!isRead) {
      await behind()
      await noteProblem(db, 'reading', reader.id, 'imap_folder', clock.now())
    }
    return isRead
  }

  async function readMoved(folder: ReadFolder, told?: FolderState) {
    const { path, kind } = folder
    const before = seen.get(path)
    const state = told ?? (kind === 'inbox' ? null : await mailbox.state(path))
    const movement = state ? movementOf(places.get(path), state, before) : 'moved'
    if (state && movement === 'still' && !mind.isDoubted(path)) {
      seen.set(path, state)
      return
    }
    if (movement === 'doubtful') doubt(path)
    const opened = await mailbox.open(path).catch((error) => {
      // It is remembered, so that the folder does not end all sessions.
      if (error instanceof MailTrouble && error.code === 'imap_unreachable') mind.died(path)
      throw error
    })
    const isMore = before !== undefined && opened.exists > before.exists
    const found = movementOf(places.get(path), opened, before)
    if (found === 'doubtful') doubt(path)
    const slow = setTimeout(() => void behind(), unreadAfterMs)
    try {
      const isRead = await readFolder(reading, folder, { state: opened, movement: found, isMore })
      if (isRead) seen.set(path, opened)
    } finally {
      clearTimeout(slow)
    }
  }

  /** Makes the Inbox current, and reads what has come there since it was looked at. */
  async function enter(inbox: ReadFolder) {
    if (inbox.kind !== 'waiting') return orAway(readMoved(inbox))
    await orAway(mailbox.open(inbox.path))
  }

  function doubt(path: string): never {
    mind.doubted(path)
    throw new MailTrouble('imap_incomplete')
  }

  async function waitForNews(wasRead: boolean) {
    const [inbox] = folders
    if (!inbox) return
    const many = mailbox.tellsStates ? 0 : folders.length * lookAtOneMs
    const every = deps.mailWaitMs ?? Math.max(lookEveryMs, many) * (0.9 + 0.2 * Math.random())
    const until = now() + every
    while (!stop.aborted && !turn.isWanted() && now() < until) {
      await file()
      if (current !== inbox.path) await enter(inbox)
      const left = Math.ceil(until - now()) + 1
      const longest = mailbox.tellsStates ? left : longestIdleMs
      const ms = Math.min(left, turn.isScarce() ? scarceMs : longest)
      if (!(await mailbox.waitForMail(ms, AbortSignal.any([stop, bell.signal()])))) continue
      // What has arrived lies in the folder of all mail too, which is read instead.
      if (inbox.kind === 'waiting') return
      await readMoved(inbox)
      if (!stop.aborted && wasRead) await caughtUp()
    }
  }

  async function caughtUp() {
    if (isCaughtUp) return
    isCaughtUp = true
    await db.transaction().execute(async (trx) => {
      await noteCaughtUp(trx, { connection: reader.id, holder })
      await wakeRunnersBehind(trx, reader.workspace, reader.id, clock.now())
    })
    const since = await noteProblem(db, 'reading', reader.id, null, clock.now())
    if (since) {
      log.info({ connection: reader.id, since }, 'the mailbox can be read again')
      await tellReader(db, reader)
    }
    sitting.whenRead()
  }

  async function behind() {
    if (!isCaughtUp) return
    isCaughtUp = false
    await noteBehind(db, { connection: reader.id, holder }).catch(() => {})
  }
}

// Exchange lets a session in, and refuses everything, while the mailbox behind it is away.
const away = () => new MailTrouble('imap_unavailable', undefined, 'passing')
const orAway = <T>(work: Promise<T>) =>
  work.catch((error) => {
    throw error instanceof MailTrouble && error.code === 'imap_error' ? away() : error
  })
