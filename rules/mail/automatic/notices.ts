import { hasOne, listed, oneLine } from '../phrases.ts'
import { saysAutomatic } from '../reports/automatic-words.ts'
import { holds } from '../reports/families.ts'
import { readNotice } from '../reports/notice.ts'
import { speaksAsPerson, takesLeave, withoutPolishAnd } from '../reports/people.ts'

// What ticket systems and other programs say where they answer, without any header that says so.

const arrivals =
  listed(`has been received | have received your | received your | has reached our | reached our | has arrived
  erreicht hat | ist eingegangen | ist bei uns eingegangen | eingang ihrer | erhalten haben | haben wir erhalten
  haben ihre | bien reçu | a été reçu | avons reçu | hemos recibido | ha sido recibido | ha sido recibida
  fue recibido | è stata ricevuta | è stato ricevuto | abbiamo ricevuto | foi recebido | foi recebida | recebemos
  confirm receipt of your | confirm the receipt of your | acknowledge receipt of your | bestätigen den eingang
  bestätigen den erhalt | accusons réception | confirmons la réception | confirmamos la recepción | acusamos recibo
  confermiamo la ricezione | confermiamo di aver ricevuto | confirmamos o recebimento | confirmamos a receção
  bevestigen de ontvangst | potvrzujeme přijetí | potvrdzujeme prijatie | bekræfter modtagelsen | bekrefter mottak
  bekräftar att | vahvistamme | подтверждаем получение | hebben ontvangen | is ontvangen | hebben wij ontvangen
  goed ontvangen | otrzymaliśmy | została przyjęta
  została zarejestrowana | potwierdzamy otrzymanie | potwierdzamy przyjęcie | potwierdzamy wpływ | obdrželi jsme
  получили | получено | зарегистрирован | принято | 受け付け | 受付 | 承り | 收到
  접수`)
/** A person's answer may come in the frame of such a notice. */
const answers =
  listed(`replied | new reply | new comment | commented | has answered | wrote: | updated your | has been updated
  geantwortet | neue antwort | kommentar | schrieb | a répondu | nouvelle réponse | commentaire | ha respondido
  nueva respuesta | comentario | ha risposto | nuova risposta | respondeu | nova resposta | heeft gereageerd
  nieuwe reactie | odpowiedział | nowa odpowiedź | ответил | новый ответ | комментари | 回答 | 返答 | 回复了 | 답변`)

const opening = 400

/** Whether a folded text passes on what somebody has said. */
export const passesOn = (words: string): boolean => hasOne(words.slice(0, 2 * opening), answers)

/** Whether a program says first that it answers by itself, and that a mail has come in. */
export function acknowledges(text: string): boolean {
  const words = oneLine(text.slice(0, 2 * opening)).trim()
  const begins = words.slice(0, opening)
  // A person may speak of an automatic answer, and asks.
  const asks = /[?？]|\byour auto/.test(begins)
  if (asks || speaksAsPerson(withoutPolishAnd(text), { greeted: false })) return false
  return (
    saysAutomatic(text.trim().slice(0, opening)) && hasOne(begins, arrivals) && !passesOn(words)
  )
}

const links = /\bhttps?:\/\/\S{1,500}/gi
/**
 * Whether a program says first that a mail waits until its sender confirms it, or until a moderator has read it; `linked`: by a
 * link.
 */
export function holdsMail(text: string, { linked = false } = {}): boolean {
  // What follows is the mail that waits.
  const { said } = readNotice(text.slice(0, 4 * opening))
  const start = said.slice(0, 2 * opening).replaceAll(links, ' ')
  if (linked && start.length === said.slice(0, 2 * opening).length && !saysAutomatic(start))
    return false
  const words = oneLine(start)
  if (!hasOne(words, holds) || passesOn(words)) return false
  return !takesLeave(start) && !speaksAsPerson(start, { greeted: false })
}

const refusals =
  listed(`could not load a valid user | not allow for the creation | no permission to create | no permission to comment
  no permission to reply | do not have permission to create | do not have permission to comment
  is not associated with a user | is not a registered user | is not registered in | ticket creation failed
  could not create a ticket | could not create ticket | unable to create ticket | unable to create an issue
  not be created from your | error processing your message | error processing your email | error processing your e-mail
  errors occurred while processing your | error(s) occurred while processing your | error occurred while processing your
  errors while processing your | your message could not be processed | your email could not be processed
  your e-mail could not be processed | your mail could not be processed | your message was not recorded
  your message was not processed | your email was not processed | your e-mail was not processed
  unrecognized command | command not recognized | no valid commands found | kein ticket erstellt
  ticket konnte nicht | vorgang konnte nicht angelegt | le ticket n'a pas pu | aucun ticket n'a été
  no se ha podido crear el | não foi possível criar o`)
