import type { Generated } from 'kysely'
import type { RestCause, Server } from '../../rules/answers/causes.ts'
import type { LoginProblem } from '../../rules/answers/login.ts'
import type { ChannelKind } from '../../rules/channels.ts'
import type { Found } from '../../rules/servers/found.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

// The accounts that send and receive mail and messages, and the addresses that must not be written to. One file, because it is the
// list of one wing's tables.

export type HealthLevel = 'normal' | 'caution' | 'restricted' | 'blocked' | 'unknown'

export type MailServer = {
  host: string
  port: number
  secure: boolean
  user?: string
  /** IMAP only: the provider itself files in Sent whatever is sent over SMTP. */
  filesSent?: boolean
  /**
   * A customer has named it, and not the operator: at each connection it has to be on the public internet, and the connection goes
   * to the address that was checked.
   */
  public?: boolean
  /** IMAP only: the paths of folders that are not read. */
  folders?: { leaveOut?: string[] }
  /**
   * Absent means: TLS is required unless the host is this machine. A private certificate is verified with `ca`, or as
   * `servername`.
   */
  tls?: 'required' | 'none' | { servername?: string; ca?: string }
} & Record<string, unknown>

export type Bridge = { url: string }

/**
 * How an account logs in by OAuth 2.0: at a provider that is known by name, at another one, or with tokens of the customer's own
 * server. The client's secret, or that of the token server, is sealed with the passwords. `none` is how the operator's file
 * takes it back.
 */
export type Oauth =
  | 'none'
  | 'google'
  | 'microsoft'
  | {
      issuer: string
      clientId: string
      scopes: string[]
      grant?: 'authorization_code' | 'client_credentials'
    }
  | { tokenServer: { url: string } }

export type Signal = {
  key: string
  level: HealthLevel
  score: number
  facts: Record<string, unknown>
}

export interface Connections {
  id: string
  workspace: string
  kind: ChannelKind
  name: string
  account: string
  member: string
  limitDay: number
  limitWeek: number
  gapSeconds: number
  smtp: JsonOrNull<MailServer>
  imap: JsonOrNull<MailServer>
  /** Where the bridge of a messenger or professional network account listens. */
  bridge: JsonOrNull<Bridge>
  oauth: JsonOrNull<Oauth>
  /** Sealed (secrets.ts): { smtp?: password, imap?: password, bridge?: secret, oauth?: secret }. */
  secrets: string | null
  alive: Generated<boolean>
  problem: string | null
  checkedAt: At | null
  health: Generated<HealthLevel>
  signals: Json<Signal[]>
  lastClaimAt: At | null
  /**
   * The names under which its own server reports authentication (RFC 8601), as the operator gave them; if empty, the learnt one
   * counts.
   */
  authserv: Generated<string[]>
  /** Since when it has had its problem, and when its member was notified. */
  problemSince: At | null
  toldAt: At | null
  /**
   * How many letters in a row its server took without an answer, and until when it rests because of that (account-rests.ts).
   */
  unconfirmedInRow: Generated<number>
  restsUntil: At | null
  /** When an account that cannot be opened may be tried again, and what is known of the last try (retries.ts). */
  retryAt: At | null
  retry: JsonOrNull<AccountRetry>
  /**
   * How many of its letters were refused in a row with the same code, each for another recipient than the one before; that code,
   * and the last recipient (rests.ts).
   */
  refusedInRow: Generated<number>
  refusedCode: string | null
  refusedTo: string | null
  /** How many SMTP sessions it may have at once, in all processes, and until when (session-places.ts). */
  sessionsMost: number | null
  sessionsUntil: At | null
  /** Nothing is sent or read through it until somebody takes that back. */
  paused: Generated<boolean>
  /** It is no connection any more (db/inbox/removed-connection.ts); what it was used for still names it. */
  removedAt: At | null
}

