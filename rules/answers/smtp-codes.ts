import type { SmtpCause } from './causes.ts'

// Enhanced status codes that providers give to what concerns the account, whatever they say beside them. Codes that several
// providers use in different ways are left to the words.

type Row = [code: RegExp, cause: SmtpCause]

export const accountCodes: Row[] = [
  // Gmail: the daily limit of a user (support.google.com/a/answer/3726730). Of others, 4.4.5 is a busy server (RFC 3463).
  [/^5\.4\.5$/, 'smtp_quota'],
  // Exchange Online: recipients a day of a mailbox, of a tenant on trial, of a tenant.
  [/^5\.1\.90$/, 'smtp_quota'],
  [/^5\.7\.23[23]$/, 'smtp_quota'],
  // Exchange: no right to send as this sender.
  [/^5\.7\.60$/, 'smtp_sender_refused'],
  [/^5\.2\.252$/, 'smtp_sender_refused'],
  // Exchange Online: a domain that is not registered with the tenant.
  [/^5\.7\.750$/, 'smtp_sender_refused'],
  // RFC 5248 and RFC 3463: a sender's address or system that is not valid.
  [/^5\.1\.7$/, 'smtp_sender_refused'],
  // RFC 7372 and RFC 7489 as Gmail uses it: the domain of the sender does not authenticate the letter.
  [/^5\.7\.2[67]$/, 'smtp_sender_refused'],
  // Exchange Online: SMTP AUTH is off for the mailbox or for the tenant.
  [/^5\.7\.57$/, 'smtp_disabled'],
  [/^5\.7\.139$/, 'smtp_disabled'],
  // Exchange Online: what the tenant sends is blocked ("fix error codes 5.7.700 through 5.7.750").
  [/^5\.7\.7(?:0[058]|[1-4]\d)$/, 'smtp_disabled'],
  // Exchange Online: spam of this account was detected.
  [/^5\.7\.50[1-3]$/, 'smtp_disabled'],
  // Exchange Online slows a sender down.
  [/^4\.7\.5\d\d$/, 'smtp_rate'],
]
