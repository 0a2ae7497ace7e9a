import { fold } from './phrases.ts'

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