/** `ms` is the pause before the next try; `settings` distinguishes the settings and passwords that were tried from all others. */
export type AccountRetry = {
  ms: number
  longestMs: number
  settings: string
  code: string
  why: string
  /** When a person last asked to try at once. */
  askedAt?: string
  isTrying?: boolean
  /** The refused logins of the last hour, ISO 8601. */
  failedAt?: string[]
}

/** An account rests because of what one of its servers has said (rests.ts). */
export interface Rests {
  account: string
  server: Server
  cause: RestCause
  /** Null as long as nobody has acted. */
  until: At | null
  /** When one letter may try whether it is over. */
  probeAt: At
  /** One is trying. */
  isTried: Generated<boolean>
  since: At
  /** How often in a row it was refused for its cause. */
  tries: number
  /** Of the server. */
  words: string
  /** When its member was notified. */
  told: At | null
  endedAt: At | null
}

/** What is to be tried, and what becomes of it. */
export type VerificationRequest = {
  /** As it was given. */
  account: string
  member: string
  name: string
  limits: { limitDay: number; limitWeek: number; gapSeconds: number }
  /** Without passwords. What is null is looked for if `discover` is set, and else not tried. */
  smtp: MailServer | null
  imap: MailServer | null
  oauth?: Oauth
  discover: boolean
  /** Whether hosts that the domain names may be elsewhere: its owner has seen them. */
  hostsSeen?: boolean
  /** Whether servers have to be on the public internet. */
  publicOnly: boolean
  /** verified: only if every server lets us in. never: nothing is kept. */
  save: 'verified' | 'always' | 'never'
  /** For the audit line. */
  client: { id: string; name: string } | null
  key: string | null
  /** The path of the call, for its refusal. */
  instance: string
}

/**
 * What a try has come to. Each server: `ok`; `login_failed`, with why and the server's words; `server_unreachable`; null if it was
 * not tried. `problem` where no login was tried: no servers were found (`no_servers`), or their hosts have to be seen by the owner
 * first (`hosts_to_confirm`, as `found.unexpected` lists them).
 */
export type VerificationOutcome = {
  found?: Found
  problem?: 'no_servers' | 'hosts_to_confirm'
  smtp: TriedLogin | null
  imap: TriedLogin | null
}
export type TriedLogin =
  | { outcome: 'ok' }
  | { outcome: 'login_failed'; problem: LoginProblem; words: string }
  | { outcome: 'server_unreachable' }

/** A try to log in to the servers of a mailbox that is to be added (verifications.ts). Times are real. */
export interface Verifications {
  id: string
  workspace: string
  /** In the form in which addresses are compared. */
  account: string
  /** The token or the link that asked for it. */
  asker: string
  request: Json<VerificationRequest>
  /** Sealed: { smtp?: password, imap?: password }; null once it has ended. */
  secrets: string | null
  outcome: JsonOrNull<VerificationOutcome>
  /** What was kept. */
  connection: string | null
  /** There is no password to try: its servers are looked for, and nothing else. */
  isLookUp: Generated<boolean>
  /** While it is under way: when it is over at the latest. */
  triedUntil: At | null
  createdAt: Generated<At>
  endedAt: At | null
}

/** Who holds one of the sessions of an account whose number is limited, and until when (real time). */
export interface SessionPlaces {
  account: string
  place: number
  holder: string
  until: At
}

/** A letter that the mail server of a sandbox has put off, or answers (sandbox-letters.ts). */
export interface SandboxLetters {
  connection: string
  messageId: string
  /** In lower case. */
  recipient: string
  workspace: string
  /** When the server met it first. */
  firstAt: At
  /** Real time. */
  keptAt: Generated<At>
  /** The mail that comes back, and when it is due. */
  answer: Buffer | null
  answerAt: At | null
  /** Its number in the Inbox, and since when it lies there (real time); null until then. */
  uid: string | null
  arrivedAt: At | null
}

export interface ConnectionUsage {
  connection: string
  day: string
  used: number
}

