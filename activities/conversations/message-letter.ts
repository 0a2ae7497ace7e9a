import { listFiles, readFilePieces } from '../../db/conversations/files.ts'
import type { DueRow } from '../../db/conversations/message-sending.ts'
import { type LetterHead, type Refused, referencesTo } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Deps } from '../deps.ts'
import type { Unsigned } from '../outgoing/handover.ts'
import type { Letter, LetterFile } from '../ports/mail/compose.ts'

// The letter of a message: what its row, its files and its head make of it. When it is handed over and when its copy is filed in
// Sent, it is the same.

/** The columns of a message that its letter is made of. */
type Written = {
  id: string
  workspace: string
  toAddress: string
  subject: string
  text: string
  html: string | null
  automated: boolean
  calendar?: { method: 'reply'; content: string } | null
}

/** What of a message's header stands in no column. */
export function headOf(
  {
    toName,
    cc,
    thread,
    parentReferences,
  }: Pick<DueRow, 'toName' | 'cc' | 'thread' | 'parentReferences'>,
  from: string,
  now: Date,
): LetterHead {
  const [parent = null] = thread
  return {
    date: now.toISOString(),
    from,
    to: personalName(toName ?? '') ?? '',
    cc,
    inReplyTo: parent,
    references:
      parent !== null && parentReferences
        ? referencesTo(parent, parentReferences)
        : thread.toReversed(),
  }
}

/** The letter of a message, without its sender and its Message-ID. */
export const messageLetter = (
  { subject, text, html, automated, calendar, bcc = [] }: Written & { bcc?: string[] },
  { date, to, cc, inReplyTo, references, unsubscribeUrl }: LetterHead,
  files: LetterFile[],
) => ({
  toName: to,
  cc,
  bcc,
  subject,
  text,
  html: html ?? undefined,
  files,
  inReplyTo,
  references,
  unsubscribeUrl,
  automated,
  calendar: calendar ?? undefined,
  date: new Date(date),
})

/** The letter of a message that is claimed, without its sender. */
export async function letterOf(deps: Pick<Deps, 'db'>, message: DueRow): Promise<Unsigned> {
  const { head, messageId, toAddress: to, refused } = message
  if (!head || messageId === null) throw new Error('A message without a head was claimed.')
  const files = message.hasFiles ? await filesOf(deps, message) : []
  const letter = leaveOut(messageLetter(message, head, files), refused ?? [])
  return { ...letter, to, messageId }
}

/** The letter without those whom its claim has left out. */
export function leaveOut<L extends Pick<Letter, 'cc' | 'bcc'>>(letter: L, refused: Refused[]): L {
  const out = new Set(refused.map(({ address }) => address))
  const stay = (addresses: string[] = []) => addresses.filter((one) => !out.has(one))
  return { ...letter, cc: stay(letter.cc), bcc: stay(letter.bcc) }
}

/** The files of a message; their bytes are read from Postgres piece by piece, when they are asked for. */
export async function filesOf(
  { db }: Pick<Deps, 'db'>,
  { id, workspace }: Pick<Written, 'id' | 'workspace'>,
): Promise<LetterFile[]> {
  const files = await listFiles(db, workspace, id)
  return files.map(({ id: file, name, type, size, cid }) => ({
    ...{ name, type, size, cid },
    read: () => readFilePieces(db, file, 0, size - 1),
  }))
}
