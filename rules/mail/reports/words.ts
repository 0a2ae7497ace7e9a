import { passesOn } from '../automatic/notices.ts'
import { hasOne, listed, oneLine } from '../phrases.ts'
import type { Report } from '../received.ts'
import { isForward } from '../subjects.ts'
import { addressesIn, hostOf, idsIn } from './addresses.ts'
import { saysAutomatic } from './automatic-words.ts'
import { asFailure, diagnose, reasonOfServer } from './diagnosis.ts'
import { isFilterForm } from './forms.ts'
import {
  isMarked,
  isReply,
  namedIn,
  originalIds,
  othersIn,
  returnsOurs,
  type Seen,
  unique,
} from './look.ts'
import { answersIn, tellsIn } from './notice.ts'
import {
  introducesServer,
  looksReturned,
  refusesForSender,
  saysNothingElse,
} from './ordinary-senders.ts'
import { asks, speaksAsPerson, takesLeave, unquoted } from './people.ts'
import {
  isDaemon,
  isFilterName,
  isListOrFax,
  isProgram,
  isServer,
  isServiceName,
  isUnattended,
} from './senders.ts'
import { codesIn } from './status.ts'

// A report in words alone, as servers and programs write it that do not keep to the standard. A person may use the same words, so
// who sends them counts as much as what they say.

/** What a mail that reports in words is known to be from. */
type Author = {
  /** Its address or its head says that it is a bounce. */
  isStated: boolean
  /** The same, or it has no sender. */
  isDirect: boolean
  /** A program that handles mail: a server, a filter, a list. */
  isOfMailProgram: boolean
  /** One of these for lists or faxes, under whose name nobody works. */
  isListOrFax: boolean
  /** Nobody reads what is sent to its address, and it passes on no words of somebody who does. */
  isUnread: boolean
  /** One of the two before. */
  isNobody: boolean
}

type Words = {
  /** What became of the letter, as far as the words say it. */
  tells: 'failed' | 'delayed' | 'delivered' | undefined
  /** They are the form of a known filter. */
  isForm: boolean
  /** A server answers as the very address that failed. */
  isFromFailed: boolean
  /** The answers of other servers that they quote. */
  answers: string
}

/** Null if the mail is no report in words. `isFromServer`: no person can have sent it. */
export function readWords(look: Seen, isFromServer: boolean): Report | null {
  const author = authorOf(look)
  const words = wordsOf(look, author, isFromServer)
  if (!words) return null
  if (!isFromServer && !words.isFromFailed && !isOfProgram(look, author, words)) return null
  if (look.isExplained && !saysMore(look, author, words)) return null

  // Words without a failure and without a code are no bounce that anybody could understand.
  const isUnclear = words.tells === undefined && words.answers === ''
  const { code, permanent } = isUnclear
    ? { code: null, permanent: false }
    : asFailure(diagnose(undefined, [words.answers, look.notice.said, look.subject]), words.tells)
  const about = {
    recipients: recipientsOf(look, author, words, isUnclear),
    refersTo: words.isFromFailed
      ? idsIn(`Message-ID: ${look.header('in-reply-to')}`)
      : originalIds(look),
  }
  if (words.tells === 'delayed' || words.tells === 'delivered')
    return { kind: 'delivery', permanent: false, code, ...about }
  return { kind: 'bounce', permanent, code, ...about, ...(isUnclear && { unclear: true as const }) }
}

function authorOf(look: Seen): Author {
  const { from, email, notice } = look
  const isStated = isDaemon(from.address) || isMarked(email)
  const isOfMailProgram = isProgram(from) || (isFilterName(from.name) && othersIn(look).length > 0)
  const isUnread = isUnattended(from.address) && !passesOn(oneLine(notice.said.slice(0, 8_000)))
  return {
    isStated,
    isDirect: isStated || from.address === '',
    isOfMailProgram,
    isListOrFax: isListOrFax(from),
    isUnread,
    isNobody: isOfMailProgram || isUnread,
  }
}

