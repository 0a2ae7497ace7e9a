import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { listFiles, readFilePieces } from '../../db/conversations/files.ts'
import type { DueRow } from '../../db/conversations/message-sending.ts'
import { openPlaces } from '../../process/limits/places.ts'
import { type LetterHead, messageIdOf, type Refused, referencesTo } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Deps } from '../deps.ts'
import { mailOf } from '../outgoing/handover.ts'
import type { Letter, LetterFile, Mail } from '../ports/mail/compose.ts'

// The letter of a message: what its row, its files and the head that its claim writes down make of it. When it is handed over and
// when its copy is filed in Sent, it is the same.

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
  message: {
    toName: string | null
    cc: string[]
    thread: string[]
    parentReferences: string[] | null
  },
  from: string,
  now: Date,
): LetterHead {
  const { toName, cc, thread, parentReferences } = message
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

/** The letter of a message as it goes through an account, without its sender, and the head that its claim writes down. */
export function letterThrough(
  message: DueRow,
  { memberName }: Pick<ConnectionRow, 'memberName'>,
  files: LetterFile[],
  now: Date,
) {
  const head = headOf(message, memberName, now)
  return {
    head,
    letter: { ...messageLetter(message, head, files), messageId: messageIdFor(message) },
  }
}

/** The Message-ID of a message, which its first claim writes down. */
export const messageIdFor = ({
  id,
  messageId,
  senderHandle,
}: Pick<DueRow, 'id' | 'messageId' | 'senderHandle'>) => messageId ?? messageIdOf(id, senderHandle)

/** The head of a letter, and its mail. */
export type Composed = { head: LetterHead; mail: Mail }

/**
 * Composes the letter of a message before its claim; undefined where that is for the claim to say, since it may leave recipients
 * out, where the letter has files, or where it cannot be composed.
 */
export async function composeAhead(
  message: DueRow,
  account: ConnectionRow,
  now: Date,
): Promise<Composed | undefined> {
  if (message.hasFiles || message.cc.length + message.bcc.length > 0) return undefined
  try {
    const { head, letter } = letterThrough(message, account, [], now)
    return { head, mail: await mailOf(account, { to: message.toAddress, letter: () => letter }) }
  } catch {
    return undefined
  }
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

const mebibyte = 1024 * 1024
// Files that are handed to a bridge, which gets them in one JSON document, with room for that document.
const bridgedInHand = openPlaces({ name: 'bridged_bytes', all: 128 * mebibyte })
const timesInMemory = 4

/** The files of a message for a bridge, once there is room for them; call `release` when they are posted. */
export async function filesInMemory(
  { stopping }: Pick<Deps, 'stopping'>,
  { workspace }: Pick<Written, 'workspace'>,
  files: LetterFile[],
) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0) * timesInMemory
  const release =
    bytes === 0
      ? () => {}
      : await bridgedInHand.take(workspace, { weight: bytes, signal: stopping })
  try {
    const contents: { name: string; type: string; content: string }[] = []
    for (const { name, type, read } of files) {
      const pieces: Buffer[] = []
      for await (const piece of read()) pieces.push(piece)
      contents.push({ name, type, content: Buffer.concat(pieces).toString('base64') })
    }
    return { contents, release }
  } catch (error) {
    release()
    throw error
  }
}
