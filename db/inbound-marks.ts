import type { Trx } from './database.ts'
import { type Marks, markConversation } from './marks.ts'

/** What a message says of its conversation: nothing where nobody wrote it. */
export const marksOf = (message: {
  text: string
  subject: string
  automated: boolean
}): Marks | undefined =>
  message.automated ? undefined : markConversation(message.text, message.subject)

/** Marks a conversation by what came in last, where the workspace has tagging on. */
export async function markReceived(
  trx: Trx,
  workspace: string,
  conversation: string,
  marks: Marks,
) {
  // What says nothing in particular leaves what was said before.
  if (marks.intent === 'other' && marks.importance === 'normal') return
  await trx
    .updateTable('conversations')
    .set(marks)
    .where('id', '=', conversation)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('workspaces')
          .select('id')
          .where('id', '=', workspace)
          .where('tagging', '=', true),
      ),
    )
    .execute()
}
