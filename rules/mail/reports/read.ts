import { idsIn } from './addresses.ts'
import { readComplaint } from './complaints.ts'
import { outcomesIn, type RecipientStatus } from './delivery-status.ts'
import { asFailure, diagnose } from './diagnosis.ts'
import {
  isMarked,
  isReply,
  type Look,
  namedIn,
  originalIds,
  type Report,
  type Seen,
  unique,
} from './look.ts'
import { answersIn, type Notice, originsIn, readNotice, tellsIn } from './notice.ts'
import { readNotification } from './notifications.ts'
import {
  diagnosticIn,
  filedIn,
  isReport,
  nestedIn,
  partOf,
  statusField,
  statusTypes,
} from './parts.ts'
import { readReceipt } from './read-receipt.ts'
import { certifiedIn } from './receipts.ts'
import { isDaemon, isDaemonName, isServer } from './senders.ts'
import { readWords } from './words.ts'

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
  const origins = originsIn(notice.said)
  const outcomes = outcomesIn(part ?? notice.said, words(notice))
    .filter(({ code, recipients }) => code !== null || recipients.length > 0)
    .flatMap((one) => withOrigins(one, origins))
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
  const said = worst.kind === 'bounce' ? diagnosticIn(email) : undefined
  return {
    kind: worst.kind,
    permanent: worst.permanent,
    code: worst.code,
    recipients: recipients.length > 0 ? recipients : namedIn(look),
    refersTo: originalIds(look),
    ...(said && { said }),
    ...(others.length > 0 && { others: others.map(({ kind: _, ...rest }) => rest) }),
  }
}

/** With the address that was made into the one that failed. A list still works where one of its members does not. */
function withOrigins(
  outcome: RecipientStatus,
  origins: ReturnType<typeof originsIn>,
): RecipientStatus[] {
  const given = outcome.recipients.flatMap((one) => origins.get(one.toLowerCase()) ?? [])
  const of = (isList: boolean) =>
    given.filter((one) => one.isList === isList).map(({ address }) => address)
  const lists = of(true)
  return [
    { ...outcome, recipients: [...outcome.recipients, ...of(false)] },
    ...(lists.length > 0 ? [{ ...outcome, permanent: false, recipients: lists }] : []),
  ]
}

const words = ({ said }: Notice) => `${answersIn(said)}\n${said}`

function readJson({ text, from }: Look): Report | null {
  const told =
    /@(?:[\w-]+\.)*(?:amazonaws|amazonses)\.com$/i.test(from.address) && readNotification(text)
  if (!told) return null
  const { ids, ...rest } = told
  return { ...rest, recipients: unique(rest.recipients), refersTo: ids.slice(0, 5) }
}
