import { hasOne, listed, oneLine } from '../phrases.ts'
import type { Report } from '../received.ts'
import { idsIn } from './addresses.ts'
import { readComplaint } from './complaints.ts'
import { outcomesIn, type RecipientStatus } from './delivery-status.ts'
import { asFailure, diagnose } from './diagnosis.ts'
import {
  diagnosticIn,
  filedIn,
  isMarked,
  isReply,
  isReport,
  type Look,
  namedIn,
  nestedIn,
  originalIds,
  partOf,
  receiptTypes,
  type Seen,
  statusField,
  statusTypes,
  unique,
} from './look.ts'
import { answersIn, type Notice, originsIn, readNotice, tellsIn } from './notice.ts'
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

/** A note that a mail was shown or deleted (RFC 8098); programs send it for the person, who has not replied. */
function readReceipt(look: Seen): Report | null {
  const { email, header, subject, from, notice } = look
  const part = partOf(email, receiptTypes)
  if (part === undefined && isReceipt(subject, notice.said))
    return {
      ...{ kind: 'delivery', permanent: false, code: null, recipients: unique([from.address]) },
      refersTo: idsIn(`Message-ID: ${header('in-reply-to').slice(0, 1_000)}`),
    }
  if (part === undefined || !isReport(email, 'disposition-notification')) return null
  // A mail server may refuse a letter in this form too (RFC 5429).
  if (look.isFromServer && tellsIn(look.subject, look.notice.said) === 'failed') return null
  const ids = /^original-message-id:[ \t]{0,9}(<[^<>\s]{1,990}>)/im.exec(part)?.[1]
  const refersTo = ids === undefined ? originalIds(look) : [ids]
  const found = outcomesIn(part, '').flatMap(({ recipients }) => recipients)
  return { kind: 'delivery', permanent: false, code: null, recipients: unique(found), refersTo }
}

// Receipts of programs in plain words: that a mail was shown to somebody (where the part of RFC 8098 is missing), and those of
// certified mail in Italy.

const titles =
  listed(`read: | not read: | rcpt: | read receipt | read notification | disposition notification | notification de lecture
  notificación de lectura | return receipt | delivered: | received: | gelesen: | nicht gelesen: | zugestellt:
  lesebestätigung | empfangsbestätigung | lu: | lu : | non lu: | non lu : | accusé de réception | accusé de lecture
  confirmation de lecture | leído: | no leído: | confirmación de lectura | acuse de recibo | letto: | non letto:
  conferma di lettura | ricevuta di ritorno | avviso di lettura | lida: | não lida: | confirmação de leitura
  aviso de leitura | gelezen: | niet gelezen: | leesbevestiging | ontvangstbevestiging | przeczytane: | nieprzeczytane:
  potwierdzenie przeczytania | potwierdzenie odczytu | přečteno: | potvrzení o přečtení | läst: | læst: | lest: | luettu:
  прочтено: | прочитано: | не прочтено: | подтверждение прочтения | подтверждение получения | уведомление о прочтении
  開封済み: | 未開封: | 開封確認 | 開封通知 | message status - opened
  message status - read | nachrichtenstatus - geöffnet | nachrichtenstatus - geoeffnet | nachrichtenstatus - gelesen
  已读: | 已讀: | 阅读回执 | 已读回执 | 읽음: | 읽음 확인 | 수신 확인`)
const bodies =
  listed(`your message was read on | your message was displayed on | was read on | was displayed on | was deleted without being read
  this is a return receipt for | this is a receipt for the mail you sent | this return receipt only acknowledges
  was received by: | document: was | was opened on | was opened at | wurde geöffnet am | wurde gelesen am | gelesen wurde | dies ist eine empfangsbestätigung für | dies ist eine lesebestätigung
  diese empfangsbestätigung | a été lu le | ceci est un accusé de | cet accusé de | fue leído el | se leyó el
  este es un acuse de | esto es un acuse de | este acuse de | è stato letto il | è stato letto in data | questa è una ricevuta
  questa ricevuta | foi lida em | este é um aviso de | esta é uma confirmação de | is gelezen op | dit is een ontvangstbevestiging
  dit is een leesbevestiging | została przeczytana | została odczytana | to jest potwierdzenie | byla přečtena
  было получено и прочитано | было прочитано | сообщение прочитано | 開封されました | 開封しました | 表示されました
  已被阅读 | 已阅读 | 读取了 | 읽었습니다 | 읽혔습니다`)
// A day or a time follows, or whom a mail was delivered to; people say so of goods and of papers.
const patterns = [
  /\bconfirmation of (?:reading|delivery): your message\b/,
  /\b(?:message|mail|e-mail|document|memo|nachricht|dokument|mitteilung|courrier|mensaje|messaggio|mensagem|bericht)\b[^@]{0,150}(?:was (?:read|displayed) at \d{1,2}[:.]\d\d|(?:was (?:successfully )?delivered to|wurde (?:erfolgreich )?zugestellt an|a été remis à|fue entregado a|è stato consegnato a|foi entregue a|is bezorgd bij|is afgeleverd bij) ?:)/u,
]
const opening = 600

