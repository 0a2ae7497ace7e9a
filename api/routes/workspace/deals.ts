import { z } from 'zod'
import type { Db } from '../../../db/database.ts'
import { findPerson } from '../../../db/people/people.ts'
import { findAgent } from '../../../db/workspace/agents.ts'
import {
  type DealRow,
  findDeal,
  insertDeal,
  listDeals,
  lockDeal,
  updateDeal,
} from '../../../db/workspace/deals.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { PersonId } from '../../shapes/person-ids.ts'
import {
  CreatedAt,
  Id,
  IdParams,
  iso,
  isoOrNull,
  Label,
  next,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  text,
  withValues,
} from '../../shapes/shapes.ts'

const Deal = z
  .object({
    id: OwnId,
    label: z.string().describe('The id of the product.'),
    seller: z.string().describe('The id of the person who sells.'),
    buyer: z.string().describe('The id of the person who buys.'),
    agent: z.string().describe('The id of the agent that leads both sides.'),
    client: Label.describe('The buyer.'),
    partner: Label.describe('The seller.'),
    stage: z
      .string()
      .describe(
        'Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`.',
      ),
    state: z.enum(['open', 'closed']).describe(
      withValues('The state of the deal.', {
        open: 'it is open',
        closed: 'it is closed',
      }),
    ),
    closed: z.boolean().describe('Whether it is closed.'),
    createdAt: CreatedAt,
    closedAt: z.string().nullable().describe('When it was closed; null while it is open.'),
  })
  .meta({ id: 'Deal' })

const NewDeal = z
  .strictObject({
    label: text(255).describe('The product, by its id or exact name.'),
    seller: PersonId.describe('The id of the person who sells.'),
    buyer: PersonId.describe('The id of the person who buys; must differ from the seller.'),
    agent: Id.describe('The id of the agent that leads both sides.'),
  })
  .refine(({ seller, buyer }) => seller !== buyer, {
    path: ['buyer'],
    message: 'must be a different person from the seller',
  })
  .meta({ id: 'NewDeal' })

const Edit = z
  .strictObject({
    stage: optional(text(100)).describe(
      'Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`.',
    ),
    closed: optional(z.boolean()).describe('True closes the deal, false reopens it.'),
  })
  .refine(({ stage, closed }) => (stage === undefined) !== (closed === undefined), {
    message: 'must have exactly one of stage and closed',
  })
  .meta({ id: 'DealUpdate' })

const shown = (row: DealRow): z.input<typeof Deal> => ({
  id: row.id,
  label: row.label,
  seller: row.seller,
  buyer: row.buyer,
  agent: row.agent,
  client: { id: row.buyer, name: row.buyerName },
  partner: { id: row.seller, name: row.sellerName },
  stage: row.stage,
  state: row.closedAt ? 'closed' : 'open',
  closed: row.closedAt !== null,
  createdAt: iso(row.createdAt),
  closedAt: isoOrNull(row.closedAt),
})

const shownDeal = async (db: Db, workspace: string, id: string) =>
  shown(found(await findDeal(db, workspace, id), 'deal'))

export const routes = [
  read({
    path: '/deals',
    operationId: 'listDeals',
    summary: 'List deals',
    description: 'Newest first.',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging.extend({
      state: z
        .enum(['open', 'closed'])
        .optional()
        .describe(
          withValues('Only deals in this state; by default both.', {
            open: 'open deals',
            closed: 'closed deals',
          }),
        ),
    }),
    response: z
      .object({ deals: z.array(Deal).describe('The deals, newest first.'), next })
      .meta({ id: 'DealList' }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listDeals(db, workspace.id, query, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      return { deals: items.map(shown), next }
    },
  }),
  read({
    path: '/deals/{id}',
    operationId: 'getDeal',
    summary: 'Read a deal',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: Deal,
    handler: ({ params }, { db, workspace }) => shownDeal(db, workspace.id, params.id),
  }),
  change({
    method: 'POST',
    path: '/deals',
    operationId: 'createDeal',
    summary: 'Create a deal',
    description: 'Joins a product, a seller, a buyer and the agent that leads both sides.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'deal.created',
    // The interface leaves this open: the same product, people and agent may have several deals, one after another or
    // at the same time.
    body: NewDeal,
    example: {
      label: 'prd_01m5q8y2k7cv3',
      seller: 'per_01m5q8y2k7cv4',
      buyer: 'per_01m5q8y2k7cv3',
      agent: 'agt_01m5q8y2k7cv3',
    },
    response: Deal,
    handler: async ({ body }, { db, workspace, clock, changed }) => {
      const { seller, buyer, agent } = body
      const [label] = await findProductIds(db, workspace.id, [body.label])
      const known = {
        label,
        seller: await findPerson(db, workspace.id, seller),
        buyer: await findPerson(db, workspace.id, buyer),
        agent: await findAgent(db, workspace.id, agent),
      }
      const unknown = Object.entries(known).filter(([, row]) => row === undefined)
      if (!label || unknown.length > 0) throw unknownIds(unknown.map(([name]) => name))
      const createdAt = clock.now()
      const row = { workspace: workspace.id, label, seller, buyer, agent, createdAt }
      const id = await insertDeal(db, row)
      changed(id, null, { label, seller, buyer, agent })
      return shownDeal(db, workspace.id, id)
    },
  }),
  change({
    method: 'PATCH',
    path: '/deals/{id}',
    operationId: 'updateDeal',
    summary: 'Edit a deal',
    description:
      'Moves it to another stage, closes it or reopens it. Each call takes either `stage` or `closed`.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'deal.edited',
    params: IdParams,
    // The interface leaves the stage of a closed deal open: it may still be changed, such as to won or lost.
    body: Edit,
    example: { stage: 'negotiating' },
    response: Deal,
    handler: async ({ params, body }, { db, workspace, clock, changed }) => {
      const row = found(await lockDeal(db, workspace.id, params.id), 'deal')
      const { stage, closed } = body
      if (stage !== undefined && stage !== row.stage) {
        await updateDeal(db, row.id, { stage })
        changed(row.id, { stage: row.stage }, { stage })
      }
      if (closed !== undefined && closed !== (row.closedAt !== null)) {
        await updateDeal(db, row.id, { closedAt: closed ? clock.now() : null })
        changed(row.id, { closed: !closed }, { closed })
      }
      return shownDeal(db, workspace.id, row.id)
    },
  }),
]

function unknownIds(members: string[]) {
  const [first = '', ...more] = members
  const refusal = invalid(`/${first}`, 'unknown_id', 'is not known in this workspace')
  if (more.length === 0) return refusal
  const errors = members.map(
    (member): Problem => ({ ...(refusal.errors?.[0] as Problem), pointer: `/${member}` }),
  )
  return new ApiError('validation_failed', refusal.message, { errors })
}
