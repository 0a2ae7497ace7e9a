import type { Profile } from './profiles.ts'

// The mailboxes of a server, in memory. A mailbox is made when somebody first names it.

export type Mail = { id: number; raw: Buffer; at: Date; flags: Set<string> }
export type Entry = { uid: number; modseq: number; mail: Mail }
export type Folder = {
  name: string
  use: string | undefined
  /** Mails cannot be in it. */
  isOnlyName: boolean
  uidValidity: number
  uidNext: number
  modseq: number
  entries: Entry[]
}
export type Box = {
  login: string
  folders: Map<string, Folder>
  bytes: number
  /** How many sessions it has had. */
  sessions: number
}

export type Store = ReturnType<typeof openStore>

export function openStore(profile: Profile) {
  const boxes = new Map<string, Box>()
  const listeners = new Set<(box: Box, folder: Folder) => void>()
  let mails = 0
  let validity = 1_700_000_000

  function box(login: string): Box {
    let found = boxes.get(login)
    if (!found) {
      found = { login, folders: new Map(), bytes: 0, sessions: 0 }
      for (const { name, use, holds } of profile.folders) make(found, name, use, holds === false)
      boxes.set(login, found)
    }
    return found
  }

  function make(into: Box, name: string, use?: string, isOnlyName = false): Folder {
    const numbers = { uidValidity: ++validity, uidNext: 1, modseq: 1 }
    const folder = { name, use, isOnlyName, ...numbers, entries: [] }
    into.folders.set(name, folder)
    return folder
  }

  /** INBOX is the same in any case (RFC 9051, 5.1). */
  const find = (login: string, name: string) =>
    box(login).folders.get(/^inbox$/i.test(name) ? 'INBOX' : name)

  function hold(into: Box, folder: Folder, mail: Mail): number {
    const uid = folder.uidNext++
    folder.entries.push({ uid, modseq: ++folder.modseq, mail })
    for (const tell of listeners) tell(into, folder)
    return uid
  }

  function takeOut(from: Box, folder: Folder, uid: number): Mail | undefined {
    const entry = folder.entries.find((one) => one.uid === uid)
    if (!entry) return undefined
    // A new list, because sessions compare theirs with it.
    folder.entries = folder.entries.filter((one) => one !== entry)
    folder.modseq++
    for (const tell of listeners) tell(from, folder)
    return entry.mail
  }

  const all = (of: Box) => [...of.folders.values()].find(({ use }) => use === '\\All')
  const isKept = ({ use }: Folder) => use !== '\\Junk' && use !== '\\Trash' && use !== '\\All'

  return {
    boxes,
    box,
    find,
    make,
    /** Is told whenever the mails of a folder have changed. */
    listen: (tell: (box: Box, folder: Folder) => void) => void listeners.add(tell),
    /** Lays a mail into a folder, which is made if it is missing, and returns its UID there. */
    put(
      login: string,
      raw: Buffer,
      { folder = 'INBOX', at = new Date(), flags = [] as string[] } = {},
    ): number {
      const into = box(login)
      const place = find(login, folder) ?? make(into, folder)
      const mail = { id: ++mails, raw, at, flags: new Set(flags) }
      into.bytes += raw.length
      const archive = profile.labels && isKept(place) ? all(into) : undefined
      if (archive) hold(into, archive, mail)
      return hold(into, place, mail)
    },
    /** As a rule of the member or a filter of the provider does; returns the UID there. */
    move(login: string, uid: number, from: string, to: string): number {
      const owner = box(login)
      const source = find(login, from)
      const mail = source && takeOut(owner, source, uid)
      if (!mail) throw new Error(`${login} has no mail ${uid} in ${from}`)
      return hold(owner, find(login, to) ?? make(owner, to), mail)
    },
    remove(login: string, uid: number, folder = 'INBOX') {
      const place = find(login, folder)
      const mail = place && takeOut(box(login), place, uid)
      if (mail) box(login).bytes -= mail.raw.length
    },
    /** Gives a folder another UIDVALIDITY, and its mails new numbers. */
    renumber(login: string, folder = 'INBOX') {
      const place = find(login, folder)
      if (!place) return
      place.uidValidity = ++validity
      place.entries = place.entries.map((entry, i) => ({ ...entry, uid: i + 1 }))
      place.uidNext = place.entries.length + 1
    },
    /** As if a backup had been restored: without mails, and numbered from 1 again under the same UIDVALIDITY. */
    rewind(login: string, folder = 'INBOX') {
      const place = find(login, folder)
      if (place) Object.assign(place, { entries: [], uidNext: 1 })
    },
    /** The folders in which a mail is, besides that of all mail. */
    labels: (login: string, { id }: Mail) =>
      [...box(login).folders.values()].filter(
        (folder) => isKept(folder) && folder.entries.some(({ mail }) => mail.id === id),
      ),
  }
}
