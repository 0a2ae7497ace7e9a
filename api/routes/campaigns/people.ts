import { z } from 'zod'
import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import { findPeopleWith, findReactions, outcomes } from '../../../db/campaigns/outcomes.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { OutcomeOf, outcomeMeans, presentOutcome } from '../../shapes/outcome.ts'
import { cursorOf, IdParams, next, Paging, readCursor, withValues } from '../../shapes/shapes.ts'

const { queued: _, skipped: __, ...filters } = outcomeMeans

// Each looks at a thousand people at least, where few have replied and others write much.
const rounds = 10

/** The order of the list, so that a cursor of another one is recognised. */
const byPerson = 1

export const routes = [
  read({
    path: '/campaigns/{id}/people',
    summary: 'List the people of a campaign by outcome',
    description:
      'With `outcome`, everybody of whom it is true: somebody who is interested has also replied, and was sent a letter. Without it, everybody who has a letter of the campaign, once, with what went furthest. In a very large campaign a page may hold fewer people than `limit`: read on until `next` is null.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging.extend({
      outcome: z
        .enum(outcomes)
        .optional()
        .describe(withValues('Only people with this outcome.', filters)),
    }),
    response: z.object({
      people: z.array(OutcomeOf).describe('The people, in order of their ids.'),
      next,
    }),
    async handler({ params, query: { cursor, limit, outcome } }, { db, workspace, clock }) {
      const campaign = found(await findCampaign(db, workspace.id, params.id), 'campaign')
      const [, after = ''] = readCursor(cursor, 'number', 'text') ?? []
      const now = clock.now()
      const people: string[] = []
      let last: string | undefined = after
      for (let round = 0; round < rounds && last !== undefined && people.length <= limit; round++) {
        const page = { after: last, limit: limit + 1 - people.length, now }
        const found = await findPeopleWith(db, campaign, outcome, page)
        people.push(...found.people)
        last = found.last
      }
      const shown = people.slice(0, limit)
      const known = shown.length > 0 ? await findReactions(db, campaign, shown) : []
      const end = people.length > limit ? shown.at(-1) : last
      return {
        // What has changed since the people were found is not shown under an outcome that is over.
        people: known.flatMap((person) => presentOutcome(person, outcome, now) ?? []),
        next: end === undefined ? null : cursorOf(byPerson, end),
      }
    },
  }),
]
