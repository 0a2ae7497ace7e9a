import { z } from 'zod'
import type { Suppressions } from '../../db/schema.ts'
import {
  liftSuppression,
  listSuppressions,
  readSuppressed,
  suppressAddress,
} from '../../db/suppressions.ts'
import { found } from '../errors.ts'
import { change, read } from '../route.ts'
import { IdParams, iso, next, Paging, page, readCursor } from '../shapes.ts'

// Beyond the interface: the addresses that must not be written to, why, and what proves it.

const Suppression = z
  .object({
    id: z.string(),
    address: z.string(),
    reason: z.string(),
    at: z.string(),
    evidence: z.string().nullable(),
  })
  .meta({ id: 'Suppression' })

type Row = Pick<Suppressions, 'address' | 'reason' | 'at' | 'touch' | 'evidence'> & { id: string }

const present = (row: Row): z.input<typeof Suppression> => ({
  id: row.id,
  address: row.address,
  reason: row.reason,
  at: iso(row.at),
  evidence: row.evidence ?? row.touch,
})

const Address = z
  .string()
  .max(320)
  .refine((text) => readSuppressed(text) !== undefined, {
    message: 'must be an e-mail address, a phone number or the address of a profile',
  })

export const routes = [
  read({
    path: '/suppressions',
    summary: 'The addresses that must not be written to, newest first',
    description:
      'One entry for each address and reason: `unsubscribe` stops campaigns only, the others refuse replies too. `evidence` is the message that proves it, or the letter whose link was followed.',
    scopes: ['inbox:read'],
    query: Paging.extend({ address: z.string().max(320).optional() }),
    response: z.object({ suppressions: z.array(Suppression), next }),
    async handler({ query }, { db, workspace }) {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listSuppressions(db, workspace.id, query.address, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      return { suppressions: items.map(present), next }
    },
  }),
  change({
    method: 'POST',
    path: '/suppressions',
    summary: 'Forbids writing to an address; one that is forbidden already stays as it is',
    scopes: ['inbox:write'],
    action: 'suppression.added',
    body: z.strictObject({ address: Address }),
    example: { address: 'no-more@client.example' },
    response: Suppression,
    async handler({ body: { address } }, { db, workspace, clock, changed }) {
      const now = clock.now()
      const { row, added } = await suppressAddress(db, {
        ...{ workspace: workspace.id, address, reason: 'operator', now },
      })
      if (added) changed(row.id, undefined, { address: row.address, reason: row.reason })
      return present(row)
    },
  }),
  change({
    method: 'DELETE',
    path: '/suppressions/{id}',
    summary: 'Allows writing to an address again, unless another entry forbids it',
    scopes: ['send'],
    action: 'suppression.lifted',
    params: IdParams,
    response: z.object({ id: z.string(), deleted: z.literal(true) }),
    async handler({ params }, { db, workspace, changed }) {
      const row = found(
        await liftSuppression(db, { workspace: workspace.id, id: params.id }),
        'suppression',
      )
      changed(row.id, { address: row.address, reason: row.reason }, { reason: null })
      return { id: row.id, deleted: true as const }
    },
  }),
]