const about =
  'e-?mail|correo|courriel|courrier|nachricht|message|mensaje|messaggio|mensagem|bericht|wiadomość|письмо|メール|邮件|메일'
const unread =
  "konnte nicht verarbeitet|konnte nicht zugeordnet|n'a pas pu être traité|no se pudo procesar|no pudo ser procesad|non è stato possibile elaborar|non può essere elaborat|não pôde ser processad|kon niet worden verwerkt|nie mogła zostać przetworzona|не удалось обработать|не может быть обработан|処理できませんでした|无法处理|처리할 수 없습니다"
const inWords = new RegExp(
  `(?:${about}).{0,80}?(?:${unread})|(?:${unread}).{0,40}?(?:${about})`,
  'u',
)
const errorLine =
  /^[ \t>*]{0,9}(?:error|fehler|erreur|errore|erro)[ \t]{0,3}[([#:]?[ \t]{0,3}[a-z]{0,9}-?\d{2,9}[)\]:]/im

/** Whether a program says that it could not do anything with a mail. */
export const refusesMail = (text: string): boolean =>
  saysRefused(oneLine(text.slice(0, 4 * opening)).slice(0, 2 * opening)) && !speaksAsPerson(text)
const saysRefused = (words: string) => hasOne(words, refusals) || inWords.test(words)

/** Whether there is an error with its number on a line of its own. */
export const hasErrorLine = (text: string): boolean => errorLine.test(text.slice(0, 4 * opening))

const left = new RegExp(
  [
    "(?:is|are) no longer (?:with|at|employed|working|part of|a member of|in the employ)|no longer works|(?:does not|doesn't) work (?:here|for|at)",
    'has left (?:the company|the firm|our|us|the organi[sz]ation)|has retired|left (?:the company|the firm|our company)',
    'nicht (?:mehr|länger) (?:im unternehmen|bei|für|in unserem|in unserer|tätig|beschäftigt|im hause)|hat (?:das unternehmen|unser|das haus|die firma|uns) .{0,20}verlassen|ausgeschieden',
    "ne (?:travaille|fait) plus|n'est plus (?:chez|employé|dans|en poste|salarié|au sein)|a quitté",
    'ya no (?:trabaja|forma parte|está en|pertenece)|ha dejado (?:la empresa|de trabajar)|non (?:lavora|fa) più|non è più|ha lasciato',
    'não (?:trabalha|faz parte|faz) mais|não está mais|já não trabalha|deixou a empresa|desligou-se',
    'werkt niet (?:meer|langer)|(?:niet|geen) (?:meer|langer) (?:werkzaam|in dienst)|niet meer .{0,40}(?:werkzaam|in dienst)|uit dienst|verlaten',
    'nie pracuje|nie jest już|už .{0,30}nepracuje|больше не работает|уволил|退職|退社|离职|離職|퇴사|퇴직',
  ].join('|'),
  'u',
)
const title =
  /(?:^|[\s,])(?:mr|mrs|ms|dr|herr|frau|mme|m|madame|monsieur|sr|sra|señor|señora|sig|signor|signora|dhr|mevr|pan|pani)\.?\s$/
const longestName = 120
const eastern = /[\p{sc=Han}\p{sc=Hangul}]/u
const wordsOf = (text: string) =>
  oneLine(text)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((one) => one.length > 1)
const hasName = (text: string, name: string) =>
  eastern.test(name) ? text.includes(name) : wordsOf(text).includes(name)

/**
 * Whether a text says of its sender by name that they have left. Nobody writes so of themselves: a program does, or a colleague
 * who reads the mail.
 */
export function saysSenderHasLeft(text: string, { name }: { name: string }): boolean {
  const words = oneLine(text.slice(0, 800)).normalize('NFC').trim().slice(0, 400)
  const at = words.search(left)
  if (at < 0 || speaksAsPerson(text, { greeted: false })) return false
  const before = words.slice(Math.max(0, at - longestName), at)
  const said = wordsOf(name.slice(0, 100)).filter((one) => hasName(before, one))
  const isTitled = said.some((one) => title.test(before.slice(0, before.indexOf(one))))
  return said.length > 1 || isTitled || said.some((one) => eastern.test(one))
}
