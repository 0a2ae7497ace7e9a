import { z } from 'zod'
import { findSuppressed } from '../../../db/accounts/suppressions.ts'
import { listSenders } from '../../../db/conversations/contacts.ts'
import { listFiles, readFilePieces } from '../../../db/conversations/files.ts'
import { messageKind } from '../../../db/conversations/message-life.ts'
import {
  findOutgoing,
  lockOutgoing,
  type OutgoingRow,
} from '../../../db/conversations/message-sending.ts'
import {
  cancelQueuedMessage,
  findMessage,
  findPage,
  insertQueuedMessage,
  listShowable,
  noteAgain,
  noteCalendar,
} from '../../../db/conversations/messages.ts'
import { lockFiles, takeFiles } from '../../../db/conversations/uploads.ts'
import type { Db } from '../../../db/database.ts'
import { newId } from '../../../db/ids.ts'
import { restartOperation } from '../../../db/operations/upkeep.ts'
import { findLetterInHand } from '../../../db/outgoing/letters-in-hand.ts'
import { resolveLetter } from '../../../db/outgoing/resolve.ts'
import { makeSafe, type SafePage } from '../../../process/children/page.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { imageType } from '../../../rules/mail/html/image-type.ts'
import { ApiError, found, invalid, missing } from '../../http/errors.ts'
import { Page, type PageAnswer } from '../../http/file-answer.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { type ChangeContext, change, read } from '../../route.ts'
import {
  notAgain,
  notUnconfirmed,
  Resolution,
  whenAgain,
  whenUnconfirmed,
} from '../../shapes/after-sending.ts'
import { largestFiles } from '../../shapes/file.ts'
import { MessageRead, presentMessage, presentQueued, QueuedMessage } from '../../shapes/message.ts'
import { IdParams, withValues } from '../../shapes/shapes.ts'
import { toSuppressed } from './letter.ts'
import { announced } from './messages.ts'

// One message that is there: read, cancel, resolve, send again, and its HTML.

export const routes = [
  read({
    path: '/messages/{id}',
    operationId: 'getMessage',
    summary: 'Read a message',
    scopes: ['inbox:read'],
    params: IdParams,
    response: MessageRead,
    handler: async ({ params }, { db, workspace }) =>
      presentMessage(found(await findMessage(db, workspace.id, params.id), 'message')),
  }),

  // Beyond the interface: cancels a message that has not been sent yet.
  change({
    method: 'DELETE',
    path: '/messages/{id}',
    operationId: 'cancelMessage',
    summary: 'Cancel a queued message',
    scopes: ['send'],
    action: 'message.cancelled',
    params: IdParams,
    response: QueuedMessage,
    errors: ['invalid_state'],
    async handler({ params }, context) {
      const { db, workspace } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const cancelled = await cancelQueuedMessage(db, id)
      // Read only once the outcome is certain: another call, or the queue, may have been faster.
      const message = found(await findMessage(db, workspace.id, id), 'message')
      if (cancelled) {
        if (message.operation) await context.signal(message.operation, 'changed')
        context.changed(message.id, { state: 'queued' }, { state: 'cancelled' })
      } else if (message.state !== 'cancelled')
        throw new ApiError(
          'invalid_state',
          `A message that is ${message.state} cannot be cancelled.`,
          {
            members: { state: message.state, allowed: [] },
          },
        )
      return presentQueued(message)
    },
  }),

  change({
    method: 'POST',
    path: '/messages/{id}/resolve',
    operationId: 'resolveMessage',
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

  change({
    method: 'POST',
    path: '/messages/{id}/again',
    operationId: 'sendMessageAgain',
    summary: 'Send a failed message anew',
    description: `Queues a new message with the words, files and recipients of one that failed. ${whenAgain} A letter of a campaign is sent anew by POST /campaigns/{id}/touches/{touch}/again.`,
    scopes: ['send'],
    action: 'message.queued',
    params: IdParams,
    response: QueuedMessage,
    errors: ['invalid_state', 'recipient_suppressed', 'quota_exceeded'],
    async handler({ params }, context) {
      const { db, workspace } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const failed = found(await lockOutgoing(db, id), 'message')
      requireFailed(failed)
      await requireWays(context, failed)
      const message = {
        id: newId('msg'),
        workspace: workspace.id,
        conversation: failed.conversation,
        senderName: failed.senderName,
        senderHandle: failed.senderHandle,
        toAddress: failed.toAddress,
        subject: failed.subject,
        text: failed.text,
        sendAt: null,
        now: context.clock.now(),
        connection: failed.connection ?? '',
        operation: context.operation.id,
        automated: failed.automated,
        ...(failed.agent !== null && { agent: failed.agent }),
      }
      const { html, cc, bcc, repliesTo } = failed
      const isPlain = html === null && cc.length + bcc.length === 0 && repliesTo === null
      const beside = isPlain ? undefined : { html, cc, bcc, repliesTo }
      await insertQueuedMessage(db, message, beside)
      if (failed.calendar) await noteCalendar(db, message.id, failed.calendar)
      const files = await copyFiles(context, id, message.id)
      await noteAgain(db, id, message.id)
      await withinQuotas(context, { queuedMessages: 1, bytes: true })
      return announced(context, message, { beside, files }, failed.person, { again: id })
    },
  }),

  read({
    path: '/messages/{id}/html',
    operationId: 'getMessageHtml',
    summary: 'Read the HTML of a message',
    description:
      'As a page that is safe to show: without scripts, forms, frames and styles that load something, and under a `Content-Security-Policy` with `sandbox`. Inline images are part of it. It is 404 `not_found` where the message has no HTML, and 422 `unreadable_file` where the HTML is such that it cannot be made safe within a few seconds: the text says the same.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: z.strictObject({
      images: z
        .enum(['true', 'false'])
        .default('false')
        .describe(
          withValues('Whether images from the web are shown.', {
            true: 'they are shown, and their servers learn when and where the message is read',
            false: 'their alternative texts are shown in their place',
          }),
        ),
    }),
    response: Page,
    errors: ['unreadable_file'],
    async handler({ params, query }, { db, workspace }): Promise<PageAnswer> {
      const message = found(await findPage(db, workspace.id, params.id), 'message')
      if (message.html === null) throw missing('HTML of this message')
      const files = (await listShowable(db, workspace.id, message.id)).flatMap((file) => {
        const type = file.size > 0 ? imageType(file.type, file.head) : undefined
        return type === undefined ? [] : [{ ...file, type }]
      })
      const images = query.images === 'true'
      const named = files.map(({ cid, name }) => ({ cid, name }))
      const safe = await makeSafe({ html: message.html, images, files: named }, workspace.id)
      if (!safe)
        throw new ApiError(
          'unreadable_file',
          'The HTML of this message cannot be made safe within the limits of time and memory; its text says the same.',
        )
      const pieces = [head, ...piecesOf(safe, files)]
      const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
      return { size, images, pieces: () => stream(db, pieces) }
    },
  }),
]

