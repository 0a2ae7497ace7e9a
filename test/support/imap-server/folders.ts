import type { Answer } from './rows.ts'
import type { Session } from './served.ts'
import type { Folder } from './store.ts'
import { quote, type Token } from './tokens.ts'

// LIST, LSUB, XLIST and STATUS (RFC 9051, RFC 5258, RFC 5819, RFC 6154).

/** Says the folders that are asked for, with their STATUS if that is wanted. */
export function sayFolders(session: Session, verb: string, args: Token[], answer: Answer) {
  const { profile, box } = session
  if (!box || answer.empty) return
  const rest = [...args]
  const select = Array.isArray(rest[0]) ? words(rest.shift()) : []
  const [reference = '', patterns = '', , returns = []] = rest
  const wanted = words(returns)
  const statusAt = Array.isArray(returns)
    ? returns.findIndex((one) => /^status$/i.test(String(one)))
    : -1
  const items = statusAt >= 0 && Array.isArray(returns) ? returns[statusAt + 1] : undefined
  if (patterns === '') {
    session.say(`${verb} (\\Noselect) ${quote(profile.delimiter)} ""`)
    return
  }
  const match = [patterns].flat().map((one) => patternOf(`${reference}${one}`, profile.delimiter))
  const tellsUse =
    verb === 'XLIST' || session.offers.includes('SPECIAL-USE') || session.offers.includes('XLIST')
  for (const folder of box.folders.values()) {
    if (!match.some((is) => is.test(folder.name))) continue
    if (select.includes('SPECIAL-USE') && !folder.use) continue
    const flags = [
      ...(folder.isOnlyName ? ['\\Noselect'] : []),
      hasChildren(session, folder) ? '\\HasChildren' : '\\HasNoChildren',
      ...(tellsUse && folder.use ? [folder.use] : []),
      ...(wanted.includes('SUBSCRIBED') ? ['\\Subscribed'] : []),
    ]
    session.say(`${verb} (${flags.join(' ')}) ${quote(profile.delimiter)} ${quote(folder.name)}`)
    if (items && !folder.isOnlyName) sayStatus(session, folder, words(items), answer)
  }
}

const words = (token: Token | undefined) =>
  [token ?? []].flat(2).map((one) => String(one).toUpperCase())

const hasChildren = ({ profile, box }: Session, { name }: Folder) =>
  [...(box?.folders.keys() ?? [])].some((other) => other.startsWith(`${name}${profile.delimiter}`))

function patternOf(pattern: string, delimiter: string): RegExp {
  const text = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/%/g, `[^${delimiter}]*`)
  return new RegExp(`^${text}$`, /^inbox$/i.test(pattern) ? 'i' : '')
}

export function sayStatus(session: Session, folder: Folder, items: string[], answer: Answer) {
  const { entries } = folder
  const values: Record<string, number> = {
    MESSAGES: entries.length + (answer.exists ?? 0),
    RECENT: 0,
    UIDNEXT: answer.uidNext ?? folder.uidNext,
    UIDVALIDITY: answer.uidValidity ?? folder.uidValidity,
    UNSEEN: entries.filter(({ mail }) => !mail.flags.has('\\Seen')).length,
    HIGHESTMODSEQ: folder.modseq,
    SIZE: entries.reduce((sum, { mail }) => sum + mail.raw.length, 0),
  }
  const told = items.flatMap((item) => (item in values ? [`${item} ${values[item]}`] : []))
  session.say(`STATUS ${quote(folder.name)} (${told.join(' ')})`)
}

/** What SELECT and EXAMINE tell of a folder. */
export function sayOpened(session: Session, folder: Folder, answer: Answer) {
  const flags = '\\Answered \\Flagged \\Deleted \\Seen \\Draft'
  session.say(`FLAGS (${flags})`)
  session.say(`OK [PERMANENTFLAGS (${flags} \\*)] Limited`)
  session.say(`${folder.entries.length + (answer.exists ?? 0)} EXISTS`)
  session.say('0 RECENT')
  session.say(`OK [UIDVALIDITY ${answer.uidValidity ?? folder.uidValidity}] UIDs valid`)
  session.say(`OK [UIDNEXT ${answer.uidNext ?? folder.uidNext}] Predicted next UID`)
  if (session.offers.includes('CONDSTORE'))
    session.say(`OK [HIGHESTMODSEQ ${folder.modseq}] Highest`)
}
