import { hasOne, listed, oneLine } from '../phrases.ts'
import type { Report } from '../received.ts'
import { isForward } from '../subjects.ts'
import { addressesIn, hostOf, recipientsOfHead, valuesOf } from './addresses.ts'
import { isFormOfAbuse } from './forms.ts'
import {
  feedbackField,
  feedbackTypes,
  filedIn,
  headField,
  isReply,
  isReport,
  nestedIn,
  originalIds,
  originalTypes,
  partOf,
  type Seen,
  sendersOfHead,
  unique,
} from './look.ts'
import { tellsIn } from './notice.ts'
import { speaksAsPerson } from './people.ts'
import { isAbuseDesk, isOfReports } from './senders.ts'

// Complaints about a letter of ours: in the standard form (RFC 5965), in those of single providers, and as those who handle
// complaints send them on.

/** Null if nobody complains. */
export function readComplaint(look: Seen): Report | null {
  const { email, subject, text, header, from, isFromServer, notice } = look
  const original = partOf(email, originalTypes)
  const part = partOf(email, feedbackTypes)
  const isWritten =
    isReport(email, 'feedback-report') ||
    (feedbackField.test(text) && /^(?:user-agent|version)[ \t]*:/im.test(text))
  const nested = isFromServer ? nestedIn(email, feedbackField) : undefined
  const fields = part ?? (isWritten ? text : nested)
  // A mail program forwards the text of a report. Providers themselves begin the subject of theirs with FW.
  const isForwarded =
    !isReport(email, 'feedback-report') &&
    (part === undefined && !isOfReports(from.address) ? isReply(look) : look.refers)
  const feedback = fields === undefined || isForwarded ? undefined : readFeedback(fields)
  const head = original ?? notice.original
  const isJunk =
    feedback === undefined &&
    (isJunkReport(head) ||
      header('x-hmxmroriginalrecipient') !== '' ||
      (isComplaintSubject(subject) && original !== undefined && isOfReports(from.address)) ||
      isReportedAsJunk(look, original))
  if (!feedback && !isJunk) return readPassedOn(look)
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

/** Whether a provider says that a user of its own takes for junk what it returns, which is ours. A person says more. */
const isReportedAsJunk = (look: Seen, original: string | undefined): boolean =>
  original !== undefined &&
  !isReply(look) &&
  saysReported(look.notice.said) &&
  isFromOurs(original, look.to) &&
  !speaksAsPerson(look.notice.said)

/**
 * A complaint that an abuse desk sends on: it says so, and has our letter with it. One that answers us, thanks for a report, or
 * says that a letter was not delivered, is something else.
 */
function readPassedOn(look: Seen): Report | null {
  const { email, subject, text, header, from, to, notice, refers } = look
  // A desk forwards the letter as it came, as a part of its own, or says where it came from.
  const forwards = () =>
    !refers &&
    isForward(subject) &&
    isAbuseDesk(from) &&
    (partOf(email, originalTypes) !== undefined ||
      headField.test(notice.original) ||
      isFormOfAbuse(notice.said))
  if (isReply(look) && !forwards()) return null
  const report = filedIn(email, spamReport) ?? text
  const isReportOfSpam =
    (header('x-xarf') !== '' || header('x-arf') !== '' || /x-?arf/i.test(report.slice(0, 9_000))) &&
    spamReport.test(report.slice(0, 9_000))
  const says = () =>
    (complains(subject, notice.said) || isComplaintSubject(subject)) && !thanksFor(notice.said)
  const isDesk = isAbuseDesk(from) && says() && tellsIn(subject, notice.said) !== 'failed'
  const isMarked = header('x-spamcop-sourceip') !== ''
  const isSpamCop = isOfSpamCop(subject, { sender: from.address, isMarked })
  if (!isReportOfSpam && !isDesk && !isSpamCop) return null
  const original = originalIn(look)
  // A desk may tell only from where and when it came; which letter it was cannot be known then.
  if (original === undefined && (isSpamCop || (isDesk && isFormOfAbuse(notice.said))))
    return { kind: 'complaint', permanent: true, code: null, recipients: [], refersTo: [] }
  // SpamCop takes names and addresses out of the letter.
  if (original === undefined || !(isSpamCop || isFromOurs(original, to))) return null
  return {
    kind: 'complaint',
    permanent: true,
    code: null,
    recipients: unique(recipientsOfHead(original)),
    refersTo: originalIds({ ...look, notice: { ...notice, original } }),
  }
}

/** Our letter, or its head: as a part, as a file, or in the text, where it may be quoted. */
function originalIn({ email, notice, text }: Seen): string | undefined {
  const part = partOf(email, originalTypes) ?? filedIn(email, headField)
  if (part !== undefined) return part
  if (headField.test(notice.original)) return notice.original
  // Nothing is said before it.
  if (/^\s{0,99}(?:received|return-path|message-id)[ \t]{0,9}:/i.test(text)) return text
  const lines = text.slice(0, 64 * 1024).split(/\r?\n/)
  const quoted = lines.flatMap((line) => /^[ \t]{0,9}>[ \t]?(.*)$/.exec(line)?.[1] ?? []).join('\n')
  return headField.test(quoted) ? quoted : headIn(lines)
}

const field = /^[a-z][a-z-]{1,40}:[ \t]/i
const fewestFields = 3

/** A head without anything around it: one of the paragraphs, perhaps below a line that announces it. */
function headIn(lines: string[]): string | undefined {
  for (let from = 0; from < lines.length; ) {
    const end = lines.findIndex((line, i) => i >= from && line.trim() === '')
    const paragraph = lines.slice(from, end < 0 ? lines.length : end)
    const at = paragraph.findIndex((line) => field.test(line))
    const head = paragraph.slice(Math.max(at, 0))
    const fields = head.filter((line) => field.test(line)).length
    if ((at === 0 || at === 1) && fields >= fewestFields && headField.test(head.join('\n')))
      return head.join('\n')
    from += paragraph.length + 1
  }
  return undefined
}

/** Whether somebody of our firm wrote it: a complaint goes to an address for complaints as well. */
function isFromOurs(original: string, to: string[]): boolean {
  const hosts = to.map(hostOf)
  return sendersOfHead(original)
    .map(hostOf)
    .some((one) => hosts.some((host) => host === one || one.endsWith(`.${host}`)))
}

// Feedback of providers in fields.

type Feedback = { kind: 'complaint' | 'delivery'; recipients: string[] }

/** A report in fields. An authentication failure (RFC 6591) and `not-spam` do not count against a letter of ours. */
export function readFeedback(report: string): Feedback | undefined {
  const [type] = valuesOf(report, 'feedback-type')
  if (type === undefined) return undefined
  const complains = /^\s*(?:abuse|fraud|virus|other|opt-out|opt-out-list|spam|complaint)\b/i.test(
    type,
  )
  return {
    kind: complains ? 'complaint' : 'delivery',
    recipients: ['original-rcpt-to', 'removal-recipient', 'original-recipient', 'final-recipient']
      .flatMap((name) => valuesOf(report, name))
      .flatMap(addressesIn),
  }
}

/** Whether a returned head is one that Outlook.com gives to senders when somebody reports a mail as junk (JMRP). */
const isJunkReport = (head: string): boolean =>
  valuesOf(head, 'x-hmxmroriginalrecipient').length > 0

/** Subjects of complaints that come without a report in fields. */
const complaint =
  /^\s*(?:\[?(?:complaint|abuse(?: report)?|spam (?:complaint|report)|feedback loop|fbl)\b.{0,60}\b(?:message|mail|e-mail|from|report|about)|complaint about message from\b|email feedback report for\b|client tos notification\b)/i
const isComplaintSubject = (subject: string): boolean => complaint.test(subject.slice(0, 200))

const reported =
  /(?<!\p{L})(?:was|were|has been|have been|is being) reported as (?:junk|spam|unsolicited|abuse|unwanted)(?: (?:junk|bulk|e-?mail|mail|email|messages?)){0,2} by (?:a|an|one of(?: our| the| its)?|our) (?:[\w.&/-]{1,30} ){0,3}?(?:user|customer|member|subscriber|recipient|account holder)s?(?!\p{L})/u
/** Whether a provider says first that one of those who have their mail with it reported a letter as junk, as Hotmail did. */
export const saysReported = (said: string): boolean => reported.test(oneLine(said.slice(0, 1_000)))

// SpamCop writes the number of a report into its subject, behind the address of the internet or the page that it is about, and
// sends it from an address of that number.
const spamCop = /^\s*\[SpamCop \([^()]{1,200}\) id:(\d{1,15})\]/i
/** Whether somebody has reported a letter by SpamCop, which is known by more addresses than its own. */
export function isOfSpamCop(
  subject: string,
  { sender, isMarked }: { sender: string; isMarked: boolean },
): boolean {
  const [, number] = spamCop.exec(subject.slice(0, 300)) ?? []
  return number !== undefined && (isMarked || sender.startsWith(`${number}@`))
}

/** A report of spam as programs of abuse desks write it (X-ARF). */
export const spamReport =
  /report-?type"?[ \t]{0,9}:[ \t]{0,9}"?(?:spam|spamtrap|spamvertised|unsolicited)\b/i

const complaints =
  listed(`spam | unsolicited | junk mail | offending message | abuse report | abuse complaint | complaint about
  complaint regarding | received a complaint | received complaints | beschwerde | beschwert | unverlangt
  unerwünschte werbung | unerwünschte e-mail | plainte | pourriel | courrier indésirable | non sollicité
  correo no deseado | no solicitado | denuncia | denúncia | reclamação | posta indesiderata | non richiest
  não solicitad | klacht | ongewenste | niezamówion | niechcian | жалоб | нежелательн | спам | 迷惑メール | 特定電子メール
  垃圾邮件 | 垃圾郵件 | 投诉 | 스팸`)
/** What those say to whom somebody has reported something. */
const thanks =
  listed(`thank you for your report | thanks for your report | thank you for reporting | thank you for contacting
  thank you for your complaint | we have received your report | we have received your complaint
  we received your report | received your report of | danke für ihre meldung | vielen dank für ihre meldung
  vielen dank für ihre beschwerde | merci pour votre signalement | gracias por su denuncia | grazie per la segnalazione
  obrigado pela sua denúncia | bedankt voor uw melding`)

/** Whether an abuse desk says in its subject or first words that somebody complains. */
export const complains = (subject: string, said: string): boolean =>
  hasOne(oneLine(`${subject.slice(0, 300)}\n${said.slice(0, 2_000)}`), complaints)

const thanksFor = (said: string): boolean => hasOne(oneLine(said.slice(0, 2_000)), thanks)
