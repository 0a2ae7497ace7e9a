import { hasOne, listed, oneLine } from '../phrases.ts'
import { failures } from './failures.ts'

// Subjects that mail servers give to bounces. A person's answer or forward of one begins with something else.

/** Beginnings of subjects, by language. */
const byLanguage = {
  english: `not member article | fml loop alert | fml system error message | loop alert
    undelivered | undeliverable | undeliverd | returned mail | failure notice
    delivery status notification | delivery failure | delivery failed | delivery has failed | delivery report
    delivery notification | delivery error | delivery problem | mail delivery failed | mail delivery failure
    mail delivery error | mail delivery problem | mail delivery status | mail delivery subsystem | mail system error
    mail returned | mail failure | mail not delivered | mail undeliverable | mail failed | message delivery fail
    message undeliver | message not delivered | message could not be delivered | message failure
    message delivery status | message status - undeliver | non-deliver | nondeliver | email delivery | e-mail delivery
    email undeliver
    e-mail undeliver | could not send | could not deliver | unable to deliver | returned to sender
    permanent delivery failure | there was an error sending your mail | mail rejected | message rejected
    email rejected | e-mail rejected | mailmarshal | alert - | [postmaster] | hard bounce | soft bounce
    returned post for | bounce notification | bounced message | bounced mail | bounced: | [bounced]
    cc:mail link to smtp undeliverable`,
  german: `rückläufer | unzustellbar | nicht zustellbar | mail nicht zustellbar | e-mail nicht zustellbar
    nachricht nicht zustellbar | nachricht unzustellbar | zustellungsfehler | zustellung fehlgeschlagen
    zustellung nicht möglich | fehler bei der zustellung | fehler bei der nachricht | fehler bei der übermittlung
    fehler bei der mail | fehler bei der e-mail | mailzustellung | nachricht nicht zugestellt
    mail nicht zugestellt | e-mail nicht zugestellt | benachrichtung zum | benachrichtigung zum übermittlungsstatus`,
  french: `non remis | non distribu | notification d'état de remise | échec de | echec de | courrier non remis | courrier non distribu
    courrier non délivr | message non remis | message non distribu | message non délivr | message non livr
    message non transmis | message non envoy | votre message n'a pas | impossible de remettre
    message refusé | message rejeté | votre message a été refusé | votre message a été rejeté`,
  spanish: `no se pudo entregar | no se puede entregar | notificación de estado | correo no entregad | correo no enviad
    correo no se | correo devuelto | mensaje no entregad | mensaje no enviad | mensaje no se | mensaje no ha | mensaje no pud
    mensaje no pued | mensaje devuelto | mensaje rechazado | su mensaje no se | su mensaje no ha | su mensaje no pud
    su mensaje no fue | error de entrega | error en la entrega
    error en el envío de | fallo de entrega | fallo en la entrega`,
  italian: `mancata | mancato | non recapitabile | non consegnat | notifica di mancat | avviso di mancat
    recapito non | messaggio non recapita | messaggio non consegna | errore di consegna | impossibile recapitare
    impossibile consegnare`,
  portuguese: `não entreg | falha na entrega | falha de entrega | erro na entrega | erro de entrega
    erro no envio | falha no envio | notificação de status | notificação de falha | notificação de entrega
    notificação de não | mensagem não entreg | mensagem não enviad | mensagem não p | mensagem não foi | mensagem devolvida
    sua mensagem não p | sua mensagem não foi | e-mail não entreg | email não entreg | e-mail devolvido`,
  dutch: `onbestelbaar | onbezorgbaar | bezorging mislukt | niet bezorgd | bericht niet bezorgd | bericht niet afgeleverd
    mail niet bezorgd | mail niet afgeleverd | e-mail niet bezorgd`,
  polish: `niedostarcz | nie można dostarczyć | nie dostarczono | zwrot wiadomości | zwrot poczty | zwrot e-mail | zwrot maila | zwrot do nadawcy | błąd dostarcz
    wiadomość niedostarcz | wiadomość nie zosta | wiadomość nie mog | wiadomość nie może`,
  czech: `nedoručiteln | nedoručená zpráva | zprávu nelze doručit | zpráva nebyla doručena | doručení se nezdařilo
    chyba doručení | nedoručená správa`,
  nordic: `kunde inte leverera | olevererbart | meddelandet kunde inte | kan ikke leveres | kunne ikke leveres
    levering mislyk | viestiä ei voitu | ikke leveret`,
  hungarian: 'kézbesíthetetlen | sikertelen kézbesítés | kézbesítési hiba',
  turkish: 'iletilemeyen | iletilemedi | teslim edilemeyen | teslim edilemedi | teslimat başarısız',
  russian: `недоставлен | не доставлен | сообщение не доставлен | сообщение не может | сообщение не было
    сообщение не удалось | сообщение не отправлен | письмо не доставлен | доставка не удалась | ошибка доставки
    ваше сообщение не доставлен | ваше письмо не доставлен | невозможно доставить | недоставка`,
  ukrainian:
    'повідомлення не доставлен | повідомлення не може | повідомлення не вдалося | лист не доставлен | недоставлен',
  japanese:
    'メール未配送 | 配信不能 | 配信エラー | 配送エラー | 送信エラー | 配信失敗 | 送信失敗 | 配信できません',
  chinese: '退信 | 系统退信 | 系統退信 | 邮件退回 | 郵件退回 | 投递失败 | 无法投递 | 邮件发送失败',
  korean: '반송 메일 | 반송메일 | 전송 실패 | 메일 전송 실패 | 메일 발송 실패 | 배달 실패',
}
const begins = Object.values(byLanguage).flatMap(listed)

