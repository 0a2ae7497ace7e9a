import { z } from 'zod'
import { findAgent } from '../../db/agents.ts'
import type { Db } from '../../db/database.ts'
import {
  type DealRow,
  findDeal,
  insertDeal,
  listDeals,
  lockDeal,
  updateDeal,
} from '../../db/deals.ts'
import { findPerson } from '../../db/people.ts'
import { findProductIds } from '../../db/products.ts'
import { ApiError, found, invalid, type Problem } from '../errors.ts'
import { change, read } from '../route.ts'
import {
  Id,
  IdParams,
  iso,
  isoOrNull,
  Label,
  next,
  optional,
  Paging,
  page,
  readCursor,
  text,
} from '../shapes.ts'

const Deal = z
  .object({
    id: z.string(),
    label: z.string(),
    seller: z.string(),
    buyer: z.string(),
    agent: z.string(),
    client: Label,
    partner: Label,
    stage: z.string(),
    state: z.enum(['open', 'closed']),
    closed: z.boolean(),
    createdAt: z.string(),
    closedAt: z.string().nullable(),
  })
  .meta({ id: 'Deal' })

const NewDeal = z
  .strictObject({ label: text(255), seller: Id, buyer: Id, agent: Id })
  .refine(({ seller, buyer }) => seller !== buyer, {
    path: ['buyer'],
    message: 'must be another person than the seller',
  })

const Edit = z
  .strictObject({ stage: optional(text(100)), closed: optional(z.boolean()) })
  .refine(({ stage, closed }) => (stage === undefined) !== (closed === undefined), {
    message: 'must hold exactly one of stage and closed',
  })

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
    summary: 'Deals, newest first: client, partner, and where each stands',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging.extend({ state: z.enum(['open', 'closed']).optional() }),
    response: z.object({ deals: z.array(Deal), next }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listDeals(db, workspace.id, query, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      return { deals: items.map(shown), next }
    },
  }),
  read({
    path: '/deals/{id}',
    summary: 'One deal',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: Deal,
    handler: ({ params }, { db, workspace }) => shownDeal(db, workspace.id, params.id),
  }),
  change({
    method: 'POST',
    path: '/deals',
    summary: 'Join a product, a seller, a buyer and the agent that leads both sides',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'deal.created',
    // The interface leaves it open: the same four may have several deals, one after the other or at once.
    body: NewDeal,
    example: { label: 'prd_sensor', seller: 'per_mei', buyer: 'per_markus', agent: 'agt_eva' },
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
    summary: 'Move a deal to another stage, close it or open it again; one of them a call',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'deal.edited',
    params: IdParams,
    // The interface leaves the stage of a closed deal open: it may still be set, such as to won or lost.
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
