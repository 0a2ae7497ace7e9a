import type { ConnectionRow } from '../../db/accounts/connections.ts'
import {
  messageForbidden,
  messageKind,
  messageSent,
  messageSentAtOnce,
} from '../../db/conversations/message-life.ts'
import { claimMessage, type DueRow } from '../../db/conversations/message-sending.ts'
import { cancelQueuedMessage, findLastReceived } from '../../db/conversations/messages.ts'
import { claimOperation, operationWaits, type Run } from '../../db/operations/operations.ts'
import type { Refused } from '../../rules/outgoing.ts'
import type { Asked } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import { isWide, type Letter } from '../ports/mail/compose.ts'
import {
  type Composed,
  filesInMemory,
  filesOf,
  leaveOut,
  letterThrough,
  messageIdFor,
} from './message-letter.ts'
import { findLine, reconcileMessage } from './reconcile-message.ts'

export type Sent = Awaited<ReturnType<typeof messageSent>>

type Delivery = {
  operation: string
  account?: ConnectionRow | undefined
  /** The run for which the operation is claimed with the message: it was not claimed before. */
  run?: Run | undefined
  /** Its letter through the account, if that was composed ahead. */
  composed?: Composed | undefined
  /** Asked right before the claim: if not, the attempt ends. */
  mayClaim?(): boolean
} & Asked

/** One attempt to deliver a message. Answers the result of its operation if this attempt has sent it. */
export async function deliverMessage(
  deps: Deps,
  message: DueRow,
  { operation, asked, account, run, composed, mayClaim }: Delivery,
): Promise<Sent | undefined> {
  const { db, clock } = deps
  if (message.state === 'sending') return void (await reconcileMessage(deps, message))
  if (message.state !== 'queued') return undefined
  if (message.kind !== 'email' && !(await findLine(deps, message))) {
    await forbid('no_bridge')
    return undefined
  }

  function forbid(reason: string) {
    return db.transaction().execute((trx) => messageForbidden(trx, message, reason, clock.now()))
  }

  let sent: Sent
  let left: Refused[] = []
  let head = composed?.head
  const messageId = messageIdFor(message)
  const files = message.hasFiles ? await filesOf(deps, message) : []
  await handOver(deps, {
    kind: {
      ...messageKind,
      sent: async (trx, marker, externalId, refused) => {
        sent = await messageSent(trx, marker, externalId, refused)
      },
      sentAtOnce: async (db, marker) => {
        sent = await messageSentAtOnce(db, { ...marker, letter: { ...message, messageId } })
        return sent !== undefined
      },
    },
    row: message,
    asked,
    connection: message.connection,
    account,
    to: message.toAddress,
    mail: composed?.mail,
    letter: (connection) => {
      const made = letterThrough(message, connection, files, clock.now())
      head = made.head
      return made.letter
    },
    ...(message.cc.length + message.bcc.length > 0 && {
      left: (letter: Letter) => leaveOut(letter, left),
    }),
    async bridged(account) {
      const { contents, release } = await filesInMemory(deps, message, files)
      const posted = {
        id: message.id,
        connection: account.id,
        account: account.account,
        conversation: message.conversation,
        to: message.toAddress,
        text: message.text,
        inReplyTo: await findLastReceived(db, message.conversation),
        ...(contents.length > 0 && { files: contents }),
      }
      return { message: posted, release }
    },
    async claim(attempt, connection, { takesWide, isProbe }) {
      if (mayClaim?.() === false) return false
      const marker = { connection, attempt, messageId }
      const unreachable = takesWide ? [] : [...message.cc, ...message.bcc].filter(isWide)
      const { isSuppressed, isSpam, isClaimed, refused } = await claimMessage(
        db,
        clock,
        message,
        marker,
        {
          head: head && { ...head, cc: head.cc.filter((one) => !unreachable.includes(one)) },
          unreachable,
          isProbe,
          ...(run && { owner: { operation, ...run } }),
        },
      )
      left = refused ?? []
      // Whether the operation belongs to this run is not known, so what forbids the message is left to an attempt that knows.
      if (run) return isClaimed
      if (isSuppressed) await forbid('suppressed')
      // The conversation was closed as spam while the message was being sent and then put off. Closing cancels what is queued,
      // so this message is cancelled too.
      else if (isSpam) await cancelQueuedMessage(db, message.id)
      return isClaimed
    },
    async held() {
      if (run && !(await claimOperation(db, operation, run, clock.now()))) return
      await operationWaits(db, operation, 'connection')
    },
  })
  return sent
}
