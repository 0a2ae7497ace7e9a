import { messageKind } from '../../../db/conversations/message-life.ts'
import { findOutgoing } from '../../../db/conversations/message-sending.ts'
import { findMessage } from '../../../db/conversations/messages.ts'
import { restartOperation } from '../../../db/operations/upkeep.ts'
import { findLetterInHand } from '../../../db/outgoing/letters-in-hand.ts'
import { resolveLetter } from '../../../db/outgoing/resolve.ts'
import { found } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { MessageRead, presentMessage } from '../../shapes/message.ts'
import { notUnconfirmed, Resolution, whenUnconfirmed } from '../../shapes/resolution.ts'
import { IdParams } from '../../shapes/shapes.ts'

export const routes = [
  change({
    method: 'POST',
    path: '/messages/{id}/resolve',
    summary: 'Mark an unconfirmed message as sent, or send it again',
    description: whenUnconfirmed,
    scopes: ['send'],
    action: 'message.resolved',
    params: IdParams,
    body: Resolution,
    example: { outcome: 'sent' },
    response: MessageRead,
    errors: ['invalid_state'],
    async handler({ params, body: { outcome } }, context) {
      const { db, workspace, clock } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const read = found(await findOutgoing(db, id), 'message')
      const isResolved = await resolveLetter(db, messageKind, read, outcome, clock.now())
      const message = found(await findMessage(db, workspace.id, id), 'message')
      if (!isResolved) throw notUnconfirmed('message', message)
      await tellWorkflow(context, id)
      context.changed(id, undefined, { outcome })
      return presentMessage(message)
    },
  }),
]

/** The row has said everything: a workflow that waits reads it again, and one that was lost is started again. */
async function tellWorkflow({ db, signal }: ChangeContext, id: string) {
  const letter = await findLetterInHand(db, { id })
  if (letter?.workflow) await signal(letter.workflow, 'changed')
  if (letter?.operation?.waitingFor === 'restart') await restartOperation(db, letter.operation.id)
}
