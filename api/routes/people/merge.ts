import { z } from 'zod'
import { suppressPeople } from '../../../db/accounts/suppressions.ts'
import { endMerged, mergeLetters } from '../../../db/campaigns/merge-letters.ts'
import { planAnew } from '../../../db/campaigns/planning.ts'
import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import { failTouches } from '../../../db/campaigns/touches.ts'
import type { Trx } from '../../../db/database.ts'
import { refuseLetters } from '../../../db/inbox/stop-letters.ts'
import { givenOf, lockManyCards } from '../../../db/people/cards.ts'
import { holdPerson } from '../../../db/people/holds.ts'
import {
  findDealBetween,
  gainedBy,
  listForbidding,
  longestHold,
  mergeCards,
  shareSegmentsOf,
} from '../../../db/people/merge.ts'
import { type PersonRow, updatePerson } from '../../../db/people/people.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { checkedFields, PersonShape, presentPerson } from '../../shapes/people.ts'
import { PersonId, PersonParams } from '../../shapes/person-ids.ts'

const mostMerged = 50

const Merge = z
  .strictObject({
    from: z
      .array(PersonId)
      .min(1)
      .max(mostMerged)
      .describe('The ids of the other cards of this person, which become part of this one.'),
  })
  .meta({ id: 'PersonMerge' })

export const routes = [
  change({
    method: 'POST',
    path: '/people/{id}/merge',
    operationId: 'mergePeople',
    summary: 'Merge cards into one',
    description:
      'For one person who has several cards: everything that hangs on the others hangs on this one from now on, and this one gets what it does not have itself. What forbids letters to one of them forbids them to the person. The ids of the others lead to this card: `GET /people/{id}` answers it with `mergedInto`, and their changes are refused with 409 `merged`.',
    scopes: ['inbox:write'],
    action: 'person.merged',
    params: PersonParams,
    body: Merge,
    example: { from: ['per_01m5q8y2k7cv4'] },
    response: PersonShape,
    errors: ['conflict'],
    async handler({ params: { id }, body }, { db, workspace, clock, operation, changed }) {
      const from = [...new Set(body.from)]
      await shareSegmentsOf(db, workspace.id, [id, ...from])
      const { cards } = await lockManyCards(db, workspace.id, [], { people: [id, ...from] })
      const card = found(cards.get(id), 'person')
      const pointerOf = (other: string) => `/from/${body.from.indexOf(other)}`
      const others = from.map((other) => {
        if (other === id) throw invalid(pointerOf(other), 'same_card', 'is the card itself')
        const row = cards.get(other)
        if (row) return row
        throw invalid(pointerOf(other), 'unknown_id', 'There is no such person.')
      })
      await requireOnePerson(db, card, others, pointerOf)
      const gained = gainedBy(card, others)
      if (gained.fields) checkedFields(gained.fields)

      const now = clock.now()
      const of = { workspace: workspace.id, people: [id], now }
      const forbidding = await listForbidding(db, workspace.id, [id, ...from])
      const hold = longestHold([card, ...others], now)
      const campaigns = await mergeLetters(db, id, from, now)
      const addresses = await mergeCards(db, card, from, now)
      for (const reason of forbidding)
        if (reason === 'operator') {
          await suppressPeople(db, { ...of, reason, evidence: operation.id })
          await failTouches(db, of, 'suppressed', now)
        } else await refuseLetters(db, { ...of, reason, evidence: operation.id })
      await endMerged(db, id, campaigns, now)
      await planAnew(db, id, campaigns)
      if (hold) await holdPerson(db, id, hold, now)
      await readdressLetters(db, id, now)

      const before = Object.fromEntries(
        Object.keys(gained).map((name) => [name, card[name as keyof typeof gained]]),
      )
      changed(id, before, { from, ...gained, ...givenOf(addresses) })
      return presentPerson(db, await updatePerson(db, id, gained, now), now)
    },
  }),
]

/** @throws ApiError 409 for cards of which your own systems, or a deal, say that they are different people. */
async function requireOnePerson(
  db: Trx,
  card: PersonRow,
  others: PersonRow[],
  pointerOf: (other: string) => string,
) {
  const people = [card, ...others]
  const named = people.find(({ externalId }) => externalId !== null)
  const errors = people.flatMap(({ id, externalId }): Problem[] =>
    externalId === null || externalId === named?.externalId
      ? []
      : [
          {
            pointer: pointerOf(id),
            code: 'has_another',
            message: `has the externalId ${externalId}, and ${named?.id} has ${named?.externalId}`,
          },
        ],
  )
  const ids = people.map(({ id }) => id)
  if (errors[0])
    throw new ApiError('conflict', `${errors[0].pointer}: ${errors[0].message}.`, {
      errors,
      members: { people: ids },
    })
  const deal = await findDealBetween(db, card.workspace, ids)
  if (deal !== undefined)
    throw new ApiError('conflict', `In the deal ${deal}, one of them sells to another.`, {
      members: { people: ids },
    })
}
