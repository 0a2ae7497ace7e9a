import type { DueRow } from '../../db/conversations/message-sending.ts'
import { findLastReceived } from '../../db/conversations/messages.ts'
import { openPlaces } from '../../process/limits/places.ts'
import type { Deps } from '../deps.ts'
import type { Bridged } from '../outgoing/handover.ts'
import type { LetterFile } from '../ports/mail/compose.ts'
import { filesOf } from './message-letter.ts'

// What a bridge gets of a message.

const mebibyte = 1024 * 1024
// Files that are handed to a bridge, which gets them in one JSON document, with room for that document.
const bridgedInHand = openPlaces({ name: 'bridged_bytes', all: 128 * mebibyte })
const timesInMemory = 4

/** A message as its bridge gets it, once there is room for its files. */
export async function toBridge(
  deps: Deps,
  { id, workspace, conversation }: DueRow,
): Promise<Bridged<DueRow>> {
  const files = await filesOf(deps, { id, workspace })
  const inReplyTo = await findLastReceived(deps.db, conversation)
  const { contents, release } = await filesInMemory(deps, workspace, files)
  return {
    message: ({ connection, senderHandle, toAddress, text }) => ({
      ...{ id, conversation, inReplyTo, to: toAddress, text },
      ...{ connection: connection as string, account: senderHandle },
      ...(contents.length > 0 && { files: contents }),
    }),
    release,
  }
}

async function filesInMemory(
  { stopping }: Pick<Deps, 'stopping'>,
  workspace: string,
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
