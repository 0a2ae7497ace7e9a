import { plainLine, plainText } from '../../rules/text.ts'
import { notify } from '../accounts/connections.ts'
import { insertFiles } from '../conversations/files.ts'
import {
  type LockedConversation,
  lockConversation,
  wakeConversation,
} from '../conversations/moves.ts'
import { routeConversation } from '../conversations/routing.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { newId } from '../ids.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { holdPeople } from '../people/holds.ts'
import type { MessageReport } from '../schema.ts'
import { refuseLetters, stopLetters } from './effects.ts'
import { markReceived, marksOf } from './marks.ts'
import { type From, lockPeople } from './people.ts'
import {
  actOnReport,
  doubtReport,
  findPerson,
  findProof,
  type Proof,
  type Report,
} from './reports.ts'
import {
  findContinued,
  findReferred,
  lockUnconfirmed,
  openConversation,
  proveSent,
} from './thread.ts'

// The one way in for a message, whatever brings it: a mailbox or a bridge.

export type Inbound = {
  workspace: string
  connection: string
  /** With the connection it makes the message one: its Message-ID with the brackets, or the bridge's id. */
  externalId: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  /** Business time: when it came in, not later than now. Campaigns compare it with when their letters were sent. */
  at: Date
  /** What it refers to, by the same kind of ids; the nearest last. */
  references: string[]
  files: { name: string; type: string; content: Buffer }[]
  /** Nobody wrote it: no letter is stopped by it, nothing wakes or waits, nobody is told. */
  automated: boolean
  /** The sender is away until then: their letters wait. */
  outOfOfficeUntil?: Date | undefined
  /** What a server or provider says about a letter of ours. It acts on nothing that it does not prove to know. */
  report?: Report | undefined
  /** The sender wants no more campaign letters. */
  unsubscribes?: boolean | undefined
  /** The account's own server says that it is not from whom it says: it is stored and shown, and nothing follows from it. */
  suspect?: boolean | undefined
  /** It is about something else, such as a meeting: of no conversation, it goes to the latest one of its person. */
  aside?: boolean | undefined
}

/** fresh is false for a message that is here already: nothing was done then. */
export type Received = { conversation: string; message: string; fresh: boolean }

/**
 * Stores a message that came in, once, in its conversation, with everything it brings about: its sender is found or made, what
 * it proves is taken for sent, their remaining campaign letters stop, its conversation wakes or reopens, gets an owner by the
 * routing rules, and the owner is told. Of one that is suspect only the last follows. Call it in a transaction of its own and run that again on isConflict or isOvertaken.
 * Locks in the order of every claim: campaign FOR SHARE, person FOR UPDATE.
 */
export async function receiveMessage(trx: Trx, given: Inbound, now: Date): Promise<Received> {
  const inbound = cleaned(given, now)
  const early = await findReceived(trx, inbound)
  if (early) return early
  const { workspace, connection, automated, report, suspect = false } = inbound
  const account = await trx
    .selectFrom('connections')
    .select(['kind', 'member'])
    .where('workspace', '=', workspace)
    .where('id', '=', connection)
    .executeTakeFirstOrThrow()

  const { proof, about } = await weigh(trx, inbound, now)
  if (proof) inbound.references = [...inbound.references, proof.messageId]
  const proving = suspect ? [] : report ? (proof ? [proof.messageId] : []) : inbound.references
  const unconfirmed = await lockUnconfirmed(trx, workspace, proving)
  const written = unconfirmed.people
  const { people, sender } = await lockPeople(trx, inbound, account.kind, about, written, now)
  // Two that bring the same message: the second waited for the first.
  const known = await findReceived(trx, inbound)
  if (known) return known
  // After a bounce or a complaint there is no next letter, as after an answer.
  const ends = report ? report.kind !== 'delivery' : !automated
  await proveSent(trx, unconfirmed, { at: inbound.at, automated: !ends })

  const referred = await findReferred(trx, workspace, connection, inbound.references)
  // An answer comes after what it answers, whatever the clocks of others say.
  if (referred && referred.at >= inbound.at)
    inbound.at = new Date(Math.min(referred.at.getTime() + 1, now.getTime()))
  const [person = ''] = people
  const aside = inbound.aside || about !== undefined
  const id =
    referred?.conversation ??
    (await findContinued(trx, { ...inbound, person, kind: account.kind, aside }))
  const conversation =
    id ?? (await openConversation(trx, { ...inbound, person, kind: account.kind }))
  const message = await insertReceived(trx, inbound, conversation, referred?.messageId, proof)
  const row = (await lockConversation(trx, workspace, conversation)) as LockedConversation

  if (!suspect) await takeEffect(trx, inbound, { people, sender, conversation, message }, now)
  if (report && proof) await actOnReport(trx, inbound, report, proof, message, now)
  else if (about && report && report.kind !== 'delivery')
    await doubtReport(trx, inbound, about, conversation, now)

  await moveOn(trx, row, inbound, now)
  if (!automated) await tell(trx, row, inbound, { sender, holder: account.member }, now)
  await recordEvent(trx, {
    workspace,
    kind: 'message.received',
    at: now,
    resource: message,
    data: { conversation, person: row.person, connection, automated, ...(suspect && { suspect }) },
  })
  return { conversation, message, fresh: true }
}

/** What a report proves, and whom it is about as far as we know them. */
async function weigh(
  db: Db,
  { workspace, connection, report, suspect }: Inbound,
  now: Date,
): Promise<{ proof?: Proof | undefined; about?: string | undefined }> {
  if (!report || suspect) return {}
  const proof = await findProof(db, { workspace, connection }, report, now)
  const about = proof ? proof.person : await findPerson(db, workspace, report.recipients)
  return { proof, about: about ?? undefined }
}

