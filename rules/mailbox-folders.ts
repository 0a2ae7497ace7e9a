// Which folders of a mailbox are read, and as what. An answer lies wherever a rule or a filter of its owner has put it.

/** A folder as its server lists it: `use` is its special use (RFC 6154), such as \Junk. */
export type Listed = { path: string; use: string | null }

/**
 * inbox: the folder that mail arrives in. waiting: the same where a folder of all mail is read instead of it: it only says that
 * mail arrives. sent: what has been written here. junk: what a filter takes for spam. other: whatever rules have put there.
 */
export type FolderKind = 'inbox' | 'waiting' | 'sent' | 'junk' | 'other'
export type ReadFolder = { path: string; kind: FolderKind }

// Flagged mail lies in another folder too.
const unread = ['\\Trash', '\\Drafts', '\\Flagged']

/**
 * The folders to read, the Inbox first. A folder of all mail (Gmail has one) replaces all but Sent and Junk, which lies outside
 * of it. `leaveOut` are the paths or special uses that the operator leaves out; a folder is left out with what
 * lies in it.
 */
export function foldersToRead(listed: Listed[], leaveOut: string[] = []): ReadFolder[] {
  const isLeftOut = (use: string | null) => use !== null && [...unread, ...leaveOut].includes(use)
  const out = [...leaveOut, ...listed.flatMap(({ path, use }) => (isLeftOut(use) ? path : []))]
  const isOut = (path: string) => out.some((folder) => isIn(path, folder))
  const all = listed.find(({ path, use }) => use === '\\All' && !isOut(path))
  return listed
    .map(({ path, use }) => ({ path, kind: kindOf(path, use, all !== undefined) }))
    .filter(
      ({ path, kind }) =>
        isInbox(path) || (!isOut(path) && (!all || kind !== 'other' || path === all.path)),
    )
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

const order: FolderKind[] = ['inbox', 'waiting', 'other', 'junk', 'sent']

const isInbox = (path: string) => path.toUpperCase() === 'INBOX'

function kindOf(path: string, use: string | null, hasAll: boolean): FolderKind {
  if (isInbox(path)) return hasAll ? 'waiting' : 'inbox'
  if (use === '\\Sent') return 'sent'
  return use === '\\Junk' ? 'junk' : 'other'
}

// Servers part the names of a path with one of these.
const isIn = (path: string, folder: string) => {
  const [a, b] = [path.toLowerCase(), folder.toLowerCase()]
  return a === b || (a.startsWith(b) && '/.\\'.includes(a.charAt(b.length)))
}
