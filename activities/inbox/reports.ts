import type { Email } from 'postal-mime'
import { addressesIn, idsIn } from '../../rules/reports/addresses.ts'
import { type Outcome, outcomesIn } from '../../rules/reports/delivery-status.ts'
import { type Diagnosis, diagnose, reasonIn } from '../../rules/reports/diagnosis.ts'
import {
  isComplaintSubject,
  isJunkReport,
  readFeedback,
  recipientsOfHead,
} from '../../rules/reports/feedback.ts'
import {
  answersIn,
  looksReturned,
  type Notice,
  readNotice,
  recipientsIn,
  tellsIn,
} from '../../rules/reports/notice.ts'
import { readNotification } from '../../rules/reports/notifications.ts'
import { isDaemon, isDaemonName, isServer, isUnattended } from '../../rules/reports/senders.ts'
import { codesIn, isPermanent } from '../../rules/reports/status.ts'
import { isAnswer } from '../../rules/subjects.ts'
import {
  feedbackField,
  filedIn,
  isReport,
  nestedIn,
  originalTypes,
  partOf,
  statusField,
  statusTypes,
} from './report-parts.ts'

// What mail servers and providers report: bounces, deliveries (RFC 3464) and complaints (RFC 5965), in the forms of the
// standards and in plain words. All of it is only what a mail claims: db/inbox/reports.ts has to prove that it is about a letter
// of ours.

export type Report = {
  /** A delivery is any report that is not bad news, including a delay: the server still tries. */
  kind: 'bounce' | 'complaint' | 'delivery'
  /** The address does not work, now or later; an address whose mailbox is full does work. */
  permanent: boolean
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  code: string | null
  /** Every address that the report may be about, the likeliest first. */
  recipients: string[]
  /** The Message-IDs that the report is about, as far as it names them. */
  refersTo: string[]
  /** Bad news about other recipients of the same letter, with another code. */
  others?: Omit<Outcome, 'kind'>[]
  /** It comes from a mail server, and its words do not say what it reports. */
  unclear?: true
}

export type Look = {
  email: Email
  header: (name: string) => string
  from: { name: string; address: string }
  to: string[]
  subject: string
  text: string
  /** It names messages that it answers. */
  refers: boolean
  /** Something else explains why no person sent it: it answers an invitation or says that somebody is away. */
  isExplained: boolean
  /** See `comesFromServer`. */
  isFromServer: boolean
}
/** A mail with its text taken for a server's notice. */
type Seen = Look & { notice: Notice }

/** Null if the mail is not a report. */
export function readReport(look: Look): Report | null {
  const seen = { ...look, notice: readNotice(look.text) }
  return (
    readComplaint(seen) ??
    readStatus(seen) ??
    readReceipt(seen) ??
    readJson(seen) ??
    readWords(seen, seen.isFromServer)
  )
}

/**
 * Whether a mail has no sender (RFC 5321, 4.5.5), or a mail server as its sender. Whatever it says, it is not a person's reply.
 * A list sends people's mail on under a bounce address as its return path, so that alone says nothing.
 */
export function comesFromServer({ header, from, email }: Pick<Look, 'header' | 'from' | 'email'>) {
  const path = header('return-path').slice(0, 400).replaceAll(/\s/g, '')
  return (
    path.startsWith('<>') ||
    isServer(path.replaceAll(/[<>]/g, '')) ||
    isDaemon(from.address) ||
    header('from').trim() === '<>' ||
    (from.address === '' && (isDaemonName(header('from')) || isDaemonName(from.name))) ||
    header('x-failed-recipients') !== '' ||
    isReport(email, 'delivery-status')
  )
}