/** Whether a program says that a mail was shown: by such a subject, and in its own words where it begins. */
export const isReceipt = (subject: string, said: string): boolean => {
  const title = oneLine(subject.slice(0, 200).replaceAll('：', ':')).trim()
  if (!titles.some((one) => title.startsWith(one))) return false
  const words = oneLine(said.slice(0, 3 * opening)).slice(0, opening)
  return hasOne(words, bodies) || patterns.some((pattern) => pattern.test(words))
}

// Certified mail (PEC): what its notices say in X-Ricevuta (RFC 6109, 3.1 and 4), and how their subjects begin. A letter that it
// only carries has X-Trasporto instead.
const receipts: Record<string, 'failed' | 'delayed' | 'delivered'> = {
  accettazione: 'delivered',
  'presa-in-carico': 'delivered',
  'avvenuta-consegna': 'delivered',
  'non-accettazione': 'failed',
  'rilevazione-virus': 'failed',
  'errore-consegna': 'failed',
  'preavviso-errore-consegna': 'delayed',
}
const certified: [begins: string, tells: 'failed' | 'delayed' | 'delivered'][] = [
  ['accettazione:', 'delivered'],
  ['presa in carico:', 'delivered'],
  ['consegna:', 'delivered'],
  ['avviso di non accettazione', 'failed'],
  ['avviso di mancata consegna', 'failed'],
  ['problema di sicurezza:', 'failed'],
  ['preavviso di mancata consegna', 'delayed'],
]

/** What a notice of certified mail says; undefined for any other mail. */
function certifiedIn(
  receipt: string,
  { subject, from }: { subject: string; from: string },
): 'failed' | 'delayed' | 'delivered' | undefined {
  const stated = receipts[receipt.slice(0, 60).trim().toLowerCase()]
  if (stated !== undefined) return stated
  if (!/^posta-certificata@/i.test(from)) return undefined
  const title = oneLine(subject.slice(0, 200)).trim()
  return certified.find(([begins]) => title.startsWith(begins))?.[1]
}

// Bounces and complaints that Amazon SES sends by mail, as JSON (Developer guide, "Amazon SNS notification contents").

type Notification = {
  kind: 'bounce' | 'complaint' | 'delivery'
  code: string | null
  permanent: boolean
  recipients: string[]
  ids: string[]
}

const longest = 128 * 1024

/** What a text says that holds such a notification; undefined for any other text. */
export function readNotification(text: string): Notification | undefined {
  const whole = text.slice(0, longest)
  if (!/"(?:notificationType|eventType)\\?"/.test(whole)) return undefined
  const [first, last] = [whole.indexOf('{'), whole.lastIndexOf('}')]
  try {
    return toldBy(JSON.parse(whole.slice(first, last + 1)))
  } catch {
    return undefined
  }
}

function toldBy(given: unknown): Notification | undefined {
  const told = record(given)
  if (typeof told['Message'] === 'string') return readNotification(told['Message'])
  const kind = String(told['notificationType'] ?? told['eventType'] ?? '').toLowerCase()
  const [bounce, complaint] = [record(told['bounce']), record(told['complaint'])]
  const mail = record(told['mail'])
  const ids = [
    record(mail['commonHeaders'])['messageId'],
    ...list(mail['headers']).flatMap((one) =>
      String(one['name']).toLowerCase() === 'message-id' ? [one['value']] : [],
    ),
  ].filter((id) => typeof id === 'string')
  if (kind === 'complaint')
    return {
      kind,
      code: null,
      permanent: true,
      recipients: of(complaint, 'complainedRecipients'),
      ids,
    }
  if (kind === 'delivery' || kind === 'deliverydelay')
    return { kind: 'delivery', code: null, permanent: false, recipients: [], ids }
  if (kind !== 'bounce') return undefined
  const [first] = list(bounce['bouncedRecipients'])
  const said = String(first?.['diagnosticCode'] ?? '')
  // A permanent bounce means, if nothing more is said, that the mailbox does not exist.
  const isPermanent = bounce['bounceType'] === 'Permanent'
  const fallback = isPermanent && said === '' ? '5.1.1' : undefined
  const stated = typeof first?.['status'] === 'string' ? first['status'] : fallback
  const { code, permanent } = diagnose(stated, [said])
  return {
    kind,
    code,
    permanent: permanent && isPermanent,
    recipients: of(bounce, 'bouncedRecipients'),
    ids,
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const list = (value: unknown) => (Array.isArray(value) ? value.slice(0, 200).map(record) : [])
const of = (told: Record<string, unknown>, name: string): string[] =>
  list(told[name]).flatMap(({ emailAddress }) =>
    typeof emailAddress === 'string' ? [emailAddress] : [],
  )