export interface Folders {
  id: string
  workspace: string
  name: string
  connection: string
}

export interface Suppressions {
  id: Generated<string>
  workspace: string
  address: string
  reason: 'unsubscribe' | 'complaint' | 'bounce' | 'operator'
  at: At
  touch: string | null
  /** The message that proves the reason. */
  evidence: string | null
}

/** How far a folder has been read under its UIDVALIDITY. */
export interface Mailboxes {
  connection: string
  /** Its path (folder-positions.ts). */
  folder: string
  uidValidity: string
  nextUid: string
  /** How many mails the server counts in it and does not show. */
  hidden: Generated<number>
}

/** Mailboxes that are read by one worker. */
export interface MailboxSets {
  id: string
  /** Who reads them, and until when nobody else does (real time of the database). */
  holder: string | null
  leaseUntil: At | null
  /** Raised whenever accounts of the set have changed. */
  version: Generated<string>
}

export interface MailboxReaders {
  connection: string
  since: At
  problem: string | null
  /** When it was last known to be read to its end (real time), and by whom. */
  readAt: At | null
  /** Since when all of it has been read (real time), as long as its holder holds its set; follow-ups wait for this. */
  caughtUpAt: At | null
  holder: string | null
  mailboxSet: string | null
  /** Raised to have its session end and another begin. */
  asked: Generated<string>
  /** When it was last looked whether its handle is there (real time). */
  handleSeenAt: At | null
  /** The name under which its server reports authentication, as it was learnt, and the evidence so far (db/inbox/trust.ts). */
  authserv: string | null
  authservSeen: JsonOrNull<{ id: string; senders: string[] }>
  /** Since when it cannot be read, and when its member was notified. */
  problemSince: At | null
  toldAt: At | null
  /** As those of the account (retries.ts). */
  retryAt: At | null
  retry: JsonOrNull<AccountRetry>
}

/** The tokens of an account that logs in by OAuth 2.0. `version` is raised whenever other tokens are kept. */
export interface Logins {
  /** The connection. */
  id: string
  workspace: string
  state: Generated<'none' | 'connected' | 'consent_needed'>
  /** Since when it is in its state. */
  since: Generated<At>
  version: Generated<number>
  /** Sealed; until `expiresAt` (real time) it is used. */
  accessToken: string | null
  expiresAt: At | null
  /** Sealed. */
  refreshToken: string | null
  /** Tells the provider and the client that the tokens are of from all others. */
  settings: string | null
  /** Who consented first, as the provider names them for ever; null where it does not. */
  owner: string | null
  /** Who gets a new token at the moment, and until when nobody else does (real time). */
  claimedBy: string | null
  claimedUntil: At | null
  /** Why the last one could not be got, and when (real time). */
  problem: string | null
  failedAt: At | null
  /** When a token was last replaced because a mail server refused it (real time). */
  replacedAt: At | null
}

/**
 * A link to the page on which the owner of an account consents, or, without a connection, connects a mailbox. It is known by a hash
 * alone.
 */
export interface ConnectTickets {
  id: string
  workspace: string
  connection: string | null
  /** Who asked for it, or whose connection it makes; null where an operator asked. */
  member: string | null
  clientId: string | null
  clientName: string | null
  /** The id of the token that made it; null where an operator did. */
  token: string | null
  expiresAt: At
  usedAt: At | null
  /** How often its owner has gone on to the provider. */
  attempts: Generated<number>
  /** The hash of the state with which the provider sends its owner back, and what has to fit then (sealed). */
  state: string | null
  secrets: string | null
  /** The hash of the cookie of the browser that went on to the provider. */
  browser: string | null
  /** Of a link that makes a connection: the one address that it is for, if there is one. */
  account: string | null
  /** Where its owner is led back to. */
  returnTo: string | null
  /** How many logins were refused. */
  refused: Generated<number>
  /** The id of the connection that it made. */
  made: string | null
}
