import { setsChannel } from '../../db/accounts/mailbox-sets.ts'
import { listen } from '../../db/listen.ts'
import { setChanged } from '../inbox/reader/changes.ts'

/** Hears of accounts that have changed, so that their mailboxes are read at once with what they have now. Runs until `close()`. */
export const hearOfMailboxes = (databaseUrl: string) => listen(databaseUrl, setsChannel, setChanged)
