import { giveProbeBack } from '../../db/accounts/rests.ts'
import type { Db, Trx } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { isReferredTo } from '../../db/outgoing/evidence.ts'
import { keepLetterIds } from '../../db/outgoing/letter-ids.ts'
import type { LetterRow } from '../../db/outgoing/letters.ts'
import type { Kind } from '../../db/outgoing/life.ts'
import { type Finding, resolveLetter } from '../../db/outgoing/resolve.ts'
import { serverWords } from '../../rules/failure-words.ts'
import { nextTry } from '../../rules/outgoing.ts'
import { byOperator } from '../common/find-operator.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { codeOfRefusal, type Handover, meaningOf } from '../ports/mail/smtp.ts'
import { untilAbandoned } from './lease.ts'
import { noteTurned, type Rest } from './rest.ts'

// Finds out what became of a letter that was handed over, or may have been, and writes it down.

/** What an attempt has come to: the columns of its letter that say so, and the rest of its account if that is news. */
export type Settled<Sent = unknown> = {
  state: 'sent' | 'failed' | 'queued' | 'sending'
  reason: string | null
  code: string | null
  /** What its kind answers once it is sent. */
  sent?: Sent | undefined
  rest?: Rest | undefined
}

/**
 * Writes down the outcome of an attempt, unless its marker is gone. `read` is the row as it was read before. Undefined if there
 * is no such letter any more.
 */
export async function settle<Row extends LetterRow, Sent>(
  trx: Trx,
  kind: Kind<Row, Sent>,
  { read, attempt, now }: { read: Row; attempt: string | null; now: Date },
  handover: Handover,
): Promise<Settled<Sent> | undefined> {
  // The row is read again, because meanwhile the letter may have become unconfirmed and its workflow parked.
  const letter = await kind.lock(trx, read)
  if (!letter) return undefined
  const marker = { letter, attempt, now }
  if (handover.kind === 'accepted') {
    const sent = await kind.sent(trx, marker, handover.externalId, handover.refused)
    await keepIds(trx, letter, handover.ids, now)
    return { state: 'sent', reason: null, code: null, sent }
  }
  if (handover.kind === 'unknown') {
    await kind.unconfirmed(trx, marker, handover.refused)
    const account = letter.connection
    if (account !== null) await giveProbeBack(trx, { account, server: 'smtp' }, now)
    return { state: 'sending', reason: 'unconfirmed', code: null }
  }
  const turned = await noteTurned(trx, letter, handover, now)
  // Whom the same refusal would meet again and again is given up like a letter that is put off.
  if (turned && !(turned.net && nextTry(letter, now) === null)) {
    await kind.deferred(trx, marker, turned.againAt)
    return { state: 'queued', reason: null, code: null, rest: turned.rest }
  }
  const isServers = meaningOf(handover)?.concerns === 'server'
  const nextTryAt = handover.kind === 'refused' && !isServers ? undefined : nextTry(letter, now)
  if (nextTryAt) {
    await kind.deferred(trx, marker, nextTryAt)
    return { state: 'queued', reason: null, code: null }
  }
  const code = codeOfRefusal(handover)
  const reason = handover.kind === 'refused' ? (handover.reason ?? 'refused') : 'undeliverable'
  await kind.failed(trx, marker, { reason, code, said: saidIn(handover) })
  return { state: 'failed', reason, code, rest: turned?.rest }
}

/** The words of the server that did not take the letter. */
function saidIn(handover: Handover): string | null {
  return 'answer' in handover ? serverWords(handover.answer?.words) : null
}

/** Mail will name the letter by the ids under which its provider has sent it on. */
async function keepIds(trx: Trx, letter: LetterRow, ids: string[] | undefined, now: Date) {
  const { workspace, connection, messageId } = letter
  if (ids && connection !== null && messageId !== null)
    await keepLetterIds(trx, { workspace, connection, messageId }, ids, now)
}

/** The same for the attempt that this process has just made. */
export async function settleOwn<Row extends LetterRow, Sent>(
  db: Db,
  kind: Kind<Row, Sent>,
  own: { read: Row; attempt: string; now: Date },
  handover: Handover,
): Promise<Settled<Sent> | undefined> {
  const { read: letter, attempt, now } = own
  const isPlain =
    handover.kind === 'accepted' && !handover.externalId && !handover.ids && !handover.refused
  const sent = isPlain ? await kind.sentAtOnce?.(db, { letter, attempt, now }) : undefined
  if (sent !== undefined) return { state: 'sent', reason: null, code: null, sent }
  return db.transaction().execute((trx) => settle(trx, kind, own, handover))
}

/**
 * Settles a letter that another attempt has claimed, once that attempt is gone. Only evidence makes it sent; absence of
 * evidence proves nothing. `askBridge` asks the bridge of the account, if it has one: a message that the bridge never got may
 * be sent again.
 * @throws trouble while the attempt is still at work.
 */
export async function reconcile<Row extends LetterRow>(
  { db, letters = db, clock }: Pick<Deps, 'db' | 'letters' | 'clock'>,
  kind: Kind<Row>,
  read: Row,
  askBridge?: () => Promise<Handover | undefined>,
) {
  const { id, workspace, messageId, attempt } = read
  if (read.reason === null) await untilAbandoned(letters, { table: kind.table, id })
  const arrived = messageId && (await isReferredTo(db, workspace, messageId))
  const found: Handover = arrived
    ? { kind: 'accepted' }
    : ((await askBridge?.()) ?? { kind: 'unknown' })
  await letters
    .transaction()
    .execute((trx) => settle(trx, kind, { read, attempt, now: clock.now() }, found))
}

/** What an operator found out about an unconfirmed letter. `update` is the id of the workflow update that said so. */
export type Resolution = { outcome: Finding; update?: string | undefined }

/**
 * Writes down what an operator found out: the letter was sent, or it is sent again with the same Message-ID. Only an
 * unconfirmed letter is changed.
 */
export async function resolve<Row extends LetterRow>(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'operator'>,
  kind: Kind<Row>,
  id: string,
  { outcome, update }: Resolution,
) {
  const { db, clock } = deps
  const before = await kind.find(db, id)
  if (!before) return
  const by = await byOperator(deps, update)
  await db.transaction().execute(async (trx) => {
    const now = clock.now()
    if (!(await resolveLetter(trx, kind, before, outcome, now))) return
    const after = await kind.find(trx, id)
    await recordAudit(trx, {
      ...by,
      workspace: before.workspace,
      at: now,
      action: `${kind.resource}.resolved`,
      resource: id,
      after: { outcome },
      about: (after && kind.about?.(after)) ?? {},
    })
  })
  tellOutcome(deps, kind.name, before, await kind.find(db, id))
}
