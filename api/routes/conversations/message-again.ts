import { findSuppressed } from '../../../db/accounts/suppressions.ts'
import { listSenders } from '../../../db/conversations/contacts.ts'
import { listFiles } from '../../../db/conversations/files.ts'
import { lockOutgoing, type OutgoingRow } from '../../../db/conversations/message-sending.ts'
import {
  findMessage,
  insertQueuedMessage,
  noteAgain,
  noteCalendar,
} from '../../../db/conversations/messages.ts'
import { lockFiles, takeFiles } from '../../../db/conversations/uploads.ts'
import { newId } from '../../../db/ids.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { notAgain, whenAgain } from '../../shapes/again.ts'
import { QueuedMessage } from '../../shapes/queued-message.ts'
import { IdParams } from '../../shapes/shapes.ts'
import { toSuppressed } from './letter.ts'
import { announced } from './messages.ts'

export const routes = [
  change({
    method: 'POST',
    path: '/messages/{id}/again',
    summary: 'Send a failed message anew',
    description: `Queues a new message with the words, files and recipients of one that failed. ${whenAgain} A letter of a campaign is sent anew by POST /campaigns/{id}/touches/{touch}/again.`,
    scopes: ['send'],
    action: 'message.queued',
    params: IdParams,
    response: QueuedMessage,
    errors: ['invalid_state', 'recipient_suppressed'],
    async handler({ params }, context) {
      const { db, workspace } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const failed = found(await lockOutgoing(db, id), 'message')
      requireFailed(failed)
      await requireWays(context, failed)
      const message = {
        ...{ id: newId('msg'), workspace: workspace.id, conversation: failed.conversation },
        ...{ senderName: failed.senderName, senderHandle: failed.senderHandle },
        ...{ toAddress: failed.toAddress, subject: failed.subject, text: failed.text },
        ...{ sendAt: null, now: context.clock.now(), connection: failed.connection ?? '' },
        ...{ operation: context.operation.id, automated: failed.automated },
        ...(failed.agent !== null && { agent: failed.agent }),
      }
      const { html, cc, bcc, repliesTo } = failed
      const isPlain = html === null && cc.length + bcc.length === 0 && repliesTo === null
      const beside = isPlain ? undefined : { html, cc, bcc, repliesTo }
      await insertQueuedMessage(db, message, beside)
      if (failed.calendar) await noteCalendar(db, message.id, failed.calendar)
      const files = await copyFiles(context, id, message.id)
      await noteAgain(db, id, message.id)
      return announced(context, message, { beside, files }, failed.person, { again: id })
    },
  }),
]

function requireFailed({ state, direction, touch, again }: OutgoingRow) {
  if (direction !== 'outbound') throw notAgain(state, 'Only a message of ours can be sent anew.')
  if (state !== 'failed') throw notAgain(state, `A message that is ${state} is not sent anew.`)
  if (again !== null) throw notAgain(state, `It has been sent anew already, as ${again}.`)
  if (touch !== null)
    throw notAgain(
      state,
      `It is a letter of a campaign: POST /campaigns/{id}/touches/${touch}/again.`,
    )
}

/** Its recipients may still be written to, and its account is still there. */
async function requireWays({ db, workspace }: ChangeContext, failed: OutgoingRow) {
  const { kind, connection, toAddress, cc, bcc } = failed
  const suppressed = await findSuppressed(
    db,
    workspace.id,
    [toAddress, ...cc, ...bcc].map(comparedForm),
  )
  if (suppressed.size > 0)
    throw toSuppressed(suppressed.has(comparedForm(toAddress)) ? '/to' : '/cc')
  const senders = await listSenders(db, workspace.id, kind)
  if (!senders.some(({ id }) => id === connection))
    throw invalid('/via', 'unknown_connection', 'its account is not there any more')
}

async function copyFiles({ db, workspace }: ChangeContext, from: string, message: string) {
  const files = (await listFiles(db, workspace.id, from)).map(({ id, cid }) => ({ file: id, cid }))
  if (files.length === 0) return files
  const ids = files.map(({ file }) => file)
  const locked = await lockFiles(db, workspace.id, ids)
  await takeFiles(db, { workspace: workspace.id, message }, files, locked)
  return files
}
