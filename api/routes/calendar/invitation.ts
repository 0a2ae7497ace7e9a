import { z } from 'zod'
import { findSuppression } from '../../../db/accounts/suppressions.ts'
import { findInvited, keepInvitation, putInvited } from '../../../db/calendar/invited.ts'
import { findReply, listSenders } from '../../../db/conversations/contacts.ts'
import {
  findMessage,
  insertQueuedMessage,
  noteCalendar,
} from '../../../db/conversations/messages.ts'
import type { MessageInvitation } from '../../../db/conversations/tables.ts'
import { newId } from '../../../db/ids.ts'
import { answerEvent, answerLetter, invitationAnswers } from '../../../rules/meeting-answer.ts'
import { ApiError, found, missing } from '../../http/errors.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { change } from '../../route.ts'
import { MessageRead, presentMessage } from '../../shapes/message.ts'
import { IdParams, optional, text, withValues } from '../../shapes/shapes.ts'
import { toSuppressed } from '../conversations/letter.ts'
import { announced, onlyOne } from '../conversations/messages.ts'

/** Refuses an invitation that needs no answer any more. @throws ApiError invalid_state. */
function refuseOver({ state, endsAt }: MessageInvitation, now: Date) {
  const why =
    state === 'cancelled'
      ? 'The meeting was cancelled.'
      : state === 'replaced'
        ? 'A newer message has another version of the invitation: answer that one.'
        : new Date(endsAt) <= now
          ? 'The meeting is over.'
          : undefined
  if (why) throw new ApiError('invalid_state', why, { members: { state, allowed: [] } })
}

export const routes = [
  change({
    method: 'POST',
    path: '/messages/{id}/invitation',
    operationId: 'answerInvitation',
    summary: 'Send the answer to an invitation',
    description:
      'Sends the answer to the organizer, for them and for their calendar program, as a message of the conversation. Accepted or tentative, the meeting is put into the calendar of the member whose account was invited; declined, it is taken out. It is 404 `not_found` where the message has no invitation.',
    scopes: ['send'],
    action: 'meeting.answered',
    params: IdParams,
    body: z
      .strictObject({
        answer: z.enum(invitationAnswers).describe(
          withValues('The answer.', {
            accepted: 'the member takes part',
            tentative: 'the member may take part',
            declined: 'the member does not take part',
          }),
        ),
        comment: optional(text(2_000)).describe('Words to the organizer.'),
      })
      .meta({ id: 'InvitationAnswer' }),
    example: { answer: 'accepted', comment: 'See you there.' },
    response: MessageRead,
    errors: ['invalid_state', 'sender_ambiguous', 'recipient_suppressed', 'quota_exceeded'],
    async handler({ params, body: { answer, comment } }, context) {
      const { db, workspace, clock } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const brought = await findInvited(db, id)
      const invitation = brought?.invitation
      if (!brought || !invitation) throw missing('invitation in this message')
      const now = clock.now()
      refuseOver(invitation, now)
      const shown = async () =>
        presentMessage(found(await findMessage(db, workspace.id, id), 'message'))
      if (invitation.state === answer && comment === undefined) return shown()
      if (await findSuppression(db, workspace.id, invitation.organizer))
        throw toSuppressed('/answer')

      const { conversation, connection, member } = brought
      const senders = await listSenders(db, workspace.id, member, 'email')
      const via = onlyOne(senders.filter((sender) => sender.id === connection))
      const said = { answer, comment, name: via.name }
      const answered: MessageInvitation = { ...invitation, state: answer }
      await keepInvitation(db, id, answered)
      const place = { workspace: workspace.id, connection, member, message: id }
      await putInvited(db, place, answered, now)
      const message = {
        ...answerLetter(invitation, said, workspace.timezone),
        id: newId('msg'),
        workspace: workspace.id,
        conversation,
        connection,
        now,
        senderName: via.name,
        senderHandle: via.account,
        toAddress: invitation.organizer,
        sendAt: null,
        operation: context.operation.id,
      }
      const beside = { html: null, cc: [], bcc: [], repliesTo: id }
      await insertQueuedMessage(db, message, beside)
      const content = answerEvent(invitation, said, { now, zone: workspace.timezone })
      await noteCalendar(db, message.id, { method: 'reply', content })
      await withinQuotas(context, { queuedMessages: 1, bytes: true })
      const { person } = found(await findReply(db, workspace.id, conversation), 'conversation')
      await announced(context, message, { beside, files: [] }, person)
      context.changed(id, { state: invitation.state }, { state: answer, message: message.id })
      return shown()
    },
  }),
]
