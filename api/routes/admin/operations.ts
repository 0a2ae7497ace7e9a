import { z } from 'zod'
import { findOperationNamed, isAdministrative } from '../../../db/operations/operations.ts'
import { findErased, findSeen } from '../../../db/workspace/admin-tokens.ts'
import { missing } from '../../http/errors.ts'
import { type AdminReadContext, adminRead, type Route } from '../../route.ts'
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
    params: z.object({
      key: Id.describe('The `Idempotency-Key` of the call, or the id of the operation.'),
    }),
    query: z.strictObject({
      workspace: Id.optional().describe(
        'The workspace that the call concerned. A token that sees one alone may leave it out, and so may whoever gives the id of the operation.',
      ),
    }),
    response: Operation,
    async handler({ params: { key }, query }, context) {
      const named = query.workspace ?? context.only ?? context.workspace.id
      // The id of an operation begins with that of its workspace, which has no colon in it.
      const [own = '', rest] = query.workspace === undefined ? key.split(':', 2) : []
      const row =
        (await operationOf(context, named, key)) ??
        (rest === undefined ? undefined : await operationOf(context, own, key))
      if (!row || !isAdministrative(row)) throw missing('operation')
      return presentOperation(row, all(), context)
    },
  }),
]

/** An operation of a workspace that the token sees, or the one that erases a workspace; by its key or its whole id. */
async function operationOf({ db, token }: AdminReadContext, workspace: string, name: string) {
  const seen = await findSeen(db, token, workspace)
  const erased = seen ? undefined : await findErased(db, token, workspace)
  if (!seen && !erased) return undefined
  const row = await findOperationNamed(db, workspace, name)
  return erased && row?.id !== erased.operation ? undefined : row
}
