import { seenWords } from '../text.ts'
import { fold } from './phrases.ts'

// What somebody has written in a message, without what they quote or send on, and without their signature. Each program marks a
// quotation in its own way: with a sign before its lines, a line above it, or the head of the message.

// Far more than anybody writes; what follows is quoted or generated.
const readCharacters = 20_000

/** Empty if they have written nothing themselves. */
export function saidIn(text: string): string {
  const lines = seenWords(text.slice(0, readCharacters)).replace(/\r\n?/g, '\n').split('\n')
  const own: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isQuoted(line)) {
      // What follows such a line is not marked any more.
      if (groupWise.test(line) && !isQuotedBelow(lines, at + 1)) break
      continue
    }
    if (isEnd(line) || isHead(lines, at)) break
    const opening = openingAt(lines, at)
    if (opening === 0) own.push(line)
    else if (isQuotedBelow(lines, at + opening)) at += opening - 1
    else break
  }
  return own.join('\n')
}

/** The same; the whole message if nothing else would be left. */
export function ownWords(text: string): string {
  const own = saidIn(text)
  return own.trim() === '' ? text.slice(0, readCharacters) : own
}

// The Bat and others put the initials of the writer before the sign.
const isQuoted = (line: string) => /^(?:\p{Lu}{1,4})?>|^[|¦](?: |$)/u.test(line)
const groupWise = /^>{2,4} .{1,300} >{2,4}\s*$/u

function isQuotedBelow(lines: string[], from: number): boolean {
  const below = lines.slice(from, from + 6).find((line) => line.trim() !== '')
  return below !== undefined && isQuoted(below)
}

const wholly = (list: string) => new RegExp(`(?<!\\p{L})(?:${fold(list)})(?!\\p{L})`, 'u')

