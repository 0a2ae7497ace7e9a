import { readerWorkflowId } from '../../../db/accounts/mailboxes.ts'
import { noteProblem } from '../../../db/accounts/problems.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import { enqueueSignal } from '../../../db/operations/outbox.ts'
import { whatToDo } from '../../../rules/oauth.ts'
import type { Deps } from '../../deps.ts'
import { type MailTrouble, whyOfMail } from '../../ports/mail/smtp.ts'

// What is said of a mailbox that cannot be read.

// This signal only informs, so all other commands go first.
const priority = 4

/**
 * Notes the trouble, and shows it in the mailbox's handle. The sentence says what an operator needs: what is wrong, where, since
 * when, when it is tried again, and what can be done.
 */
export async function tellTrouble(
  deps: Deps,
  { id, workspace, imap, oauth }: Reader,
  error: MailTrouble,
  { pauseMs, isNews }: { pauseMs: number; isNews: boolean },
): Promise<string> {
  const { db, clock, searchable } = deps
  const { code } = error
  const now = clock.now()
  const since = (await noteProblem(db, 'reading', id, code, now)) ?? now
  const todo = whatToDo(code, { id, oauth })
  const again =
    pauseMs < minute
      ? 'It is tried again within a minute'
      : `It is tried again in ${Math.round(pauseMs / minute)} min`
  const text = `The mailbox of ${id} cannot be read (${whyOfMail(error, imap)}) since ${since.toISOString()}.${todo ? ` ${todo}` : ''} ${again}; the update retryNow tries at once.`
  if (isNews) {
    const trouble = { code, text, connection: id, searchable: searchable?.() === true }
    await enqueueSignal(db, readerWorkflowId(workspace, id), 'troubled', [trouble], { priority })
  }
  return text
}
const minute = 60_000
