import { findConnection } from '../../db/accounts/connections.ts'
import { messageKind } from '../../db/conversations/message-life.ts'
import * as sending from '../../db/conversations/message-sending.ts'
import type { Deps } from '../deps.ts'
import { reconcile } from '../outgoing/settle.ts'
import { askMessage, lineOf } from '../ports/bridge/bridge.ts'

// Finds out what became of a message that was handed over, or may have been.

type OutgoingRow = sending.OutgoingRow

/** How to reach the bridge of a message's account; undefined for mail, and if the account has no bridge. */
async function findLine(deps: Deps, { connection }: OutgoingRow) {
  const account = connection ? await findConnection(deps.db, connection) : undefined
  return account && account.kind !== 'email' ? lineOf(deps, account) : undefined
}

/** Settles a message that another attempt has claimed. The bridge of its account, if it has one, is asked. */
export function reconcileMessage(deps: Deps, message: OutgoingRow) {
  return reconcile(deps, messageKind, message, async () => {
    const line = await findLine(deps, message)
    return line && askMessage(line, message.id)
  })
}

/** Once a bridge can be reached again, it may know what became of unconfirmed messages. */
export async function reconcileBridged(deps: Deps, connection: string, beat: () => void) {
  for (const id of await sending.listUnconfirmed(deps.db, connection)) {
    beat()
    const message = await sending.findOutgoing(deps.db, id)
    if (message?.state === 'sending') await reconcileMessage(deps, message)
  }
}
