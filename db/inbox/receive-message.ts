import { type Marks, marksOf, unmarked } from '../../rules/mail/wishes/marks.ts'
import { findInviting } from '../calendar/invited.ts'
import { openConversation } from '../conversations/conversations.ts'
import {
  type LockedConversation,
  lockConversation,
  wakeConversation,
} from '../conversations/moves.ts'
import { routeConversation } from '../conversations/routing.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { keepLetterIds } from '../outgoing/letter-ids.ts'
import { holdPeople } from '../people/holds.ts'
import type { SecretKey } from '../secrets.ts'
import { cleaned, type Inbound, insertReceived, type Judged, type Received } from './inbound.ts'
import { judge } from './judge.ts'
import { type From, lockPeople } from './people.ts'
import { actOnReport, doubtReport } from './reports.ts'
import { meetAgain, ownKey, takeOutOfJunk } from './same-mail.ts'
import { refuseLetters, stopLetters } from './stop-letters.ts'
import { findContinued, findReferred, lockUnconfirmed, proveSent } from './thread.ts'

// The only entry for an inbound message, whether a mailbox or a bridge brings it.

/**
 * Stores an inbound message, once, in its conversation, with everything that follows from it: its sender is found or made,
 * letters that it proves to have arrived are taken as sent, the remaining campaign letters to them stop, its conversation wakes
 * or reopens and gets an owner by the routing rules, and the owner is notified. A suspect message only has the last of these
 * effects; the others follow when its owner moves it out of Junk. Call it in a transaction of its own, and run that again on
 * isConflict or isOvertaken. Without `secretKey` it fails for an unknown sender where somebody of the workspace was erased. Locks in the order of every claim: campaign FOR SHARE, person FOR UPDATE.
 */
export async function receiveMessage(
  trx: Trx,
  given: Inbound,
  now: Date,
  secretKey?: SecretKey,
): Promise<Received> {
  const inbound = cleaned(given, now)
  const early = await meetAgain(trx, inbound)
  if (early.known) return early.known
  const { mail: judged, nearest, proof, about } = await judge(trx, inbound, early.isOurs, now)
  const { workspace, connection, automated, report, suspect = false } = judged
  const account = await trx
    .selectFrom('connections')
    .select(['kind', 'member'])
    .where('workspace', '=', workspace)
    .where('id', '=', connection)
    .executeTakeFirstOrThrow()

  const proving = suspect ? [] : report ? (proof ? [proof.messageId] : []) : judged.references
  const unconfirmed = await lockUnconfirmed(trx, workspace, proving)
  const copied = proof?.copies.flatMap(({ person }) => person ?? []) ?? []
  const written = [...unconfirmed.people, ...copied]
  const from = await lockPeople(trx, judged, account.kind, about, written, now, secretKey)
  const { people, sender } = from
  // If two transactions bring the same message, the second has waited for the first.
  const { known, moved, isSecond } = await meetAgain(trx, judged)
  if (known) return known
  // A bounce or a complaint, like an answer, ends the letters that would follow.
  const ends = report ? report.kind !== 'delivery' : !automated
  await proveSent(trx, unconfirmed, { at: judged.at, automated: !ends })

  const [person = ''] = people
  const referred = await findReferred(
    trx,
    workspace,
    connection,
    judged.references,
    from.isOwnAnswer ? person : undefined,
  )
  const mail = { ...judged, at: atAfter(judged.at, referred?.at, now) }
  const aside = mail.aside || about !== undefined
  const id =
    moved?.conversation ??
    referred?.conversation ??
    (await invitedIn(trx, mail)) ??
    (await findContinued(trx, { ...mail, person, kind: account.kind, aside }))
  const conversation = id ?? (await openConversation(trx, { ...mail, person, kind: account.kind }))
  const message = moved
    ? await takeOutOfJunk(trx, moved.message, mail, proof)
    : await insertReceived(
        trx,
        mail,
        conversation,
        referred?.messageId ?? proof?.messageId ?? nearest,
        proof,
        ownKey(mail, isSecond),
        inbound.references,
      )
  const row = (await lockConversation(trx, workspace, conversation)) as LockedConversation

  if (!suspect) await takeEffect(trx, mail, { ...from, conversation, message }, now)
  if (report && proof && !report.unclear) {
    await actOnReport(trx, mail, report, proof, message, now)
    // The letter that came back has the id under which its provider sent it on.
    await keepLetterIds(
      trx,
      { ...mail, messageId: proof.messageId },
      given.report?.refersTo ?? [],
      now,
    )
  } else if (about && report && report.kind !== 'delivery')
    await doubtReport(trx, mail, about, conversation, now, report.unclear)

  const marks = await moveOn(trx, row, mail, now)
  if (!automated) await notifyOwner(trx, row, mail, { sender, holder: account.member }, now)
  await recordEvent(trx, {
    workspace,
    kind: 'message.received',
    at: now,
    resource: message,
    data: { conversation, person: row.person, connection, automated, suspect, ...marks },
  })
  return { conversation, message, fresh: true }
}

/** A new version of an invitation, or its cancellation, refers to no mail, and may have another subject. */
const invitedIn = (trx: Trx, { workspace, connection, meeting, from, suspect }: Judged) =>
  meeting && !suspect
    ? findInviting(trx, { workspace, connection, from: from.address }, meeting)
    : undefined

