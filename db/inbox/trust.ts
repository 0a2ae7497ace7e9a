import type { Trx } from '../database.ts'

// Whose word about a mail's sender counts. A header of authentication results may have been written by the account's own server,
// by any server before it, or by the sender. A server puts its own on top of what it was given, so of several the topmost
// counts, and of the account's own server alone once its name is known: the operator names it, or it is learnt.
//
// Learning goes by the topmost header, whatever it says. Where the server always writes one, its own stands on top and no stranger's
// does, so a stranger can neither be learnt nor hide what it says; and what was learnt is not forgotten over a mail that still
// carries it. Where the server writes none, a stranger may be learnt, and gains nothing by it: only a refusal is ever believed,
// so what he writes makes his own mail act on nothing.

/** What a header says of DMARC, if anything, and under which name; the topmost first. */
type Authentication = { id: string; dmarc: string | null }

/**
 * Whether the sender is disowned by the server of these names or, where there are none, by that of the topmost header. The first
 * of its headers that says anything of it counts.
 */
export function isDisownedBy(names: string[], authentication: Authentication[]): boolean {
  const own = names.length > 0 ? names : authentication.slice(0, 1).map(({ id }) => id)
  const word = authentication.find(({ id, dmarc }) => own.includes(id) && dmarc !== null)
  return word?.dmarc === 'fail'
}

/** The names a reader's server is known by: those the operator gives, else the one that was learnt. */
export const namesOf = (reader: { authserv: string[]; learntAuthserv: string | null }) =>
  reader.authserv.length > 0
    ? reader.authserv
    : reader.learntAuthserv === null
      ? []
      : [reader.learntAuthserv]

// Mail of so many domains in a row, so that one that an odd relay has passed on teaches nothing.
const lessons = 3

/** Says whether a mail that has come is disowned, and learns from it. Safe to repeat with the transaction that stores the mail. */
export async function judgeSender(
  trx: Trx,
  reader: { id: string; workspace: string },
  mail: { from: string; authentication: Authentication[] },
): Promise<boolean> {
  const [top] = mail.authentication
  if (!top) return false
  const known = await trx
    .selectFrom('connections')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .select([
      'connections.authserv',
      'mailboxReaders.authserv as learntAuthserv',
      'mailboxReaders.authservSeen as seen',
    ])
    .where('connections.workspace', '=', reader.workspace)
    .where('connections.id', '=', reader.id)
    .executeTakeFirstOrThrow()
  const { seen, learntAuthserv } = known
  const isNamed = known.authserv.length > 0
  const carriesLearnt = mail.authentication.some(({ id }) => id === learntAuthserv)
  if (!isNamed && !carriesLearnt) {
    const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1).toLowerCase()
    const before = seen?.id === top.id ? seen.senders : []
    const senders = [...new Set([...before, domain])]
    const learnt = senders.length >= lessons
    await trx
      .updateTable('mailboxReaders')
      .set({
        authservSeen: learnt ? null : JSON.stringify({ id: top.id, senders }),
        ...(learnt && { authserv: top.id }),
      })
      .where('connection', '=', reader.id)
      .execute()
  } else if (seen && (isNamed || top.id === learntAuthserv))
    await trx
      .updateTable('mailboxReaders')
      .set({ authservSeen: null })
      .where('connection', '=', reader.id)
      .execute()
  return isDisownedBy(namesOf(known), mail.authentication)
}
