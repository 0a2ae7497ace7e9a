import { z } from 'zod'
import {
  findSuppressionById,
  liftSuppression,
  listSuppressions,
  readSuppressed,
  suppressAddress,
} from '../../../db/accounts/suppressions.ts'
import type { Suppressions } from '../../../db/accounts/tables.ts'
import { findErased } from '../../../db/people/erased.ts'
import { readAddress } from '../../../rules/addresses.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  Deleted,
  IdParams,
  iso,
  next,
  OwnId,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

// Beyond the interface: the addresses that must not be written to, the reason, and the proof.

const Suppression = z
  .object({
    id: OwnId,
    address: z.string().describe('The address that must not be written to.'),
    reason: z.string().describe(
      withValues('Why.', {
        unsubscribe: 'the person wants no more campaign letters',
        bounce: 'the address does not exist, or refuses mail for good',
        complaint: 'a letter was marked as unwanted',
        operator: 'it was suppressed by hand',
      }),
    ),
    at: z.string().describe('When it was suppressed.'),
    evidence: z
      .string()
      .nullable()
      .describe(
        'The id of the message that proves it, of the letter whose link was used, or of the import that said it; null if there is none.',
      ),
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
    message: 'must be an e-mail address, a phone number or a profile address',
  })

export const routes = [
  read({
    path: '/suppressions',
    operationId: 'listSuppressions',
    summary: 'List suppressed addresses',
    description:
      'One entry for each address and reason, newest first. `unsubscribe` stops campaigns only; the other reasons block replies too.',
    scopes: ['inbox:read'],
    query: Paging.extend({
      address: z.string().max(320).optional().describe('Only entries for this address.'),
    }),
    response: z
      .object({
        suppressions: z.array(Suppression).describe('The entries, newest first.'),
        next,
      })
      .meta({ id: 'SuppressionList' }),
    async handler({ query }, { db, workspace }) {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listSuppressions(db, workspace.id, query.address, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      return { suppressions: items.map(present), next }
    },
  }),
  read({
    path: '/suppressions/{id}',
    operationId: 'getSuppression',
    summary: 'Read a suppression',
    description: 'One entry, as the list shows it.',
    scopes: ['inbox:read'],
    params: IdParams,
    response: Suppression,
    handler: async ({ params }, { db, workspace }) =>
      present(found(await findSuppressionById(db, workspace.id, params.id), 'suppression')),
  }),
  change({
    method: 'POST',
    path: '/suppressions',
    operationId: 'createSuppression',
    summary: 'Suppress an address',
    description:
      'Nothing more is written to it. An address that is already suppressed stays unchanged.',
    scopes: ['inbox:write'],
    action: 'suppression.added',
    body: z
      .strictObject({
        address: Address.describe('An e-mail address, a phone number or a profile address.'),
      })
      .meta({ id: 'NewSuppression' }),
    example: { address: 'no-more@client.example' },
    response: Suppression,
    async handler({ body: { address } }, { db, workspace, clock, changed }) {
      const now = clock.now()
      const { row, added } = await suppressAddress(db, {
        workspace: workspace.id,
        address,
        reason: 'operator',
        now,
      })
      const { id, person, reason } = row
      if (added) changed(id, undefined, { address: row.address, reason }, undefined, { person })
      return present(row)
    },
  }),
  change({
    method: 'DELETE',
    path: '/suppressions/{id}',
    operationId: 'deleteSuppression',
    summary: 'Lift a suppression',
    description: 'The address may be written to again, unless another entry forbids it.',
    scopes: ['send'],
    action: 'suppression.lifted',
    params: IdParams,
    response: Deleted,
    errors: ['erased'],
    async handler({ params }, { db, workspace, secretKey, changed }) {
      const row = found(
        await liftSuppression(db, { workspace: workspace.id, id: params.id }),
        'suppression',
      )
      const { id, person, reason } = row
      // Whoever was erased and has written again is answered, and gets no letter of a campaign.
      const address = reason === 'unsubscribe' ? readAddress('email', row.address) : undefined
      if (address && (await findErased(db, secretKey, workspace.id, [address])).size > 0)
        throw new ApiError('erased', 'The person was erased: campaigns do not write to them again.')
      const before = { address: row.address, reason }
      changed(id, before, { reason: null }, undefined, { person })
      return { id: row.id, deleted: true as const }
    },
  }),
]
