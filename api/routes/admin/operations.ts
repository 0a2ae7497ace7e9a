import { z } from 'zod'
import { findOperation, isAdministrative, operationId } from '../../../db/operations/operations.ts'
import { findErased, findSeen } from '../../../db/workspace/admin-tokens.ts'
import { missing } from '../../http/errors.ts'
import { adminRead, type Route } from '../../route.ts'
import { Id } from '../../shapes/shapes.ts'
import { Operation, presentOperation } from '../operations/operations.ts'

/** `all` are the routes of the administration. */
export const operationRoutes = (all: () => Route[]): Route[] => [
  adminRead({
    path: '/operations/{key}',
    operationId: 'getAdminOperation',
    summary: 'Read what became of a call to the administration',
    description:
      'The call is found by its `Idempotency-Key` and the workspace that it concerned, while it is being carried out and for 30 days afterwards. Calls of members are not found here.',
    scopes: [],
    params: z.object({ key: Id.describe('The `Idempotency-Key` of the call.') }),
    query: z.strictObject({
      workspace: Id.optional().describe(
        'The workspace that the call concerned. A token that sees one alone may leave it out.',
      ),
    }),
    response: Operation,
    async handler({ params, query }, context) {
      const { db, workspace: none, only, token } = context
      const named = query.workspace ?? only ?? none.id
      const erased = await findErased(db, token, named)
      const of =
        (await findSeen(db, token, named)) ??
        (erased?.operation === operationId(named, params.key) ? erased : undefined)
      const row = of && (await findOperation(db, operationId(of.id, params.key)))
      if (!row || !isAdministrative(row)) throw missing('operation')
      return presentOperation(row, all(), context)
    },
  }),
]
