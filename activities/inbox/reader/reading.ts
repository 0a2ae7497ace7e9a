import type { FolderPosition } from '../../../db/accounts/folder-positions.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import type { Deps } from '../../deps.ts'
import type { Mailbox } from '../../ports/mail/imap.ts'
import type { Mind } from './mind.ts'

/** What reading a folder needs: the mailbox in its session, how far its folders have been read, and what went wrong before. */
export type Reading = {
  deps: Deps
  reader: Reader
  mailbox: Mailbox
  mind: Mind
  stop: AbortSignal
  places: Map<string, FolderPosition>
}
