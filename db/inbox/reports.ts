import { sql } from 'kysely'
import { failureWords, serverWords } from '../../rules/failure-words.ts'
import type { Report } from '../../rules/mail/received.ts'
import type { Refused } from '../../rules/outgoing.ts'
import { suppressAddress, suppressionsHappened } from '../accounts/suppressions.ts'
import { failInvitation } from '../calendar/invitation-life.ts'
import { endFollowing, failTouches } from '../campaigns/touches.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { holdPeople } from '../people/holds.ts'
import { type Proof, provenMs, type Where } from './proof.ts'
import { refuseLetters } from './stop-letters.ts'

// What servers and providers report about letters of ours (RFC 3464, RFC 5965). Anybody can send a report, so it acts only on
// the letter that it proves to know: by its Message-ID, which nobody can guess, by the account it went from and by its
// recipient.

const day = 24 * 60 * 60 * 1000
// The interface leaves open how long letters wait for a report without proof. The hold is limited in length and in frequency,
// so that a stranger who keeps sending such reports cannot hold a person's letters indefinitely.
const doubtHoldMs = 3 * day
const doubtAgainMs = 30 * day

/**
 * The effects of a proven report; `evidence` is the message that holds it. The people it is about are locked. A copy that came
 * back changes nothing about the letter, which has reached its own recipient.
 */
export async function actOnReport(
  trx: Trx,
  { workspace }: Where,
  report: Report,
  proof: Proof,
  evidence: string,
  now: Date,
) {
  if (report.kind === 'bounce') {
    await refuseCopies(trx, workspace, proof, now)
    if (proof.isLetter) await failReturned(trx, workspace, report, proof, now)
  }
  for (const { recipient: address, person, said } of [
    ...(proof.isLetter ? [proof] : []),
    ...proof.copies,
  ])
    if (report.kind === 'bounce' && said.permanent) {
      await suppress(trx, { workspace, address, reason: 'bounce', evidence, now })
      if (person) await failTouches(trx, { people: [person] }, 'bounced', now)
    } else if (report.kind === 'complaint') {
      // A person complains, not an address, so no letter goes to their other addresses either.
      const told = { workspace, reason: 'complaint', evidence, now } as const
      const isNews = await suppress(trx, { ...told, address })
      if (person) await refuseLetters(trx, { ...told, people: [person] }, isNews)
    }
}

/** Suppresses an address that a report is about, with its event; answers whether it was not suppressed for this reason before. */
async function suppress(trx: Trx, suppressed: Parameters<typeof suppressAddress>[1]) {
  const { row, added } = await suppressAddress(trx, suppressed)
  if (added) await suppressionsHappened(trx, suppressed.workspace, [row], suppressed.now)
  return added
}

// The enhanced status code of a failure that says nothing more (RFC 3463).
const unknownCode = '5.0.0'

/** Copies that came back are noted on the message as those are that the server refused at once, and its owner is notified. */
async function refuseCopies(
  trx: Trx,
  workspace: string,
  { id, copies, isLetter }: Proof,
  now: Date,
) {
  if (copies.length === 0) return
  const message = await trx
    .selectFrom('messages')
    .select(['conversation', 'refused'])
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const before = message.refused ?? []
  const fresh: Refused[] = copies.flatMap(({ recipient: address, said }) =>
    before.some((one) => one.address === address)
      ? []
      : { address, code: said.code ?? unknownCode },
  )
  const [first] = fresh
  if (!first) return
  await trx
    .updateTable('messages')
    .set({ refused: JSON.stringify([...before, ...fresh]) })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()
  if (isLetter) return
  await notifyOwner(trx, workspace, message.conversation, {
    kind: 'message.failed',
    at: now,
    text: `A copy of a message came back (${first.code}). The message itself was sent.`,
  })
}

/** Fails the letter that bounced, with its code, and notifies its owner unless it is a letter of a campaign. */
async function failReturned(
  trx: Trx,
  workspace: string,
  { code, said: words }: Report,
  { kind, id, messageId }: Proof,
  now: Date,
) {
  const said = serverWords(words)
  if (kind === 'invitation') return failInvitation(trx, { workspace, id, now, code, said })
  // A letter that was being sent is a message by now: the bounce proves that it went.
  const message = await trx
    .updateTable('messages')
    .set({ state: 'failed', reason: 'bounced', code, said })
    .where('workspace', '=', workspace)
    .where('direction', '=', 'outbound')
    .where('state', 'in', ['sent', 'sending'])
    .$if(kind === 'message', (q) => q.where('id', '=', id))
    .$if(kind === 'touch', (q) => q.where('messageId', '=', messageId).where('touch', '=', id))
    .returning(['id', 'conversation', 'touch', 'operation'])
    .returning(['subject', 'toAddress', 'senderHandle'])
    .executeTakeFirst()
  if (!message) return
  if (message.touch) await failLetter(trx, workspace, message.touch, { code, said }, now)
  else if (message.operation) await enqueueSignal(trx, message.operation, 'changed')
  await recordEvent(trx, {
    workspace,
    kind: 'message.failed',
    at: now,
    resource: message.id,
    data: { conversation: message.conversation, state: 'failed', reason: 'bounced', code },
  })
  if (message.touch) return
  await notifyOwner(trx, workspace, message.conversation, {
    kind: 'message.failed',
    at: now,
    text: failureWords(
      {
        id: message.id,
        subject: message.subject,
        to: message.toAddress,
        account: message.senderHandle,
      },
      { reason: 'bounced', code, said },
    ),
  })
}

