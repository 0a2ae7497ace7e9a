import { z } from 'zod'
import { beginErasure } from '../../../db/erasure/begin.ts'
import { lockAddresses } from '../../../db/people/cards.ts'
import { findPerson, lockPerson } from '../../../db/people/people.ts'
import { listAddresses } from '../../../db/people/split.ts'
import { found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { PersonParams } from '../../shapes/person-ids.ts'

export const routes = [
  change({
    method: 'DELETE',
    path: '/people/{id}',
    operationId: 'erasePerson',
    summary: 'Erase a person',
    description:
      'Erases a person for good, such as for a request under Article 17 of the GDPR. What is queued for them ends, and the card is gone at once; the operation then erases what they have said and were told, and every place that names them. Ids, times, states and counts stay. Of each address a keyed hash is kept: campaigns never write to it again, an import answers its row `erased`, and creating the person again is refused.',
    scopes: ['inbox:write', 'send'],
    action: 'person.erased',
    params: PersonParams,
    response: z
      .object({
        id: z.string().describe('The id of the person, who is answered 404 from now on.'),
        erased: z.literal(true).describe('Always true.'),
      })
      .meta({ id: 'ErasedPerson' }),
    async handler({ params }, context) {
      const { db, workspace, clock, secretKey, operation } = context
      const known = found(await findPerson(db, workspace.id, params.id), 'person')
      await lockAddresses(db, workspace.id, await listAddresses(db, known.id))
      const card = found(await lockPerson(db, workspace.id, known.id), 'person')
      const waiting = await beginErasure(db, secretKey, card, operation.id, clock.now())
      for (const workflow of waiting) await context.signal(workflow, 'changed')
      context.changed(card.id)
      await context.start('erasePerson', [{ operation: operation.id }])
      return { id: card.id, erased: true as const }
    },
  }),
]