/** Undefined if the letter is only held: a program asks for a confirmation, or a list asks its moderator. */
function wordsOf(
  look: Seen,
  { isDirect, isOfMailProgram, isListOrFax }: Author,
  isFromServer: boolean,
): Words | undefined {
  const { from, to, subject, notice, email } = look
  const isForm =
    !isReply(look) && isFilterForm({ subject, said: notice.said, isOwn: isOfMailProgram }, to)
  const told = isForm ? 'failed' : tellsIn(subject, notice.said)
  // A mail server that holds a letter is not understood.
  const isServersOwn = from.address === '' || isServer(from.address) || isMarked(email)
  if (told === 'held' && !(isDirect && isServersOwn)) return undefined
  const tells = told === 'held' ? undefined : (told ?? failedOtherwise())
  return {
    tells,
    isForm,
    isFromFailed: tells === 'failed' && refusesForSender(notice.said, from),
    answers: answersIn(notice.said),
  }

  /** What a server gives a reason for is a failure, whatever else it says; so is a program's code, or what only it says. */
  function failedOtherwise() {
    const reason = reasonOfServer(notice.said)
    const states = isFromServer && isDirect && reason?.startsWith('5')
    const gives = isOfMailProgram && codesIn(notice.said).some((code) => code[0] !== '2')
    const says =
      isListOrFax &&
      !look.refers &&
      !speaksAsPerson(notice.said) &&
      saysUnsent(isReply(look) ? '' : subject, notice.said)
    return states || gives || says ? 'failed' : undefined
  }
}

/** Whether a program has written what no server's address or head shows to be one. */
function isOfProgram(look: Seen, author: Author, words: Words): boolean {
  if (!isReply(look)) return isOfKnownProgram(look, author, words) || isReturned(look, author)
  // A person answers what we wrote. Old programs put no more of an answer than "Re:" into its head.
  const isBare = !look.refers && !isForward(look.subject)
  const { said } = look.notice
  const fails = words.tells === 'failed' || words.answers !== ''
  if (isBare && fails && introducesServer(said)) return true
  if (isBare && saysNothingElse(said, [look.from.address, ...look.to])) return true
  const isProgram = author.isListOrFax
    ? !takesLeave(unquoted(said))
    : author.isOfMailProgram && words.answers !== '' && !asks(said)
  if (isBare && isProgram && words.tells === 'failed' && !speaksAsPerson(said)) return true
  const says = () => isBare && saysAutomatic(look.notice.said.slice(0, 4_000))
  return (author.isNobody || says()) && isReturned(look, author)
}

function isOfKnownProgram(
  look: Seen,
  { isOfMailProgram, isNobody }: Author,
  { tells, isForm, answers }: Words,
): boolean {
  const { header, from, notice } = look
  if (tells === undefined) return false
  if (isOfMailProgram || isForm) return true
  if (tells !== 'failed') return false
  // A program that answers nothing says so where people begin to talk, too.
  const isMachine = isNobody || (isMarkedAutomatic(header) && answers !== '')
  if (isMachine && header('list-unsubscribe') === '' && isAboutOthers(look)) return true
  // Programs leave out whose mail it is; what they say then is not a person's.
  return from.address === '' && !speaksAsPerson(notice.said)
}

/** Whether it looks like a letter that comes back. */
const isReturned = (look: Seen, { isUnread }: Author): boolean =>
  looksReturned(look.subject, look.notice.said, {
    sender: look.from.address,
    to: look.to,
    returnsOurs: returnsOurs(look),
    isUnread,
    isMarked:
      isMarkedAutomatic(look.header) || /^\s*all\b/i.test(look.header('x-auto-response-suppress')),
    isOfService: isServiceName(look.from.name),
  })

/** Whether it says more than that somebody is away, or that an invitation is answered. */
function saysMore(look: Seen, author: Author, { tells, isFromFailed, answers }: Words): boolean {
  const { isStated, isDirect, isOfMailProgram, isNobody } = author
  const isOfServer = isDirect || isOfMailProgram
  const fails =
    tells === 'failed' && (answers !== '' || isOfServer || (isNobody && isAboutOthers(look)))
  return isStated || fails || isFromFailed || isReturned(look, author)
}

