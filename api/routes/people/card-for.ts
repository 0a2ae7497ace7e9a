import type { Trx } from '../../../db/database.ts'
import type { lockCards } from '../../../db/people/cards.ts'
import { findEmails } from '../../../db/people/matching.ts'
import { lockPerson, type PersonRow } from '../../../db/people/people.ts'
import { hasAnotherId, type Lead, whichCard } from '../../../rules/people/which-card.ts'
import { ApiError, invalid, type Problem } from '../../http/errors.ts'
import { inConflict } from './conflict.ts'
import type { Placed } from './given-addresses.ts'

type Asked = { into: string | undefined; addresses: Placed[]; externalId: string | undefined }

/**
 * The card that a new person turns out to be, locked: `into`, otherwise the one with the external id, otherwise the one that
 * the addresses lead to, otherwise none. A shared phone number leads to nobody.
 * @throws ApiError 422 naming each member whose address belongs to another card; 409 if the external id is that of one.
 */
export async function cardFor(
  db: Trx,
  workspace: string,
  { into, addresses, externalId }: Asked,
  known: Awaited<ReturnType<typeof lockCards>>,
): Promise<PersonRow | undefined> {
  const { identified } = known
  const named = into ?? identified
  const row = named === undefined ? undefined : await lockPerson(db, workspace, named)
  if (into !== undefined && !row) throw invalid('/into', 'unknown_id', 'There is no such person.')
  if (row && identified !== undefined && identified !== row.id)
    throw inConflict(row.id, [{ pointer: '/externalId', person: identified }])
  const emails = row
    ? new Map([...known.emails, ...(await findEmails(db, [row.id]))])
    : known.emails
  const led = whichCard(
    { addresses, named: row && { card: row.id, mayShare: true } },
    { owners: known.owners, emails },
  )
  if (led.strangers.length > 0) {
    if (!row || identified === undefined) throw notOne(led, into !== undefined)
    throw inConflict(row.id, led.strangers.map(belonging))
  }
  const card =
    row ?? (led.card === undefined ? undefined : await lockPerson(db, workspace, led.card))
  if (card && hasAnotherId(card, externalId)) throw hasAnother(card)
  return card
}

const belonging = ({ address, person }: Lead<Placed>) => ({ pointer: address.pointer, person })

/** A 422 that names the members. Without `into` neither card is the right one: both members are named. */
function notOne({ leads, strangers }: ReturnType<typeof whichCard<Placed>>, into: boolean) {
  const pointers = [...new Set((into ? strangers : leads).map(({ address }) => address.pointer))]
  const errors: Problem[] = pointers.map((pointer) => ({
    pointer,
    code: into ? 'belongs_to_another' : 'matches_two',
    message: into
      ? 'belongs to another person'
      : 'leads to a different person from the other addresses',
  }))
  if (pointers.length === 1 && !into) errors[0]!.message = 'leads to several people who share it'
  return new ApiError('validation_failed', `${pointers[0]}: ${errors[0]!.message}`, { errors })
}

const hasAnother = ({ id, externalId }: PersonRow) =>
  new ApiError('conflict', `/externalId: ${id}, to whom the rest leads, has another one.`, {
    errors: [
      {
        pointer: '/externalId',
        code: 'has_another',
        message: `is not that of ${id}, which is ${externalId}`,
      },
    ],
    members: { people: [id] },
  })