/** These stand anywhere, because in these languages the verb ends the sentence. */
const holds =
  listed(`的退信 | 被退回 | メール未着 | メール不達 | メール受信拒否 | 送信できません | メール配信エラー | メール配送エラー
  エラーメール | 邮件发送失败 | iletilemedi | teslim edilemedi | 메일이 반송 | 메일 반송 | 전송되지 못 | 전달되지 못 | 배달되지 못`)

const patterns = [
  /^ihre (?:nachricht|e-?mail|mail) (?:an .{0,60})?konnte/,
  /^(?:your )?(?:e-?mail|mail|message)\b[^:]{0,100}?\b(?:(?:could|can) ?not be|was not|not been|has been) (?:delivered|sent|returned|blocked|rejected)/,
  /^delivery (?:to|of) [^:]{0,100} (?:failed|was unsuccessful)\b/,
  // Majordomo, to the owner of a list.
  /^bounce [^\s@]{1,64}@[^\s@]{1,190}:/,
]

/** Of what servers say that it is not delivered, or to whom; people speak of goods in the same words. */
export const mails =
  listed(`mail | message | recipient | mailbox | nachricht | empfänger | postfach | courriel | destinataire | boîte aux lettres
  mensaje | correo | destinatari | buzón | messaggio | casella | mensagem | caixa postal | bericht | geadresseerde | wiadomoś
  adresat | skrzynk | zpráv | správ | schránk | uživatel | meddeland | melding | besked | mottaker | mottagare | viesti | üzenet
  levél | levele | címzett | ileti | mesaj | alıcı | письм | сообщени | ящик | повідомлен | メール | メッセージ | 邮件 | 郵件 | 收件人
  메일 | 메시지 | پیام | نامه | הודעה | הודעת | המייל | رسالة | البريد | μήνυμα | ข้อความ | อีเมล | pesan`)

// Programs put their name or the kind of a notice before it.
const tag = /^(?:[[【(<{][^\]】)>}]{1,40}[\]】)>}]|\*{1,5}(?:[\w -]{1,20}\*{1,5})?)\s{0,9}/

/** Whether mail servers give such a subject to a bounce; they do not ask. */
export function isTitleOfBounce(subject: string): boolean {
  const title = oneLine(subject.slice(0, 300)).trim()
  if (/[?？]$/.test(title)) return false
  return [title, title.replace(tag, '')].some(
    (one) =>
      begins.some((phrase) => one.startsWith(phrase)) ||
      hasOne(one, holds) ||
      patterns.some((pattern) => pattern.test(one)) ||
      (hasOne(one, mails) && hasOne(one, failures)),
  )
}
