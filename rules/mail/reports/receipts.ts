import { folded, hasOne, listed } from './phrases.ts'

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
  const title = folded(subject.slice(0, 200).replaceAll('：', ':')).trim()
  if (!titles.some((one) => title.startsWith(one))) return false
  const words = folded(said.slice(0, 3 * opening)).slice(0, opening)
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
export function certifiedIn(
  receipt: string,
  { subject, from }: { subject: string; from: string },
): 'failed' | 'delayed' | 'delivered' | undefined {
  const stated = receipts[receipt.slice(0, 60).trim().toLowerCase()]
  if (stated !== undefined) return stated
  if (!/^posta-certificata@/i.test(from)) return undefined
  const title = folded(subject.slice(0, 200)).trim()
  return certified.find(([begins]) => title.startsWith(begins))?.[1]
}
