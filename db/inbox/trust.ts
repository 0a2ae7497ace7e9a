import type { Trx } from '../database.ts'

// Whose statement about a mail's sender counts. A header of authentication results may have been written by the account's own
// server, by any server before it, or by the sender. A server puts its own header on top of the ones it received. So of several
// headers the topmost counts and, once the name of the account's own server is known, only a header with that name: the
// operator gives it, or it is learnt.
//
// Learning uses the topmost header, whatever it says. If the server always writes one, its own is on top and no stranger's is.
// A stranger's name can then neither be learnt nor hide what the server says, and a learnt name is not forgotten because of a
// mail that still carries it. If the server writes none, a stranger's name may be learnt, but that gains the stranger nothing:
// only a refusal is ever believed, so such a header can only make the stranger's own mail ineffective.

/** What a header says about DMARC, if anything, and under which name; the topmost header first. */
type Authentication = { id: string; dmarc: string | null }

/**
 * Whether the server with these names disowns the sender; without names, the server of the topmost header decides. The first of
 * its headers that says anything about DMARC counts.
 */
export function isDisownedBy(names: string[], authentication: Authentication[]): boolean {
  const own = names.length > 0 ? names : authentication.slice(0, 1).map(({ id }) => id)
  const word = authentication.find(({ id, dmarc }) => own.includes(id) && dmarc !== null)
  return word?.dmarc === 'fail'
}

/** The names that a reader knows its server by: those the operator gave, otherwise the learnt one. */
export const namesOf = (reader: { authserv: string[]; learntAuthserv: string | null }) =>
  reader.authserv.length > 0
    ? reader.authserv
    : reader.learntAuthserv === null
      ? []
      : [reader.learntAuthserv]

// Mail from this many different domains in a row is needed, so that one mail through an odd relay teaches nothing.
const lessons = 3

/**
 * Answers whether an inbound mail is disowned, and learns from it. Safe to repeat with the transaction that stores the mail.
 */
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
