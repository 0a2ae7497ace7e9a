import type { Arrived, Mailbox } from '../../ports/mail/imap.ts'
import { MailTrouble } from '../../ports/mail/smtp.ts'
import { maxBytes } from '../in-hand.ts'
import type { Mind } from './mind.ts'
import { type Stub, stubOf } from './stub.ts'

// Fetches mails of the current folder, also from a server that cannot deliver one of them: whatever goes wrong with several is
// asked for one by one, and of a mail that cannot be had, what can be had of it is kept.

// How often a mail is asked for by itself, in as many sessions, before its head must do, and how often that is asked for.
// A line may break again and again under a large mail that its server would deliver.
const triesFor = ({ size }: Arrived) => (size > largeBytes ? 12 : 2)
const largeBytes = 1024 * 1024
const mostHeads = 1

export type Fetched = { raws: Map<number, Buffer>; stubs: Map<number, Stub> }
export type Trials = { mind: Mind; name: (uid: number) => string }

/** Whether a mail may be the one that has ended a session: it is fetched by itself. */
export const isSuspected = ({ mind, name }: Trials, { uid }: Arrived) =>
  mind.failures(name(uid)) > 0

/**
 * Fetches mails that are there. `name` distinguishes a mail of this folder from all others of its mailbox.
 * @throws MailTrouble if another session has to go on: the line is gone, or a mail was left out that may come in another one.
 */
export async function fetchMails(
  mailbox: Mailbox,
  mails: Arrived[],
  { mind, name }: Trials,
): Promise<Fetched> {
  const stubs = new Map<number, Stub>()
  const raws = mails.length > 1 ? await together() : new Map<number, Buffer>()
  for (const mail of mails) {
    if (raws.has(mail.uid)) continue
    const raw = await alone(mail)
    if (raw) raws.set(mail.uid, raw)
  }
  return { raws, stubs }

  async function together() {
    const uids = mails.map(({ uid }) => uid)
    try {
      return await refusable(mailbox.fetch(uids, maxBytes), new Map<number, Buffer>())
    } catch (error) {
      // It is not known which of them has ended the session.
      for (const uid of uids) mind.failed(name(uid))
      throw error
    }
  }

  /** Undefined if the mail is gone, or a stub takes its place. */
  async function alone(mail: Arrived): Promise<Buffer | undefined> {
    const { uid } = mail
    // Counted before, because the line may be gone after it. The first time was with others.
    const tries = mind.failed(name(uid)) - 1
    if (tries > triesFor(mail)) {
      const asks = tries <= triesFor(mail) + mostHeads
      stubs.set(
        uid,
        stubOf(mail, asks ? await refusable(mailbox.header(uid), undefined) : undefined),
      )
      return undefined
    }
    const found = await refusable(mailbox.fetch([uid], maxBytes), new Map<number, Buffer>())
    const raw = found.get(uid)
    if (raw) {
      mind.forget(name(uid))
      return raw
    }
    if (!(await isThere(uid))) return undefined
    throw new MailTrouble('imap_incomplete')
  }

  async function isThere(uid: number): Promise<boolean> {
    const found = await refusable(mailbox.search(uid, null), undefined)
    return found === undefined || found.includes(uid)
  }
}

/** A refusal of the server concerns what was asked for, and not the session. */
export async function refusable<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MailTrouble && error.code === 'imap_error') return otherwise
    throw error
  }
}