/** An answer comes after the message that it answers, whatever other machines' clocks say. */
const atAfter = (at: Date, answered: Date | undefined, now: Date): Date =>
  answered && answered >= at ? new Date(Math.min(answered.getTime() + 1, now.getTime())) : at

/**
 * What follows from something that a person, or their machine, has written. Anybody who answers in a conversation stops the
 * letters to its person; only the person themselves can say that they are away or want no letters.
 */
async function takeEffect(
  trx: Trx,
  inbound: Judged,
  at: From & { conversation: string; message: string },
  now: Date,
) {
  const { workspace, automated, outOfOfficeUntil: until } = inbound
  const { people, sender, alike, conversation, message: evidence } = at
  const marks = marksOf(inbound)
  // A stop holds for the mailbox, under whatever spelling of its address there is a card.
  const writers = [...new Set([...(sender ? [sender] : []), ...alike])]
  const leaving = marks?.intent === 'unsubscribe' ? writers : []
  if (!automated) {
    if (leaving.length > 0) await stopLetters(trx, leaving, 'unsubscribed', inbound.at, now)
    await stopLetters(trx, people, 'replied', inbound.at, now)
  }
  if (until && writers.length > 0)
    await holdPeople(trx, writers, { until, why: 'out_of_office' }, now)
  if (marks) await markReceived(trx, workspace, conversation, marks)
  if (leaving.length > 0)
    await refuseLetters(trx, { workspace, people: leaving, reason: 'unsubscribe', evidence, now })
}

/**
 * Adds a message to its conversation, which now waits for us and is no longer snoozed or closed. Answers what the conversation is
 * marked with.
 */
async function moveOn(trx: Trx, row: LockedConversation, inbound: Judged, now: Date) {
  const { at } = inbound
  const said = !inbound.automated && !inbound.suspect
  const waits = said && row.waitingFor === 'client'
  const reopens = said && row.state === 'closed'
  const marks = await trx
    .updateTable('conversations')
    .set({
      lastMessageAt: new Date(Math.max(at.getTime(), row.lastMessageAt.getTime())),
      ...(waits && { waitingFor: 'us', waitingSince: at }),
      ...(reopens && { state: 'open', reason: null }),
    })
    .where('id', '=', row.id)
    .returning(['intent', 'importance'])
    .executeTakeFirstOrThrow()
  const wakes = said && row.state === 'snoozed'
  if (wakes) {
    await wakeConversation(trx, row.id, row.snoozeVersion)
    if (row.snoozeOperation) await enqueueSignal(trx, row.snoozeOperation, 'changed')
  }
  if (wakes || reopens)
    await recordEvent(trx, {
      workspace: row.workspace,
      at: now,
      resource: row.id,
      kind: wakes ? 'conversation.woken' : 'conversation.reopened',
      data: { conversation: row.id, person: row.person, state: 'open' },
    })
  return marks
}

/**
 * Notifies the owner. A conversation without an owner gets one by the rules, which notify the new owner. If there is neither,
 * it notifies the member whose account the message came to.
 */
async function notifyOwner(
  trx: Trx,
  row: LockedConversation,
  inbound: Judged,
  { sender, holder }: { sender: string | undefined; holder: string },
  now: Date,
) {
  const { workspace, from, suspect } = inbound
  const unclear = inbound.unclear && !suspect
  const routes = row.owner === null && !suspect
  const routed = routes && (await routeConversation(trx, workspace, row.id, now))
  if (routed && !unclear) return
  // Anybody can write under somebody else's name, so the notification about a suspect message uses the name that the message
  // itself gives.
  const known = sender && !suspect ? await findName(trx, sender) : ''
  const who = known || from.name || from.address
  await notify(trx, {
    workspace,
    member: (routed ? await findOwner(trx, row.id) : row.owner) ?? holder,
    at: now,
    conversation: row.id,
    ...(suspect
      ? { kind: 'message.suspect', text: `Somebody has written who may not be ${who}.` }
      : unclear
        ? {
            kind: 'reply.unclear',
            text: `${who} has written, or a program for them. Please check.`,
          }
        : { kind: 'message.received', text: `${who} has written.` }),
  })
}

const findOwner = async (db: Db, conversation: string): Promise<string | null> =>
  (
    await db
      .selectFrom('conversations')
      .select('owner')
      .where('id', '=', conversation)
      .executeTakeFirstOrThrow()
  ).owner

const findName = async (db: Db, person: string): Promise<string> =>
  (await db.selectFrom('people').select('name').where('id', '=', person).executeTakeFirstOrThrow())
    .name

/** Marks a conversation by its latest inbound message, if the workspace has tagging on. */
async function markReceived(trx: Trx, workspace: string, conversation: string, marks: Marks) {
  const silent = marks.intent === unmarked.intent && marks.importance === unmarked.importance
  await trx
    .updateTable('conversations')
    .set(marks)
    .where('id', '=', conversation)
    // A message without particular marks leaves the earlier ones, unless they say that somebody was away. An absence does not
    // replace other marks.
    .$if(silent, (q) => q.where('intent', '=', 'out_of_office'))
    .$if(marks.intent === 'out_of_office', (q) =>
      q.where('intent', '=', unmarked.intent).where('importance', '=', unmarked.importance),
    )
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('workspaces')
          .select('id')
          .where('id', '=', workspace)
          .where('tagging', '=', true),
      ),
    )
    .execute()
}