function readStatus(look: Seen): Report | null {
  const { email, isFromServer, notice } = look
  const part =
    partOf(email, statusTypes) ??
    (isFromServer ? (nestedIn(email, statusField) ?? filedIn(email, statusField)) : undefined)
  // Some servers write the fields of the standard into the text, and a person may forward the parts of a bounce.
  const written = isFromServer && statusField.test(notice.said.slice(0, 20_000))
  if (part === undefined && !written) return null
  if (!isFromServer && (isReply(look) || tellsIn(look.subject, notice.said) === undefined))
    return null
  const outcomes = outcomesIn(part ?? notice.said, words(notice)).filter(
    ({ code, recipients }) => code !== null || recipients.length > 0,
  )
  const ofRecipients = outcomes.filter(({ recipients }) => recipients.length > 0)
  const all = ofRecipients.length > 0 ? ofRecipients : outcomes
  const worst = all.find(({ kind }) => kind === 'bounce') ?? all[0]
  if (!worst) return part === undefined ? null : readWords(look, true)
  const same = all.filter(({ kind, code, permanent }) =>
    worst.kind === 'bounce'
      ? kind === 'bounce' && code === worst.code && permanent === worst.permanent
      : kind === worst.kind,
  )
  const others = all.filter((one) => one.kind === 'bounce' && !same.includes(one))
  const recipients = unique(same.flatMap((one) => one.recipients))
  return {
    kind: worst.kind,
    permanent: worst.permanent,
    code: worst.code,
    recipients: recipients.length > 0 ? recipients : namedIn(look),
    refersTo: originalIds(look),
    ...(others.length > 0 && { others: others.map(({ kind: _, ...rest }) => rest) }),
  }
}

/** A bounce without the standard's part. */
function readWords(look: Seen, isFromServer: boolean): Report | null {
  const { from, header, subject, notice } = look
  const reason = reasonIn(notice.said)
  // An address that does not work is a failure, whatever else is said about it.
  const isNobody = isDaemon(from.address) || from.address === ''
  const states = isFromServer && isNobody && reason !== undefined && isPermanent(reason)
  const gives = isDaemonName(from.name) && codesIn(notice.said).some((code) => code[0] !== '2')
  const tells = tellsIn(subject, notice.said) ?? (states || gives ? 'failed' : undefined)
  const looks = () =>
    looksReturned(subject, notice.said, { sender: from.address, returnsOurs: returnsOurs(look) })
  // A program that answers nothing says so where people begin to talk, too; a person answers what we wrote.
  const isProgram = isDaemonName(from.name) || isUnattended(from.address)
  const isNamed =
    tells !== undefined &&
    (isDaemonName(from.name) ||
      (isProgram && tells === 'failed' && header('list-unsubscribe') === '' && isAboutOthers(look)))
  if (!isFromServer && !(isReply(look) ? isProgram && looks() : isNamed || looks())) return null
  // Words without a failure and without a code are no bounce that anybody could understand.
  const answers = answersIn(notice.said)
  const isUnclear = tells === undefined && answers === ''
  const { code, permanent } = isUnclear
    ? { code: null, permanent: false }
    : asFailure(diagnose(undefined, [answers, notice.said, subject]), tells)
  const isStated = isDaemon(from.address) || header('x-failed-recipients') !== ''
  const fails = tells === 'failed' && (answers !== '' || (isProgram && isAboutOthers(look)))
  if (look.isExplained && !isStated && !fails && !looks()) return null
  const refersTo = originalIds(look)
  const named = unique([...failedIn(header), ...namedIn(look)])
  // Somebody's own address sent it without a sender, so it is about that address if it says nothing else.
  const isTheirs = !isDaemon(from.address) && from.address !== ''
  const recipients =
    isTheirs && (isUnclear || named.length === 0) ? unique([from.address, ...named]) : named
  if (tells === 'delayed' || tells === 'delivered')
    return { kind: 'delivery', permanent: false, code, recipients, refersTo }
  return {
    kind: 'bounce',
    permanent,
    code,
    recipients,
    refersTo,
    ...(isUnclear && { unclear: true as const }),
  }
}

/** A letter that did not arrive, for no reason that anybody could read: the address may work all the same. */
const asFailure = ({ code, permanent }: Diagnosis, tells: string | undefined): Diagnosis =>
  code === null && tells === 'failed' ? { code: '5.0.0', permanent: false } : { code, permanent }

/**
 * Whether it says first that mail to somebody elsewhere failed. A ticket system answers under such addresses as well, and names
 * those of its own firm.
 */
function isAboutOthers(look: Seen): boolean {
  const { subject, notice, from } = look
  const host = from.address.slice(from.address.lastIndexOf('@')).toLowerCase()
  const isElsewhere = othersIn(look).some((one) => host === '' || !one.toLowerCase().endsWith(host))
  return isElsewhere && tellsIn(subject, notice.said.slice(0, 700)) === 'failed'
}

/** Whether it has with it a letter from the address that it came to. */
function returnsOurs({ email, to, notice }: Seen): boolean {
  // People quote a sender and a subject, and not the rest of the head.
  const quoted = /^(?:received|message-id)[ \t]{0,9}:/im.test(notice.original)
    ? notice.original
    : ''
  const original = partOf(email, originalTypes) ?? quoted
  const from = /^from[ \t]{0,9}:([^\r\n]{0,900})/im.exec(original)?.[1] ?? ''
  const ours = new Set(to.map((one) => one.toLowerCase()))
  return addressesIn(from).some((one) => ours.has(one.toLowerCase()))
}

