// What mail programs put in front of a subject in answers and forwards, in the languages of their users, and what a subject then
// says. This is the one list of them.

const answers =
  're|aw|antw|antwort|sv|svar|vs|odp|odg|res|resp|r|rif|ref|réf|rép|vá|vast|atb|ats|ynt|yanıt|bls|відп|ответ|отв|отг|απ|תשובה|השב|رد|回复|回覆|回復|答复|答覆|返信|회신|답장|응답|ตอบ|trả lời'
const forwards =
  'fw|fwd|wg|tr|rv|enc|i|pd|doorst|vb|vl|trs|továbbítás|ilt|İLT|iletilen|пересл|прпр|πρθ|הועבר|إعادة توجيه|转发|轉寄|轉發|転送|전달'

// Programs count answers (Re[2]:, Re(2):, Re^2:), French ones put a blank before the colon, and Chinese ones a wide colon.
const counted = '(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3})?\\s{0,3}[:：]'
/** One of them with its colon, as a part of an expression. */
export const prefixes = `(?:${answers}|${forwards})${counted}`
const answer = new RegExp(`^\\s*${prefixes}`, 'iu')
const forward = new RegExp(`^\\s*(?:${forwards})${counted}`, 'iu')
const all = new RegExp(`^\\s*(?:${prefixes}\\s*)+`, 'iu')
const allAnswers = new RegExp(`^\\s*(?:(?:${answers})${counted}\\s*)+`, 'iu')

/** Whether a subject says that its mail answers or forwards another. */
export const isAnswer = (subject: string): boolean => answer.test(subject)

/** Whether a subject says that its mail forwards another. */
export const isForward = (subject: string): boolean => forward.test(subject)

const tags = /\[[^[\]]{0,60}\]/g

/** A subject without what lists and ticket systems put into brackets. */
export const untagged = (subject: string): string => subject.replace(tags, ' ').trim()

/** A subject without the prefixes of answers and forwards; unchanged if nothing else would be left. */
export const bareSubject = (subject: string): string => subject.replace(all, '') || subject

/** The same without regard to case, spacing and invisible characters; empty if the prefixes are all there is. */
export const normalSubject = (subject: string): string =>
  subject
    .replaceAll(/\p{Cf}/gu, '')
    .replace(all, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const re = /^re:/i

/** The subject of an answer to a message (RFC 5322, 3.6.5). If the message has none, neither has the answer. */
export const replySubject = (subject: string): string =>
  re.test(subject) || subject === '' ? subject : `Re: ${subject.replace(allAnswers, '')}`.trimEnd()

// What many different mails of one person may be called. Nothing is known by such a subject but its kind.
const generalWords = new Set(
  `hello hi hey hallo hola ciao salut bonjour salve olá ola cześć witam hej moi привет здравствуйте 你好 こんにちは
  question questions frage fragen pregunta preguntas domanda domande pergunta perguntas vraag vragen pytanie вопрос 質問
  inquiry enquiry anfrage consulta richiesta demande aanvraag zapytanie запрос 询价 お問い合わせ
  invoice invoices rechnung rechnungen factura facturas fattura fatture facture factures fatura factuur faktura счет счёт 发票 請求書
  order orders bestellung bestellungen auftrag pedido pedidos ordine ordini commande bestelling zamówienie заказ 订单 注文
  offer angebot quote quotation oferta presupuesto offerta preventivo offre devis offerte предложение 报价 見積 見積書 お見積り
  meeting termin besprechung reunión reunion riunione réunion reunião afspraak spotkanie встреча 会议 会議 打ち合わせ
  info information informationen infos información informazioni informations informação informatie informacja информация
  update news newsletter reminder erinnerung recordatorio promemoria rappel lembrete herinnering przypomnienie напоминание
  document documents dokument dokumente documento documentos documenti file files datei dateien scan attachment anhang
  contact kontakt contacto contatto contato message nachricht mensaje messaggio mensagem bericht wiadomość сообщение mail email e-mail
  thanks danke gracias grazie merci obrigado obrigada bedankt dziękuję спасибо 谢谢 ありがとうございます
  urgent dringend urgente wichtig important importante test payment zahlung pago pagamento paiement betaling płatność оплата
  delivery lieferung entrega consegna livraison levering dostawa доставка report bericht informe rapporto rapport relatório raport
  request help hilfe ayuda aiuto aide ajuda hulp pomoc помощь support feedback untitled betreff subject asunto oggetto objet assunto`.split(
    /\s+/,
  ),
)
const nothing =
  /^\W*(?:no|none|kein|keine?n?|ohne|sin|senza|sans|pas d[e']|sem|geen|bez|brak|без|ei|ingen|inget|uden|无|無)[\s']{0,3}(?:subject|title|betreff|asunto|oggetto|objet|titre|assunto|onderwerp|tematu|předmětu|темы|aihetta|emne|ämne|主题|主題|主旨|件名)\W*$|^\W*件名(?:なし|無し)\W*$/u
const fillers = new Set([
  'the',
  'a',
  'an',
  'your',
  'my',
  'our',
  'ihre',
  'meine',
  'die',
  'new',
  'neue',
  'to',
  'for',
  'from',
  'you',
])

/**
 * Whether a subject is empty, says that there is none, or is so general that two mails under it need have nothing in common, such
 * as "Invoice". Numbers and names make a subject one of its own.
 */
export function isGeneral(subject: string): boolean {
  const plain = normalSubject(subject).normalize('NFC')
  const words = plain
    .split(/[^\p{L}\p{M}\p{N}-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !fillers.has(word))
  return words.length === 0 || nothing.test(plain) || words.every((word) => generalWords.has(word))
}
