import { z } from 'zod'
import { beginCards, bringCards } from '../../../db/people/card-words.ts'
import { lockManyCards } from '../../../db/people/cards.ts'
import { findErased } from '../../../db/people/erased.ts'
import { peopleHappened } from '../../../db/people/events.ts'
import { findMerged } from '../../../db/people/people.ts'
import { problemsWithin, withTexts } from '../../http/body.ts'
import { type Problem, refusalOf } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { mergedProblem } from '../../shapes/person-ids.ts'
import { ItemProblem, optional, withValues } from '../../shapes/shapes.ts'
import { refuseErased } from './card-edit.ts'
import { addressesIn, type Given, NewPerson, writePerson } from './create.ts'

const mostPeople = 500
/** So that the answer to many wrong people is not many times as long as the call. */
const mostProblems = 20

type Refused = { refused: Problem[] }

/** A person, or what is wrong with them: nobody is refused because somebody else is. */
const Person = withTexts(NewPerson).catch((caught): never => {
  // The reference asks for a value of its own, without a person.
  const issues = caught?.error.issues
  const refused: Refused | undefined = issues && { refused: problemsWithin(issues, mostProblems) }
  return refused as never
})

type Item = Given | Refused

export const routes = [
  change({
    method: 'POST',
    path: '/people/bulk',
    operationId: 'savePeople',
    summary: 'Create or complete many people',
    description:
      'Takes up to 500 people as `POST /people` does, in their order, and writes them all in one transaction. A person who is refused changes nothing and refuses nobody else. The card is found by `into`, by `externalId` and by the addresses; people of the same call can be one.',
    scopes: ['inbox:write'],
    action: 'people.saved',
    bodyLimit: 4 * 1024 * 1024,
    body: z
      .strictObject({
        people: z
          .array(Person)
          .max(mostPeople)
          .describe('The people, each with the members of `POST /people`.'),
        mode: optional(z.enum(['complete', 'update'])).describe(
          withValues('What given members do to a card that there is already.', {
            complete: 'they fill what is empty; this is the default',
            update: 'they replace what stands there, and given addresses come first',
          }),
        ),
      })
      .meta({ id: 'PeopleBulk' }),
    example: {
      people: [
        { externalId: 'crm-4711', email: 'ines@caldeira.example', fields: { tier: 'gold' } },
        { name: 'Marco Bellini', email: 'marco@bellinicucina.example' },
      ],
      mode: 'update',
    },
    response: z
      .object({
        results: z
          .array(
            z
              .object({
                index: z.number().describe('The place of the person in the call, from 0.'),
                outcome: z.enum(['created', 'completed', 'updated', 'same', 'refused']).describe(
                  withValues('What became of the person.', {
                    created: 'a new card was made',
                    completed: 'a card has gained something, with the mode `complete`',
                    updated: 'a card was changed, with the mode `update`',
                    same: 'the card says all of it already',
                    refused: 'nothing was written; see `errors`',
                  }),
                ),
                person: z.string().optional().describe('The id of the card; absent if refused.'),
                errors: z
                  .array(ItemProblem)
                  .optional()
                  .describe('At most 20 reasons for a refusal; absent if there was none.'),
              })
              .meta({ id: 'PeopleBulkResult' }),
          )
          .describe('What became of each person, in the order of the call.'),
      })
      .meta({ id: 'PeopleBulkResults' }),
    async handler({ body }, context) {
      const { db, workspace, clock, secretKey, operation, changed } = context
      const { mode = 'complete' } = body
      const edits = mode === 'update' ? 'updated' : 'completed'
      const people = body.people as Item[]
      const asked = people.flatMap((person) => ('refused' in person ? [] : [person]))
      const addresses = asked.flatMap(addressesIn)
      const named = asked.flatMap(({ into }) => into ?? [])
      const known = await lockManyCards(db, workspace.id, addresses, {
        externalIds: asked.flatMap(({ externalId }) => externalId ?? []),
        people: named,
      })
      const erased = await findErased(db, secretKey, workspace.id, addresses)
      const merged = await findMerged(db, workspace.id, named)
      const write = async (person: Item): Promise<Outcome> => {
        if ('refused' in person) return refusedWith(person.refused)
        const mergedInto = merged.get(person.into ?? '')
        if (mergedInto !== undefined)
          return refusedWith([{ pointer: '/into', ...mergedProblem(mergedInto) }])
        try {
          refuseErased(erased, addressesIn(person))
          const { row, created, change } = await writePerson(context, person, known, mode)
          const outcome = created ? 'created' : change ? edits : 'same'
          return { outcome, person: row.id, members: Object.keys(change?.after ?? {}) }
        } catch (error) {
          return refusedWith(refusalOf(error))
        }
      }
      const written: Outcome[] = []
      await beginCards(db)
      for (const person of people) written.push(await write(person))

      const by = { client: context.client, key: operation.key }
      const happened = { workspace: workspace.id, at: clock.now(), operation: operation.id, by }
      const { made, edited } = happenedTo(written)
      await bringCards(
        db,
        workspace.id,
        [...made, ...edited].map(({ id }) => id),
      )
      await peopleHappened(db, { ...happened, kind: 'person.created' }, made)
      await peopleHappened(db, { ...happened, kind: 'person.edited' }, edited)
      const counts = { created: made.length, [edits]: edited.length }
      if (made.length + edited.length > 0) changed(workspace.id, undefined, counts)
      return {
        results: written.map(({ outcome, person, errors }, index) => ({
          index,
          outcome,
          ...(person !== undefined && { person }),
          ...(errors && { errors }),
        })),
      }
    },
  }),
]

type Outcome = {
  outcome: 'created' | 'completed' | 'updated' | 'same' | 'refused'
  person?: string
  members?: string[]
  errors?: Problem[]
}

const refusedWith = (errors: Problem[]): Outcome => ({ outcome: 'refused', errors })

/** The cards that were made, and the others that were changed, each once with the members that it was given. */
function happenedTo(written: Outcome[]) {
  const made = new Map<string, Set<string>>()
  const edited = new Map<string, Set<string>>()
  for (const { outcome, person, members } of written) {
    if (person === undefined || outcome === 'same') continue
    const to = outcome === 'created' || made.has(person) ? made : edited
    to.set(person, new Set([...(to.get(person) ?? []), ...(members ?? [])]))
  }
  const listed = (cards: typeof made) =>
    [...cards].map(([id, members]) => ({ id, members: [...members] }))
  return { made: listed(made), edited: listed(edited) }
}