/** The row has said everything: a workflow that waits reads it again, and one that was lost is started again. */
async function tellWorkflow({ db, signal }: ChangeContext, id: string) {
  const letter = await findLetterInHand(db, { id })
  if (letter?.workflow) await signal(letter.workflow, 'changed')
  if (letter?.operation?.waitingFor === 'restart') await restartOperation(db, letter.operation.id)
}

function requireFailed({ state, direction, touch, again, removedAt }: OutgoingRow) {
  if (direction !== 'outbound') throw notAgain(state, 'Only a message of ours can be sent anew.')
  if (state !== 'failed') throw notAgain(state, `A message that is ${state} is not sent anew.`)
  if (again !== null) throw notAgain(state, `It has been sent anew already, as ${again}.`)
  if (removedAt !== null) throw notAgain(state, 'What it said was removed.')
  if (touch !== null)
    throw notAgain(
      state,
      `It is a letter of a campaign: POST /campaigns/{id}/touches/${touch}/again.`,
    )
}

/** Its recipients may still be written to, and its account is still there. */
async function requireWays({ db, workspace, member }: ChangeContext, failed: OutgoingRow) {
  const { kind, connection, toAddress, cc, bcc } = failed
  const suppressed = await findSuppressed(
    db,
    workspace.id,
    [toAddress, ...cc, ...bcc].map(comparedForm),
  )
  if (suppressed.size > 0)
    throw toSuppressed(suppressed.has(comparedForm(toAddress)) ? '/to' : '/cc')
  const senders = await listSenders(db, workspace.id, member.id, kind)
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

// In standards mode, as mail programs show it.
const head = '<!doctype html>\n'

type Image = { id: string; type: string; size: number }
type Piece = string | Image

/**
 * The page in order. Images may have as many bytes as the files of a message, also if one is shown many times; those that do not
 * fit are left out.
 */
function piecesOf({ html, files }: SafePage, images: Image[]): Piece[] {
  let left = largestFiles
  return html.flatMap((text, at) => {
    const image = images[files[at] ?? -1]
    if (!image || image.size > left) return [text]
    left -= image.size
    return [text, image]
  })
}

const beginOf = ({ type }: Image) => `data:${type};base64,`
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

const sizeOf = (piece: Piece) =>
  typeof piece === 'string'
    ? Buffer.byteLength(piece)
    : beginOf(piece).length + base64Length(piece.size)

async function* stream(db: Db, pieces: Piece[]): AsyncGenerator<string> {
  for (const piece of pieces)
    if (typeof piece === 'string') yield piece
    else {
      yield beginOf(piece)
      yield* base64Of(readFilePieces(db, piece.id, 0, piece.size - 1))
    }
}

/** Three bytes become four letters, so what is left over is encoded with the next piece. */
async function* base64Of(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield bytes.toString('base64', 0, whole)
  }
  yield rest.toString('base64')
}
