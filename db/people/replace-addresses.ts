import { type Address, keyOf } from '../../rules/addresses.ts'
import { suppressPeople } from '../accounts/suppressions.ts'
import type { Trx } from '../database.ts'
import { insertAddresses, putFirst } from './cards.ts'
import type { PersonRow } from './people.ts'

// A client replaces the addresses of a card. What the person has asked for under an old address holds under the new ones.

/** What a person asks for, whichever address they use. A bounce, or an operator's entry, is about the address alone. */
const wishes = ['unsubscribe', 'complaint'] as const

/**
 * Gives a locked card exactly these addresses of a kind, in this order, in place of `present`. The caller has locked all of
 * them and checked that none of the new ones is somebody else's.
 */
export async function replaceAddresses(
  trx: Trx,
  card: PersonRow,
  kind: Address['kind'],
  wanted: Address[],
  present: Address[],
  now: Date,
) {
  const { id: person, workspace } = card
  const kept = new Set(wanted.map(keyOf))
  const known = new Set(present.map(keyOf))
  const gone = present.filter((one) => one.kind === kind && !kept.has(keyOf(one)))
  const asked = kind === 'email' ? await listWishes(trx, workspace, gone) : []
  if (gone.length > 0)
    await trx
      .deleteFrom('addresses')
      .where('workspace', '=', workspace)
      .where('person', '=', person)
      .where('kind', '=', kind)
      .where(
        'value',
        'in',
        gone.map(({ value }) => value),
      )
      .execute()
  const fresh = wanted.filter((one) => !known.has(keyOf(one)))
  await insertAddresses(
    trx,
    workspace,
    fresh.map((address) => ({ ...address, person })),
  )
  if (wanted.length > 0) await putFirst(trx, person, wanted)
  for (const reason of asked)
    await suppressPeople(trx, { workspace, people: [person], reason, now })
}

async function listWishes(trx: Trx, workspace: string, emails: Address[]) {
  if (emails.length === 0) return []
  const rows = await trx
    .selectFrom('suppressions')
    .select('reason')
    .distinct()
    .where('workspace', '=', workspace)
    .where(
      'address',
      'in',
      emails.map(({ value }) => value),
    )
    .where('reason', 'in', wishes)
    .execute()
  return rows.map(({ reason }) => reason)
}
