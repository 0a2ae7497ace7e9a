// Mail servers as they present themselves. Sources: sessions quoted in public issue threads (github.com, by number), manuals of
// the providers and the default configuration of the programs. Where a provider says nothing of a length, a short one stands
// here, because that is the harder case.

export type Profile = {
  /** What it says first. */
  greeting: string
  /** What it announces before a login, and after it. */
  offers: { before: string; after: string }
  delimiter: '/' | '.'
  /** Before the names of folders of an account (RFC 2342). */
  prefix: string
  /** Names as they stand on the line (modified UTF-7), with their use (RFC 6154) if the server tells it. */
  folders: { name: string; use?: string; holds?: false }[]
  /** A mail in any folder but Junk and Trash is in the folder of all mail too. */
  labels?: true
  /** How long IDLE lasts, and how the server ends it. */
  idle: { ms: number; ends: 'ok' | 'bye' | 'close' }
  /** How many sessions at once. */
  sessions: { account: number; host: number }
  /** A session too many may log in, and is refused everything else. */
  letsInTooMany?: true
  quotaBytes: number
  words: { loggedIn: string; refused: string; tooMany: string; overQuota: string }
}

const minute = 60_000
const none = Number.POSITIVE_INFINITY
const usual = (root = '') => [
  { name: 'INBOX' },
  { name: `${root}Drafts`, use: '\\Drafts' },
  { name: `${root}Sent`, use: '\\Sent' },
  { name: `${root}Junk`, use: '\\Junk' },
  { name: `${root}Trash`, use: '\\Trash' },
]
const dovecotWords = {
  loggedIn: 'Logged in',
  refused: '[AUTHENTICATIONFAILED] Authentication failed.',
  // mscdex/node-imap 606 and 882.
  tooMany:
    '[UNAVAILABLE] Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)',
  overQuota: '[OVERQUOTA] Quota exceeded (mailbox for user is full)',
}
const dovecot: Profile = {
  greeting: 'Dovecot (Debian) ready.',
  offers: {
    before: 'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ AUTH=PLAIN',
    after:
      'IMAP4rev1 SASL-IR ID ENABLE IDLE LITERAL+ NAMESPACE UIDPLUS UNSELECT CHILDREN CONDSTORE ESEARCH LIST-EXTENDED LIST-STATUS SPECIAL-USE NOTIFY',
  },
  delimiter: '/',
  prefix: '',
  folders: usual(),
  // imap_idle_notify_interval keeps it alive; the server itself gives up after 30 minutes.
  idle: { ms: 30 * minute, ends: 'bye' },
  sessions: { account: 10, host: none },
  quotaBytes: none,
  words: dovecotWords,
}

