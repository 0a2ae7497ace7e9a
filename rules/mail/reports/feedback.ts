import { addressesIn } from './addresses.ts'
import { folded, hasOne, listed } from './phrases.ts'

// Feedback of providers about letters (RFC 5965), in its standard form and in those of single providers.

export type Feedback = { kind: 'complaint' | 'delivery'; recipients: string[] }

const field = (report: string, name: string): string[] =>
  [...report.matchAll(new RegExp(`^[> \\t]{0,9}${name}[ \\t]{0,9}:[ \\t]{0,99}(.*)$`, 'gim'))].map(
    (match) => match[1] ?? '',
  )

/** A report in fields. An authentication failure (RFC 6591) and `not-spam` do not count against a letter of ours. */
export function readFeedback(report: string): Feedback | undefined {
  const [type] = field(report, 'feedback-type')
  if (type === undefined) return undefined
  const complains = /^\s*(?:abuse|fraud|virus|other|opt-out|opt-out-list|spam|complaint)\b/i.test(
    type,
  )
  return {
    kind: complains ? 'complaint' : 'delivery',
    recipients: ['original-rcpt-to', 'removal-recipient', 'original-recipient', 'final-recipient']
      .flatMap((name) => field(report, name))
      .flatMap(addressesIn),
  }
}

/** The recipients that providers name in the head of the letter that they return, beside To. */
export const recipientsOfHead = (head: string): string[] => {
  const named = [
    'x-hmxmroriginalrecipient',
    'x-original-to',
    'x-original-recipient',
    'delivered-to',
    'x-rcpt-to',
  ].flatMap((name) => field(head, name).flatMap(addressesIn))
  return named.length > 0 ? named : field(head, 'to').slice(0, 1).flatMap(addressesIn)
}

/** Whether a returned head is one that Outlook.com gives to senders when somebody reports a mail as junk (JMRP). */
export const isJunkReport = (head: string): boolean =>
  field(head, 'x-hmxmroriginalrecipient').length > 0

/** Subjects of complaints that come without a report in fields. */
const complaint =
  /^\s*(?:\[?(?:complaint|abuse(?: report)?|spam (?:complaint|report)|feedback loop|fbl)\b.{0,60}\b(?:message|mail|e-mail|from|report|about)|complaint about message from\b|email feedback report for\b|client tos notification\b)/i
export const isComplaintSubject = (subject: string): boolean =>
  complaint.test(subject.slice(0, 200))

const reported =
  /(?<!\p{L})(?:was|were|has been|have been|is being) reported as (?:junk|spam|unsolicited|abuse|unwanted)(?: (?:junk|bulk|e-?mail|mail|email|messages?)){0,2} by (?:a|an|one of(?: our| the| its)?|our) (?:[\w.&/-]{1,30} ){0,3}?(?:user|customer|member|subscriber|recipient|account holder)s?(?!\p{L})/u
/** Whether a provider says first that one of those who have their mail with it reported a letter as junk, as Hotmail did. */
export const saysReported = (said: string): boolean => reported.test(folded(said.slice(0, 1_000)))

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
  hasOne(folded(`${subject.slice(0, 300)}\n${said.slice(0, 2_000)}`), complaints)

export const thanksFor = (said: string): boolean => hasOne(folded(said.slice(0, 2_000)), thanks)