const isReply = ({ refers, subject }: Look) => refers || isAnswer(subject)

const words = ({ said }: Notice) => `${answersIn(said)}\n${said}`
const failedIn = (header: (name: string) => string) =>
  header('x-failed-recipients')
    .split(/[\s,;<>]+/)
    .filter((one) => one.includes('@'))

/** The recipients that the text of a report names, otherwise the recipient of the letter that it returns. */
function namedIn(look: Seen): string[] {
  const named = othersIn(look)
  if (named.length > 0) return named
  return recipientsOfHead(partOf(look.email, originalTypes) ?? look.notice.original)
}

function othersIn({ from, to, notice }: Seen): string[] {
  const own = new Set([from.address, ...to].map((one) => one.toLowerCase()))
  return recipientsIn(notice, (one) => own.has(one.toLowerCase()) || isDaemon(one))
}

function readComplaint(look: Seen): Report | null {
  const { email, subject, text, header, from, isFromServer, notice } = look
  const original = partOf(email, originalTypes)
  const part = partOf(email, ['message/feedback-report', 'message/global-feedback-report'])
  const isWritten =
    isReport(email, 'feedback-report') ||
    (feedbackField.test(text) && /^(?:user-agent|version)[ \t]*:/im.test(text))
  const nested = isFromServer ? nestedIn(email, feedbackField) : undefined
  const fields = part ?? (isWritten ? text : nested)
  // A mail program forwards the text of a report. Providers themselves begin the subject of theirs with FW.
  const isForwarded =
    !isReport(email, 'feedback-report') && (part === undefined ? isReply(look) : look.refers)
  const feedback = fields === undefined || isForwarded ? undefined : readFeedback(fields)
  const head = original ?? notice.original
  const isJunk =
    feedback === undefined &&
    (isJunkReport(head) ||
      header('x-hmxmroriginalrecipient') !== '' ||
      (isComplaintSubject(subject) &&
        original !== undefined &&
        /^(?:staff|abuse|fbl|feedback|complaints?|scomp|arf)/i.test(from.address)))
  if (!feedback && !isJunk) return null
  const kind = feedback?.kind ?? 'complaint'
  const named = feedback?.recipients ?? []
  const direct = header('x-hmxmroriginalrecipient')
  return {
    kind,
    permanent: kind === 'complaint',
    code: null,
    recipients: unique(
      named.length > 0 ? named : direct ? [direct.trim()] : recipientsOfHead(head),
    ),
    refersTo: originalIds(look),
  }
}

/** A note that a mail was shown or deleted (RFC 8098); programs send it for the person, who has not replied. */
function readReceipt(look: Seen): Report | null {
  const { email } = look
  const part = partOf(email, [
    'message/disposition-notification',
    'message/global-disposition-notification',
  ])
  if (part === undefined || !isReport(email, 'disposition-notification')) return null
  // A mail server may refuse a letter in this form too (RFC 5429).
  if (look.isFromServer && tellsIn(look.subject, look.notice.said) === 'failed') return null
  const ids = /^original-message-id:[ \t]{0,9}(<[^<>\s]{1,990}>)/im.exec(part)?.[1]
  const refersTo = ids === undefined ? originalIds(look) : [ids]
  const found = outcomesIn(part, '').flatMap(({ recipients }) => recipients)
  return { kind: 'delivery', permanent: false, code: null, recipients: unique(found), refersTo }
}

function readJson({ text, from }: Look): Report | null {
  const told =
    /@(?:[\w-]+\.)*(?:amazonaws|amazonses)\.com$/i.test(from.address) && readNotification(text)
  if (!told) return null
  const { ids, ...rest } = told
  return { ...rest, recipients: unique(rest.recipients), refersTo: ids.slice(0, 5) }
}

/** The letter that is returned names itself; where it was cut off, the server may name it. */
function originalIds({ email, notice }: Seen): string[] {
  const original = partOf(email, originalTypes)
  for (const text of [original, notice.original, notice.said])
    if (text) {
      const ids = idsIn(text)
      if (ids.length > 0) return ids
    }
  return []
}

const maxRecipients = 100
const unique = (addresses: string[]) => [...new Set(addresses)].slice(0, maxRecipients)