export const profiles = {
  dovecot,
  // jstedfast/MailKit 1396. COMPRESS=DEFLATE and UTF8=ACCEPT are left out: the server does not know them.
  gmail: {
    greeting: 'Gimap ready for requests from 127.0.0.1 x2mb241876667wmk',
    offers: {
      before:
        'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 XYZZY SASL-IR AUTH=XOAUTH2 AUTH=PLAIN',
      after:
        'IMAP4rev1 UNSELECT IDLE NAMESPACE ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS ENABLE CONDSTORE ESEARCH LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE APPENDLIMIT=35651584',
    },
    delimiter: '/',
    prefix: '',
    folders: [
      { name: 'INBOX' },
      { name: '[Gmail]', holds: false },
      { name: '[Gmail]/All Mail', use: '\\All' },
      { name: '[Gmail]/Drafts', use: '\\Drafts' },
      { name: '[Gmail]/Important', use: '\\Important' },
      { name: '[Gmail]/Sent Mail', use: '\\Sent' },
      { name: '[Gmail]/Spam', use: '\\Junk' },
      { name: '[Gmail]/Starred', use: '\\Flagged' },
      { name: '[Gmail]/Trash', use: '\\Trash' },
    ],
    labels: true,
    idle: { ms: 10 * minute, ends: 'bye' },
    // support.google.com/mail/answer/7126229; zone-eu/wildduck 35.
    sessions: { account: 15, host: none },
    quotaBytes: none,
    words: {
      loggedIn: 'authenticated (Success)',
      refused: '[AUTHENTICATIONFAILED] Invalid credentials (Failure)',
      tooMany: '[ALERT] Too many simultaneous connections. (Failure)',
      overQuota: '[OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)',
    },
  },
  // mscdex/node-imap 689, jstedfast/MailKit 849: neither LIST-STATUS nor SPECIAL-USE.
  exchange: {
    greeting: 'The Microsoft Exchange IMAP4 service is ready.',
    offers: {
      before:
        'IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
      after:
        'IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CLIENTACCESSRULES CLIENTNETWORKPRESENCELOCATION BACKENDAUTHENTICATE CHILDREN IDLE NAMESPACE LITERAL+',
    },
    delimiter: '/',
    prefix: '',
    folders: [
      { name: 'INBOX' },
      { name: 'Archiv' },
      { name: 'Entw&APw-rfe' },
      { name: 'Gel&APY-schte Elemente' },
      { name: 'Gesendete Elemente' },
      { name: 'Junk-E-Mail' },
      { name: 'Kalender', holds: false },
    ],
    idle: { ms: 29 * minute, ends: 'bye' },
    sessions: { account: 20, host: none },
    letsInTooMany: true,
    quotaBytes: none,
    words: {
      loggedIn: 'AUTHENTICATE completed.',
      refused: 'AUTHENTICATE failed.',
      tooMany: 'User is authenticated but not connected.',
      overQuota: 'APPEND failed. Mailbox is over its quota.',
    },
  },
  outlook: {
    greeting: 'The Microsoft Exchange IMAP4 service is ready.',
    offers: {
      before:
        'IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
      after:
        'IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
    },
    delimiter: '/',
    prefix: '',
    folders: ['INBOX', 'Archive', 'Deleted', 'Drafts', 'Junk', 'Notes', 'Outbox', 'Sent'].map(
      (name) => ({ name }),
    ),
    idle: { ms: 5 * minute, ends: 'close' },
    sessions: { account: 8, host: none },
    letsInTooMany: true,
    quotaBytes: none,
    words: {
      loggedIn: 'AUTHENTICATE completed.',
      refused: 'AUTHENTICATE failed.',
      tooMany: 'User is authenticated but not connected.',
      overQuota: 'APPEND failed. Mailbox is over its quota.',
    },
  },
  icloud: {
    greeting: 'iSCREAM ready to rumble',
    offers: {
      before: 'IMAP4rev1 SASL-IR AUTH=PLAIN',
      after:
        'IMAP4rev1 NAMESPACE ID IDLE UIDPLUS UNSELECT CHILDREN ESEARCH LITERAL+ CONDSTORE ENABLE XLIST',
    },
    delimiter: '/',
    prefix: '',
    folders: [
      { name: 'INBOX' },
      { name: 'Archive', use: '\\Archive' },
      { name: 'Deleted Messages', use: '\\Trash' },
      { name: 'Drafts', use: '\\Drafts' },
      { name: 'Junk', use: '\\Junk' },
      { name: 'Sent Messages', use: '\\Sent' },
    ],
    idle: { ms: 3 * minute, ends: 'ok' },
    sessions: { account: 10, host: none },
    quotaBytes: none,
    words: {
      loggedIn: 'user logged in',
      refused: '[AUTHENTICATIONFAILED] Authentication Failed',
      tooMany: '[UNAVAILABLE] Too many connections for user',
      overQuota: '[OVERQUOTA] Mailbox full',
    },
  },
  // postalsys/imapflow 75 quotes the words of its rate limit.
  yahoo: {
    greeting: 'Yahoo! IMAP4rev1 server ready',
    offers: {
      before: 'IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2 ID LITERAL+ NAMESPACE UIDPLUS IDLE',
      after:
        'IMAP4rev1 SASL-IR ID LITERAL+ NAMESPACE CHILDREN UIDPLUS IDLE UNSELECT ESEARCH SPECIAL-USE LIST-STATUS LIST-EXTENDED',
    },
    delimiter: '/',
    prefix: '',
    folders: [
      { name: 'INBOX' },
      { name: 'Archive', use: '\\Archive' },
      { name: 'Bulk', use: '\\Junk' },
      { name: 'Draft', use: '\\Drafts' },
      { name: 'Sent', use: '\\Sent' },
      { name: 'Trash', use: '\\Trash' },
    ],
    idle: { ms: 2 * minute, ends: 'bye' },
    sessions: { account: 5, host: none },
    quotaBytes: none,
    words: {
      loggedIn: 'LOGIN completed',
      refused: '[AUTHENTICATIONFAILED] LOGIN Invalid credentials',
      tooMany: '[LIMIT] LOGIN Rate limit hit.',
      overQuota: '[OVERQUOTA] APPEND Mailbox is over quota',
    },
  },
  // Its manual: everything lies below INBOX, MAXPERIP is 4, and no use of a folder is told.
  courier: {
    greeting: 'Courier-IMAP ready. Copyright 1998-2018 Double Precision, Inc.',
    offers: {
      before: 'IMAP4rev1 UIDPLUS CHILDREN NAMESPACE IDLE AUTH=PLAIN',
      after: 'IMAP4rev1 UIDPLUS CHILDREN NAMESPACE IDLE',
    },
    delimiter: '.',
    prefix: 'INBOX.',
    folders: ['INBOX', 'INBOX.Drafts', 'INBOX.Sent', 'INBOX.Spam', 'INBOX.Trash'].map((name) => ({
      name,
    })),
    idle: { ms: minute, ends: 'close' },
    sessions: { account: 4, host: 40 },
    quotaBytes: none,
    words: {
      loggedIn: 'LOGIN Ok.',
      refused: 'LOGIN FAILED',
      tooMany: 'Maximum connection limit reached for 127.0.0.1',
      overQuota: 'Mailbox is over its quota.',
    },
  },
  /** A hoster's Dovecot behind a proxy, with small numbers. */
  hoster: {
    ...dovecot,
    greeting: 'IMAP server ready',
    delimiter: '.',
    prefix: 'INBOX.',
    folders: usual('INBOX.'),
    idle: { ms: 3 * minute, ends: 'bye' },
    sessions: { account: 3, host: 10 },
    quotaBytes: 1_000_000,
    words: dovecotWords,
  },
} satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