/** The addresses that it may be about, the likeliest first. */
function recipientsOf(
  look: Seen,
  { isDirect }: Author,
  { isFromFailed }: Words,
  isUnclear: boolean,
): string[] {
  const { from, to, subject, header } = look
  const titled = addressesIn(subject.slice(0, 300)).filter((one) => !to.includes(one))
  const named = unique([...failedIn(header), ...namedIn(look), ...titled, ...listOf(from.address)])
  // Somebody's own address sent it without a sender, so it is about that address if it says nothing else.
  const isTheirs = !isDirect && (isUnclear || isFromFailed || named.length === 0)
  return isTheirs ? unique([from.address, ...(isFromFailed ? [] : named)]) : named
}

/** A list that refuses a letter names those who keep it, and not itself. */
const listOf = (sender: string): string[] => {
  const [, list, host] = /^([^@]{1,64})-(?:bounces|owner)(@[^@]{1,190})$/i.exec(sender) ?? []
  return list === undefined ? [] : [`${list}${host}`]
}

const isMarkedAutomatic = (header: Seen['header']) =>
  /^\s*auto-(?:replied|generated|notified)\b/i.test(header('auto-submitted').slice(0, 100))

const failedIn = (header: Seen['header']) =>
  header('x-failed-recipients')
    .split(/[\s,;<>]+/)
    .filter((one) => one.includes('@'))

/**
 * Whether it says first that mail to somebody elsewhere failed. A ticket system answers under such addresses as well, and names
 * those of its own firm.
 */
function isAboutOthers(look: Seen): boolean {
  const { subject, notice, from } = look
  const host = hostOf(from.address)
  const isElsewhere = othersIn(look).some((one) => host === '' || hostOf(one) !== host)
  return isElsewhere && tellsIn(subject, notice.said.slice(0, 700)) === 'failed'
}

/** What programs for lists and faxes say of what they have not sent on; people say it of goods and offers, too. */
const unsent =
  listed(`not accepted | not been accepted | not distributed | not been distributed | not posted | not been posted
  not approved | not been approved | was rejected | been rejected | was denied | been denied | did not go through
  failed because | could not be completed | nicht versendet | nicht gesendet | nicht verschickt | nicht angenommen
  nicht verteilt | nicht veröffentlicht | abgelehnt | zurückgewiesen | fehlgeschlagen | pas été diffusé | pas pu être diffusé
  pas été accepté | pas été envoyé | automatiquement rejeté | a échoué | no ha sido aceptado | no fue aceptado
  no ha sido enviado | no se ha enviado | no ha sido distribuido | rechazado automáticamente | ha fallado
  non è stato accettato | non è stato inviato | non è stato distribuito | non è stato possibile inviare
  automaticamente rifiutat | automaticamente respint | não foi aceita | não foi enviad | não foi distribuíd
  automaticamente rejeitad | falhou | niet geaccepteerd | niet verzonden | niet verspreid | automatisch geweigerd | is mislukt
  nie została przyjęta | nie została wysłana | nie udało się wysłać | automatycznie odrzucon | nebyla přijata
  nebyla odeslána | se nepodařilo odeslat | automaticky odmítn | автоматически отклонен | не принято | не отправлен
  не удалось отправить | accepterades inte | ble ikke sendt | blev ikke sendt | kunne ikke sendes | kunde inte sändas`)
const sent = listed(
  `mail | message | posting | article | fax | facsimile | sms | mms | nachricht | beitrag | courriel | mensaje | correo
  messaggio | mensagem | bericht | wiadomoś | zpráv | besked | melding | meddelande | письм | сообщени`,
)
const opening = 700

/** Whether such a program says first that it has not sent a letter on. */
export function saysUnsent(subject: string, said: string): boolean {
  const words = oneLine(`${subject}\n${unquoted(said).slice(0, opening)}`)
  return hasOne(words, unsent) && hasOne(words, sent)
}
