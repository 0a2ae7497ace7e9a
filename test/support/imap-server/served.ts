import type { Profile } from './profiles.ts'
import type { tableOf } from './rows.ts'
import type { Box, Entry, Folder, Mail, Store } from './store.ts'
import type { Command } from './tokens.ts'

// What a session and its server know of each other.

export type Served = {
  profile: Profile
  store: Store
  table: ReturnType<typeof tableOf>
  logins: { good: number; refused: number }
  accepts(user: string, secret: string): boolean
  opened(session: Session): { closed(): void }
  /** The session knows whose it is; what it has said before is theirs too. */
  named(session: Session): void
  /** The session is nobody's: its login was refused. */
  refused(session: Session): void
  /** How many sessions are logged in, or are about to be. */
  live(login: string): { account: number; host: number }
  count(session: Session, command: Command): void
}

export type Session = {
  server: Served
  profile: Profile
  /** What it announces now. */
  offers: string
  login: string | undefined
  box: Box | undefined
  /** It is one too many. */
  isBarred: boolean
  /** Which session of the login it is, from 1. */
  number: number
  folder: Folder | undefined
  /** The mails of the folder as the client has been told of them, by number. */
  view: Entry[]
  /** The list of the folder's mails that the view was last compared with. */
  seen: Entry[] | undefined
  /** The client is told of mail at once: of the open folder, or of the others too (RFC 5465). */
  isIdling: boolean
  notifies: boolean
  write(bytes: Buffer | string): void
  /** Says an untagged line. */
  say(line: string): void
  /** The next line of the client; a line that nobody has taken stays the next one. */
  nextLine(take?: boolean): Promise<string | undefined>
  end(): void
  labels(mail: Mail): string[]
}

/** What became of a command: it was answered with this text, or the session is over or answers nothing any more. */
export type Outcome = { text: string } | 'over' | 'silent' | 'swallowed'
