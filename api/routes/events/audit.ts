import { z } from 'zod'
import { listAudit } from '../../../db/events/audit.ts'
import { read } from '../../route.ts'
import { Application, iso, next, OwnId, Paging, page, readCursor } from '../../shapes/shapes.ts'

const Entry = z
  .object({
    id: OwnId,
    at: z.string().describe('When it was done.'),
    // Entries without a call were made by the operator, by a person who unsubscribed, or by the service itself.
    member: z
      .string()
      .describe('The member whose token was used; empty if it was not done by a call.'),
    client: Application.describe(
      'The application whose token was used; its members are empty if it was not done by a call.',
    ),
    action: z
      .string()
      .describe(
        'What was done, such as `campaign.edited`, or `access.opened` when a token is created.',
      ),
    resource: z.string().describe('The id of what was changed.'),
    before: z
      .unknown()
      .describe('The old values of the changed members; null if there was nothing before.'),
    after: z.unknown().describe('The new values of the changed members; null if nothing is left.'),
    key: z
      .string()
      .describe('The `Idempotency-Key` of the call; empty if it was not done by a call.'),
  })
  .meta({ id: 'AuditEntry' })

export const routes = [
  read({
    path: '/audit',
    operationId: 'listAuditEntries',
    summary: 'List audit entries',
    description: 'Who created tokens, and what was changed with them, newest first.',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z
      .object({
        entries: z
          .array(Entry)
          .describe('The entries, newest first: one for each executed change.'),
        next,
      })
      .meta({ id: 'AuditEntryList' }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listAudit(db, workspace.id, query.limit + 1, after)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      const entries = items.map((row) => ({
        ...row,
        at: iso(row.at),
        member: row.member ?? '',
        client: row.client ?? { id: '', name: '' },
        key: row.key ?? '',
      }))
      return { entries, next }
    },
  }),
]
