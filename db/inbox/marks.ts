import { wordsOfForm } from '../../rules/form-words.ts'
import { type Marks, markConversation, unmarked } from '../../rules/marks.ts'
import type { Trx } from '../database.ts'

/** The marks that a message gives its conversation. If no person wrote it, it can only say that somebody is away. */
export function marksOf(message: {
  text: string
  subject: string
  /** The address of ours through which a group or a form sent it. */
  via?: string | null | undefined
  automated: boolean
  outOfOfficeUntil?: Date | undefined
}): Marks | undefined {
  const { text, via, subject } = message
  const marks = markConversation(via ? wordsOfForm(text) : text, subject)
  if (!message.automated) return marks
  if (message.outOfOfficeUntil || marks.intent === 'out_of_office')
    return { importance: 'low', intent: 'out_of_office' }
  return undefined
}

/** Marks a conversation by its latest inbound message, if the workspace has tagging on. */
export async function markReceived(
  trx: Trx,
  workspace: string,
  conversation: string,
  marks: Marks,
) {
  const silent = marks.intent === unmarked.intent && marks.importance === unmarked.importance
  await trx
    .updateTable('conversations')
    .set(marks)
    .where('id', '=', conversation)
    // A message without particular marks leaves the earlier ones, unless they say that somebody was away. An absence does not
    // replace other marks.
    .$if(silent, (q) => q.where('intent', '=', 'out_of_office'))
    .$if(marks.intent === 'out_of_office', (q) =>
      q.where('intent', '=', unmarked.intent).where('importance', '=', unmarked.importance),
    )
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