// What stands between dashes above a message that is answered or sent on.
const original = new RegExp(
  fold(
    'original|urspr|weitergeleitet|reenviad|réexpédi|transféré|transmis|inoltrat|oorspronkelijk|doorgestuurd|oryginaln|przekazan|przekazyw|przesłan|исходн|пересыл|пересланн|перенаправ|переслан|оригінал|alkuperäi|välitetty|původní|přeposl|preposlan|pôvodn|eredeti|továbbít|orijinal|özgün|iletilen|αρχικ|προωθ|vidarebefordra|opprinnelig|oprindelig|videresend|encaminhad|forward|redirigé|izvorn|prosleđen|原始|转发|轉寄|元の|転送|원본|전달|wrote:|schrieb:|ha scritto:|a écrit ?:|escribió:|הועבר',
  ),
  'u',
)
const dashes = /^\s*[-_=*—–#]{2,}\s*([^-_=*—–#\n].{1,80}?)\s*:?\s*[-_=*—–#]*\s*:?\s*$/u
// Apple and others have no dashes there.
const sentOn = wholly(
  'begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|weitergeleitete nachricht|début du message (?:réexpédié|transféré)|message transféré|inicio del mensaje reenviado|mensaje reenviado|inizio (?:del )?messaggio inoltrato|messaggio inoltrato|início da mensagem (?:reencaminhada|encaminhada)|mensagem (?:reencaminhada|encaminhada)|begin doorgestuurd bericht|doorgestuurd bericht|początek przekazywanej wiadomości|początek przekazanej wiadomości|przekazana wiadomość|начало переадресованного сообщения|начало пересылаемого сообщения|пересланное сообщение|vidarebefordrat (?:meddelande|mail)|videresendt (?:besked|melding|e-post)|välitetty viesti|přeposlaná zpráva|továbbított üzenet|iletilen (?:ileti|mesaj)|forwarded message|original message|ursprüngliche nachricht|message d.origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oryginalna wiadomość|исходное сообщение',
)
const sentOnWithoutSpaces =
  /^(?:転送されたメッセージ|転送メッセージ|转发的?邮件|轉寄的郵件|전달된 메시지)/u

function isEnd(line: string): boolean {
  // The mark of a signature (RFC 3676, 4.3), and the line of Outlook.
  if (/^-- ?$|^\s*_{10,}\s*$/.test(line)) return true
  if (line.length > 160) return false
  const words = fold(line).trim()
  const between = dashes.exec(line)?.[1]
  if (between !== undefined && original.test(fold(between))) return true
  if (
    between !== undefined &&
    /above this line|oberhalb dieser|au-dessus de|por encima|sopra questa/.test(words)
  )
    return true
  return (
    sentOnWithoutSpaces.test(line.trim()) ||
    (/[:：]$/.test(words) && words.length < 80 && words.search(sentOn) === 0)
  )
}

// The names of fields in the heads that programs repeat.
const labels = (list: string) => new RegExp(`^[ \\t*]*(?:${fold(list)})[ \\t*]*[:：]`, 'u')
const from = labels(
  'from|von|de|da|van|od|от|від|från|fra|lähettäjä|feladó|kimden|gönderen|expeditor|de la|από|差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람|מאת|من|pošiljatelj|saatja|nuo|no',
)
const others = labels(
  'sent|date|subject|gesendet|datum|betreff|enviado|enviada|enviado el|enviado em|enviada em|fecha|asunto|assunto|envoyé|envoyé le|date|objet|inviato|data|oggetto|verzonden|onderwerp|wysłano|data|temat|отправлено|дата|тема|надіслано|skickat|ämne|sendt|dato|emne|lähetetty|päivämäärä|aihe|odesláno|datum|předmět|odoslané|predmet|elküldve|dátum|tárgy|gönderildi|gönderme tarihi|tarih|konu|trimis|subiect|στάλθηκε|ημερομηνία|θέμα|送信日時|日付|日時|件名|发送时间|发送日期|日期|主题|寄件日期|主旨|보낸 날짜|날짜|제목',
)
const addressee = labels(
  'to|cc|an|kopie|para|a|à|aan|do|dw|кому|till|til|vastaanottaja|komu|címzett|kime|către|προς|宛先|收件人|받는 사람|reply-to|antwort an',
)

/** A head of some fields in a row, one of which says who wrote it. */
function isHead(lines: string[], at: number): boolean {
  const field = (line: string) => [from, others, addressee].some((label) => label.test(line))
  if (!field(fold(lines[at] ?? ''))) return false
  const rows = lines
    .slice(at, at + 7)
    .map((line) => fold(line.slice(0, 300)))
    .filter((line) => line.trim() !== '')
  return rows.some((row) => from.test(row)) && rows.some((row) => others.test(row))
}

const verbs = wholly(
  'wrote|writes|write|schrieb|schreibt|geschrieben|escribió|escribio|escribe|a écrit|écrit|écrivait|ha scritto|scrive|scritto|escreveu|escreve|schreef|schrijft|geschreven|napisał|napisała|napisał(?:/a|\\(a\\))?|pisze|píše|napsal|napsala|napsal\\(a\\)|napísal|skrev|skriver|kirjoitti|yazdı|şunu yazdı|írta|a scris|έγραψε|пишет|написал|написала|писал|писали|пише|написав|написала|quoting|zitat von|citát|citando|je napisao|je pisao|kirjutas|rašė|rakstīja|said|messaged',
)
const verbsWithoutSpaces = /写道|寫道|のメール|さんは書きました|작성|님이 쓴|wrote/u
const time = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/u
const year = /(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/u
const address = /@[\p{L}\d-]+\./u

/** How many lines are the line above a quotation; 0 if there is none. Programs break it where it is long. */
function openingAt(lines: string[], at: number): number {
  let joined = ''
  for (let count = 1; count <= 3; count++) {
    const line = lines[at + count - 1]
    if (line === undefined || line.trim() === '' || isQuoted(line) || line.length > 300) return 0
    joined = `${joined} ${line}`.trim()
    if (count === 1 && !/[:：]\s*$/.test(line) && !isDated(line)) return 0
    if (/[:：]\s*$/.test(joined) && isOpening(joined, isQuotedBelow(lines, at + count)))
      return count
  }
  return 0
}

const isDated = (line: string) => time.test(line) || year.test(line)

function isOpening(line: string, isQuotedBelow: boolean): boolean {
  const isSaid = verbs.test(fold(line)) || verbsWithoutSpaces.test(line)
  if (isDated(line)) return isSaid || (address.test(line) && (time.test(line) || isQuotedBelow))
  return isQuotedBelow && (isSaid || address.test(line)) && line.length < 160
}

// What a visitor has written into a form of ours, which sends it as a list of fields: `Name: Nadia`, `Message: …`. Some begin with From
// and Subject, like the head of a mail that is sent on, which it is not.

const message =
  'message|message body|your message|message text|comment|comments|your comment|enquiry|inquiry|your enquiry|question|your question|feedback|remarks|details|nachricht|ihre nachricht|deine nachricht|nachrichtentext|mitteilung|ihre mitteilung|kommentar|anfrage|ihre anfrage|anmerkung|anmerkungen|bemerkung|bemerkungen|frage|ihre frage|text|message|votre message|corps du message|commentaire|commentaires|demande|votre demande|remarques|mensaje|su mensaje|tu mensaje|cuerpo del mensaje|comentario|comentarios|consulta|messaggio|il tuo messaggio|il suo messaggio|corpo del messaggio|commento|commenti|richiesta|mensagem|sua mensagem|a sua mensagem|corpo da mensagem|bericht|uw bericht|je bericht|berichtinhoud|opmerking|opmerkingen|vraag|wiadomość|treść wiadomości|twoja wiadomość|treść|komentarz|uwagi|pytanie|zapytanie|сообщение|текст сообщения|ваше сообщение|комментарий|вопрос|メッセージ|メッセージ本文|お問い合わせ内容|内容|ご質問|留言|留言内容|消息|您的留言|문의 내용|메시지'
const isMessage = new RegExp(`^(?:${fold(message)})$`, 'u')
// A field with its value; its name has a few words.
const field = /^[ \t*_]{0,5}([\p{L}][\p{L}\p{M}' ()-]{0,40}?)[ \t*_]{0,5}[:：][ \t*_]{0,5}(.*)$/u
// What programs put below: the page, the time and the machine of the visitor, and what they have agreed to.
const below =
  /^\s*[-_=*]{3,}\s*$|^(?:date|time|page(?: url| title)?|url|referr?er|user agent|remote ip|ip(?: address)?|browser|powered by|submitted (?:on|from|by)|datum|uhrzeit|zeit|seite|fecha|hora|fecha y hora|ip-adresse|adresse ip|direccion ip|indirizzo ip)[ \t]?:|^(?:consent|acceptance|privacy|gdpr|terms|newsletter|datenschutz|dsgvo|einwilligung|zustimmung|agb|consentement|rgpd|confidentialite|consentimiento|privacidad|consenso|consentimento|privacidade|toestemming|zgoda|rodo|согласие)[^:\n]{0,40}:/u
const mostFields = 20
// Above the fields, which say where the form is, and of fields with several lines.
const mostOthers = 6

/** The words of the visitor; the text itself if it is no list of fields with a message among them. */
export function wordsOfForm(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  let [fields, others] = [0, 0]
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    const [, name = '', value = ''] = field.exec(line.slice(0, 300)) ?? []
    if (fields > 0 && isMessage.test(fold(name).trim())) return wordsBehind(value, lines, at + 1)
    if (name !== '') fields++
    else others++
    if (fields > mostFields || others > mostOthers) return text
  }
  return text
}

function wordsBehind(first: string, lines: string[], from: number): string {
  const rest = lines.slice(from)
  const end = rest.findIndex((line) => below.test(fold(line.slice(0, 60))))
  return [first, ...rest.slice(0, end < 0 ? undefined : end)].join('\n').trim()
}