async function failLetter(
  trx: Trx,
  workspace: string,
  id: string,
  { code, said }: { code: string | null; said: string | null },
  now: Date,
) {
  const touch = await trx
    .updateTable('touches')
    .set({ state: 'failed', reason: 'bounced', code, said })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('state', 'in', ['sent', 'sending'])
    .returning(['campaign', 'person', 'place', 'connection', 'conversation', 'message'])
    .executeTakeFirst()
  if (!touch) return
  await endFollowing(trx, touch, now)
  await recordEvent(trx, {
    workspace,
    kind: 'touch.failed',
    at: now,
    resource: id,
    data: { ...touch, state: 'failed', reason: 'bounced', code },
  })
}

/**
 * The effects of bad news without proof, or of something that a mail server says and nobody understands: the owner of the conversation that shows it is notified and, if this account has
 * written to the person lately, their letters wait for a while. Each happens at most once in thirty days.
 */
export async function doubtReport(
  trx: Trx,
  { workspace, connection }: Where,
  person: string,
  conversation: string,
  now: Date,
  isUnclear = false,
) {
  const again = new Date(now.getTime() - doubtAgainMs)
  const told = await trx
    .updateTable('people')
    .set({ doubtToldAt: now })
    .where('workspace', '=', workspace)
    .where('id', '=', person)
    .where((eb) => eb.or([eb('doubtToldAt', 'is', null), eb('doubtToldAt', '<', again)]))
    .returning('id')
    .executeTakeFirst()
  if (told)
    await notifyOwner(trx, workspace, conversation, {
      kind: 'bounce.unclear',
      at: now,
      text: isUnclear
        ? 'A mail server has sent something about a person that cannot be understood. Please check.'
        : 'A report says that a person cannot be reached or has complained, but does not prove it. Please check.',
    })
  if (!(await isWrittenTo(trx, { workspace, connection, person }, now))) return
  const held = await trx
    .updateTable('people')
    .set({ doubtedAt: now })
    .where('workspace', '=', workspace)
    .where('id', '=', person)
    .where((eb) => eb.or([eb('doubtedAt', 'is', null), eb('doubtedAt', '<', again)]))
    .returning('id')
    .executeTakeFirst()
  const until = new Date(now.getTime() + doubtHoldMs)
  if (held) await holdPeople(trx, [person], { until, why: 'bounce_unclear' }, now)
}

/** Whether this account has written to a person within the time in which reports arrive. */
async function isWrittenTo(
  db: Db,
  { workspace, connection, person }: Where & { person: string },
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - provenMs)
  const { rows } = await sql<{ written: boolean }>`
    select exists (select from conversations c join messages m on m.conversation = c.id
        where c.workspace = ${workspace} and c.person = ${person} and m.connection = ${connection}
          and m.direction = 'outbound' and m.state in ('sending', 'sent', 'failed')
          and coalesce(m.sent_at, case m.state when 'sending' then m.claimed_at end) >= ${since})
      or exists (select from touches
        where workspace = ${workspace} and person = ${person} and connection = ${connection}
          and claimed_day is not null and state = 'sending' and claimed_at >= ${since}) as written`.execute(
    db,
  )
  return rows[0]?.written ?? false
}

/** Notifies the owner of a conversation, otherwise the member whose account it is in. */
async function notifyOwner(
  trx: Trx,
  workspace: string,
  conversation: string,
  word: { kind: string; text: string; at: Date },
) {
  const row = await trx
    .selectFrom('conversations')
    .innerJoin('connections', 'connections.id', 'conversations.connection')
    .select(['conversations.owner', 'connections.member'])
    .where('conversations.workspace', '=', workspace)
    .where('conversations.id', '=', conversation)
    .executeTakeFirst()
  if (row) await notify(trx, { workspace, member: row.owner ?? row.member, conversation, ...word })
}
