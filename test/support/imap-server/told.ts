import { itemsOf, namedBy, plainItem } from './fetch.ts'
import type { Told } from './rows.ts'
import type { Session } from './served.ts'
import type { Command } from './tokens.ts'

const namesFolder = ['SELECT', 'EXAMINE', 'STATUS', 'APPEND', 'CREATE']

/** What rows look at in a command. */
export function toldOf(session: Session, { verb, args }: Command): Told {
  const plain = verb.replace('UID ', '')
  const told = { login: session.login ?? '', verb: plain, session: session.number }
  const folder = namesFolder.includes(plain) ? String(args[0]) : session.folder?.name
  if (plain !== 'FETCH') return { ...told, folder }
  const named = namedBy(session, String(args[0]), verb.startsWith('UID'))
  const uids = new Set(named.map(({ entry }) => entry.uid))
  const items = itemsOf(args[1]).map(plainItem)
  return { ...told, folder, asks: (uid) => uids.has(uid), several: uids.size > 1, items }
}