/**
 * What follows from what a person, or their machine, has written. Whoever answers in a conversation stops the letters to its
 * person; that somebody is away or wants no letters is for nobody to say but themselves.
 */
async function takeEffect(
  trx: Trx,
  inbound: Inbound,
  at: From & { conversation: string; message: string },
  now: Date,
) {
  const { workspace, automated, outOfOfficeUntil: until } = inbound
  const { people, sender, conversation, message: evidence } = at
  const marks = marksOf(inbound)
  const leaves = inbound.unsubscribes || marks?.intent === 'unsubscribe' ? sender : undefined
  if (!automated) {
    if (leaves) await stopLetters(trx, [leaves], 'unsubscribed', inbound.at, now)
    await stopLetters(trx, people, 'replied', inbound.at, now)
  }
  if (until && sender) await holdPeople(trx, [sender], { until, why: 'out_of_office' }, now)
  if (marks) await markReceived(trx, workspace, conversation, marks)
  if (leaves)
    await refuseLetters(trx, { workspace, person: leaves, reason: 'unsubscribe', evidence, now })
}

const longestText = 1_000_000
const longestSubject = 1000

const line = (text: string, longest: number) => plainLine(text.slice(0, longest)).trim()

const cleaned = (given: Inbound, now: Date): Inbound => ({
  ...given,
  externalId: line(given.externalId, 1000),
  from: {
    name: line(given.from.name, 300),
    address: line(given.from.address, 320),
  },
  to: line(given.to, 320),
  subject: line(given.subject, longestSubject),
  text: plainText(given.text.slice(0, longestText)),
  at: given.at > now ? now : given.at,
  references: [...new Set(given.references.map((id) => line(id, 1000)))].slice(-100),
  report: given.report && {
    ...given.report,
    recipients: given.report.recipients.map((address) => line(address, 320)),
    ids: [...new Set(given.report.ids.map((id) => line(id, 1000)))].slice(0, 100),
  },
})

/**
 * The message as it is here already; also one that an operator's file or an archive brought, by its Message-ID, and one of ours
 * that came back to the account it was written from.
 */
async function findReceived(
  db: Db,
  { connection, workspace, externalId }: Inbound,
): Promise<Received | undefined> {
  const row = await db
    .selectFrom('messages')
    .select(['id', 'conversation'])
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where((eb) =>
      eb.or([
        eb.and([eb('direction', '=', 'inbound'), eb('externalId', '=', externalId)]),
        eb('messageId', '=', externalId),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row && { conversation: row.conversation, message: row.id, fresh: false }
}

async function insertReceived(
  trx: Trx,
  inbound: Inbound,
  conversation: string,
  inReplyTo: string | null | undefined,
  proof: Proof | undefined,
): Promise<string> {
  const { suspect = false, report } = inbound
  const { workspace, connection, externalId, from, to, subject, text, at, automated } = inbound
  const id = newId('msg')
  await trx
    .insertInto('messages')
    .values({
      id,
      workspace,
      conversation,
      connection,
      subject,
      text,
      at,
      automated,
      direction: 'inbound',
      state: 'received',
      externalId,
      messageId: externalId,
      senderName: from.name,
      senderHandle: from.address,
      toAddress: to,
      inReplyTo: inReplyTo ?? inbound.references.at(-1) ?? null,
      suspect,
      report: report ? JSON.stringify(reportOf(report, proof)) : null,
    })
    .execute()
  const files = inbound.files.map(({ name, type, content }) => ({
    name: line(name, 300),
    type: line(type, 200),
    content,
  }))
  await insertFiles(trx, workspace, id, files)
  return id
}

const reportOf = ({ kind, code, permanent, recipients }: Report, proof?: Proof): MessageReport => ({
  kind,
  code,
  permanent,
  proven: proof !== undefined,
  recipient: proof?.recipient ?? recipients[0] ?? null,
  message: proof?.kind === 'message' ? proof.id : null,
})

/** The conversation with a message more: it waits for us, and what put it aside is over. */
async function moveOn(trx: Trx, row: LockedConversation, inbound: Inbound, now: Date) {
  const { at } = inbound
  const said = !inbound.automated && !inbound.suspect
  const waits = said && row.waitingFor === 'client'
  const reopens = said && row.state === 'closed'
  await trx
    .updateTable('conversations')
    .set({
      lastMessageAt: new Date(Math.max(at.getTime(), row.lastMessageAt.getTime())),
      ...(waits && { waitingFor: 'us', waitingSince: at }),
      ...(reopens && { state: 'open', reason: null }),
    })
    .where('id', '=', row.id)
    .execute()
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
}

/**
 * Word to the owner; one that nobody owns gets an owner by the rules, who is told by that. Without either it is the member whose
 * account it came to.
 */
async function tell(
  trx: Trx,
  row: LockedConversation,
  inbound: Inbound,
  { sender, holder }: { sender: string | undefined; holder: string },
  now: Date,
) {
  const { workspace, from, suspect } = inbound
  const routes = row.owner === null && !suspect
  if (routes && (await routeConversation(trx, workspace, row.id, now))) return
  // Under a name of somebody else's anybody may write: one that is suspect is called what it calls itself.
  const known = sender && !suspect ? await findName(trx, sender) : ''
  const who = known || from.name || from.address
  await notify(trx, {
    workspace,
    member: row.owner ?? holder,
    at: now,
    kind: suspect ? 'message.suspect' : 'message.received',
    text: suspect ? `Somebody has written who may not be ${who}.` : `${who} has written.`,
    conversation: row.id,
  })
}

const findName = async (db: Db, person: string): Promise<string> =>
  (await db.selectFrom('people').select('name').where('id', '=', person).executeTakeFirstOrThrow())
    .name
