import type { Email } from 'postal-mime'
import { addressesIn, idsIn } from '../../rules/reports/addresses.ts'
import { outcomesIn } from '../../rules/reports/delivery-status.ts'
import { type Diagnosis, diagnose, reasonIn } from '../../rules/reports/diagnosis.ts'
import { isFilterForm } from '../../rules/reports/forms.ts'
import { answersIn, type Notice, readNotice, tellsIn } from '../../rules/reports/notice.ts'
import { readNotification } from '../../rules/reports/notifications.ts'
import {
  looksReturned,
  refusesForSender,
  speaksAsPerson,
} from '../../rules/reports/ordinary-senders.ts'
import { certifiedIn } from '../../rules/reports/receipts.ts'
import {
  isDaemon,
  isDaemonName,
  isFilterName,
  isProgram,
  isServer,
  isUnattended,
} from '../../rules/reports/senders.ts'
import { codesIn, isPermanent } from '../../rules/reports/status.ts'
import { readComplaint } from './complaints.ts'
import { readReceipt } from './receipts.ts'
import {
  isReply,
  type Look,
  namedIn,
  originalIds,
  othersIn,
  type Report,
  returnsOurs,
  type Seen,
  unique,
} from './report-look.ts'
import { filedIn, isReport, nestedIn, partOf, statusField, statusTypes } from './report-parts.ts'

// What mail servers and providers report: bounces, deliveries (RFC 3464) and complaints (RFC 5965), in the forms of the
// standards and in plain words. All of it is only what a mail claims: db/inbox/reports.ts has to prove that it is about a letter
// of ours.

/** Null if the mail is not a report. */
export function readReport(look: Look): Report | null {
  const seen = { ...look, notice: readNotice(look.text) }
  return (
    readComplaint(seen) ??
    readCertified(seen) ??
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
    isMarked(email) ||
    isReport(email, 'delivery-status')
  )
}

// What products put into the head of bounces alone; Exchange leaves its own empty.
const marks = ['x-failed-recipients', 'x-ms-exchange-message-is-ndr', 'x-qq-bounce']
const isMarked = ({ headers }: Email) => headers.some(({ key }) => marks.includes(key))

/** A notice of certified mail; what it says about a letter is in words. */
function readCertified(look: Seen): Report | null {
  const { header, subject, from, notice } = look
  const tells = certifiedIn(header('x-ricevuta'), { subject, from: from.address })
  if (tells === undefined) return null
  const named = idsIn(`Message-ID: ${header('x-riferimento-message-id')}`)
  const refersTo = named.length > 0 ? named : originalIds(look)
  const recipients = namedIn(look)
  if (tells !== 'failed')
    return { kind: 'delivery', permanent: false, code: null, recipients, refersTo }
  const diagnosis = asFailure(diagnose(undefined, [notice.said]), tells)
  return { kind: 'bounce', ...diagnosis, recipients, refersTo }
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
  const isStated = isDaemon(from.address) || isMarked(look.email)
  const isDirect = isStated || from.address === ''
  const states = isFromServer && isDirect && reason !== undefined && isPermanent(reason)
  const isOwn = isProgram(from) || (isFilterName(from.name) && othersIn(look).length > 0)
  const gives = isOwn && codesIn(notice.said).some((code) => code[0] !== '2')
  const isForm = !isReply(look) && isFilterForm({ subject, said: notice.said, isOwn }, look.to)
  const told = isForm ? 'failed' : tellsIn(subject, notice.said)
  // A program that asks for a confirmation, or a list for a moderator, has not failed; a mail server that does so is not
  // understood.
  const isList = from.address !== '' && !isServer(from.address) && !isMarked(look.email)
  if (told === 'held' && (!isDirect || isList)) return null
  const tells = told === 'held' ? undefined : (told ?? (states || gives ? 'failed' : undefined))
  const looks = () =>
    looksReturned(subject, notice.said, {
      ...{ sender: from.address, to: look.to, returnsOurs: returnsOurs(look) },
    })
  // A program that answers nothing says so where people begin to talk, too; a person answers what we wrote.
  const isNobody = isOwn || isUnattended(from.address)
  const answers = answersIn(notice.said)
  const isMachine = isNobody || (saysAutomatic(header) && answers !== '')
  const isNamed =
    tells !== undefined &&
    (isOwn ||
      isForm ||
      (isMachine &&
        tells === 'failed' &&
        header('list-unsubscribe') === '' &&
        isAboutOthers(look)) ||
      // Programs leave out whose mail it is; what they say then is not a person's.
      (from.address === '' && tells === 'failed' && !speaksAsPerson(notice.said)))
  // A server may answer as the very address that failed.
  const isAs = tells === 'failed' && refusesForSender(notice.said, from)
  if (!isFromServer && !isAs && !(isReply(look) ? isNobody && looks() : isNamed || looks()))
    return null
  // Words without a failure and without a code are no bounce that anybody could understand.
  const isUnclear = tells === undefined && answers === ''
  const { code, permanent } = isUnclear
    ? { code: null, permanent: false }
    : asFailure(diagnose(undefined, [answers, notice.said, subject]), tells)
  const fails = tells === 'failed' && (answers !== '' || isOwn || (isNobody && isAboutOthers(look)))
  if (look.isExplained && !isStated && !fails && !isAs && !looks()) return null
  const refersTo = isAs ? idsIn(`Message-ID: ${header('in-reply-to')}`) : originalIds(look)
  const titled = addressesIn(subject.slice(0, 300)).filter((one) => !look.to.includes(one))
  const named = unique([...failedIn(header), ...namedIn(look), ...titled])
  // Somebody's own address sent it without a sender, so it is about that address if it says nothing else.
  const isTheirs = !isDirect
  const recipients =
    isTheirs && (isUnclear || isAs || named.length === 0)
      ? unique([from.address, ...(isAs ? [] : named)])
      : named
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

const saysAutomatic = (header: Seen['header']) =>
  /^\s*auto-(?:replied|generated|notified)\b/i.test(header('auto-submitted').slice(0, 100))

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

const words = ({ said }: Notice) => `${answersIn(said)}\n${said}`
const failedIn = (header: (name: string) => string) =>
  header('x-failed-recipients')
    .split(/[\s,;<>]+/)
    .filter((one) => one.includes('@'))

function readJson({ text, from }: Look): Report | null {
  const told =
    /@(?:[\w-]+\.)*(?:amazonaws|amazonses)\.com$/i.test(from.address) && readNotification(text)
  if (!told) return null
  const { ids, ...rest } = told
  return { ...rest, recipients: unique(rest.recipients), refersTo: ids.slice(0, 5) }
}
