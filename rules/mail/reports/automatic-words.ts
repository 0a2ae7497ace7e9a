import { hasOne, listed, oneLine } from '../phrases.ts'
import { denies } from './notice.ts'
import { mails } from './titles.ts'

// How programs say of a mail that they have written it by themselves.

const words =
  listed(`automatically generated | generated automatically | created automatically | automatically created
  automatic reply | automatic response | automated reply | automated response | automatic confirmation
  automated confirmation | automated message | automatic message | auto-generated | automatisch erstellt
  automatisch generiert | automatisch erzeugt | automatisch versendet | automatische antwort | automatische nachricht
  automatische eingangsbestätigung | automatische empfangsbestätigung | généré automatiquement | générée automatiquement
  réponse automatique | message automatique | envoyé automatiquement | generado automáticamente
  generada automáticamente | mensaje automático | respuesta automática | generato automaticamente
  generata automaticamente | messaggio automatico | risposta automatica | gerado automaticamente
  gerada automaticamente | mensagem automática | resposta automática | automatisch gegenereerd
  automatisch aangemaakt | automatisch verzonden | automatisch bericht | automatisch antwoord
  wygenerowana automatycznie | wygenerowany automatycznie | automatyczna odpowiedź | wiadomość automatyczna
  vygenerován automaticky | automatická odpověď | создано автоматически | автоматический ответ | сформировано автоматически
  vygenerována automaticky | zasláno automaticky | sendt automatisk | automatisk sendt | automatisk genereret | automatisk generert
  skickats automatiskt | automatiskt genererat | lähetetty automaattisesti | automaattinen viesti | automatikusan generált
  automatikusan küldött | automatikus üzenet | otomatik olarak oluştur
  otomatik olarak gönder | otomatik bir mesaj
  створено автоматично | отправлено автоматически | به صورت خودکار ایجاد | به صورت خودکار ارسال | נשלחה באופן אוטומטי
  נוצרה באופן אוטומטי | הודעה אוטומטית
  رسالة تلقائية | تم إنشاء هذه الرسالة تلقائي | تم إرسال هذه الرسالة تلقائي | generat automat | δημιουργήθηκε αυτόματα
  στάλθηκε αυτόματα
  自動的に送信 | 自動で送信 | 自動通知 | 系统自动 | 系統自動 | 自動送信 | 自動返信 | 自動配信 | 自动回复 | 自动发送 | 自動回覆 | 자동 발송 | 자동으로 발송`)

// "This message was created automatically", or the words for it at the very beginning.
const itself =
  /(?<!\p{L})(?:this|diese|dieses|dieser|dies|ce|cette|cet|este|esta|questo|questa|deze|dit|ta|ten|tato|toto|tento|denne|dette|detta|denna|tämä|ez az|bu|acest|αυτό|цей|це|это|данное|настоящее|این|זו|זה|هذه|هذا)(?!\p{L})|[本此이]/u
const nearest = 60

/** Whether a text says so of itself. */
export const saysAutomatic = (text: string): boolean => {
  const whole = oneLine(text).trim()
  return words.some((one) => {
    const at = whole.indexOf(one)
    if (at < 0) return false
    const before = lastSentence(whole.slice(0, at).slice(-nearest))
    const begins = at < nearest / 2 && before.length === at
    const isOfItself = begins || itself.test(before)
    return (
      (isOfItself && !denies(whole.slice(0, at))) ||
      text.split(sentences).some((sentence) => isAlone(sentence, one))
    )
  })
}

const lastSentence = (text: string) => text.split(/[.!?。] /).at(-1) ?? ''
const sentences = /[.!?。][ \t\r\n]|\r?\n[ \t]{0,9}\r?\n/
// People put a colon behind such words and then what they were told.
const goesOn = /[:;?@]/

/** Whether a sentence is no more than that, such as "Automatic message of the mail server". */
function isAlone(sentence: string, phrase: string): boolean {
  const said = oneLine(sentence.slice(0, 300))
    .replace(/^[^\p{L}]{1,20}/u, '')
    .trim()
  const at = said.indexOf(phrase)
  const before = said.slice(0, Math.max(at, 0)).trim()
  if (at < 0 || before.includes(' ') || (before !== '' && !hasOne(before, mails))) return false
  const rest = said.slice(at + phrase.length)
  return rest.length <= nearest && !goesOn.test(rest)
}
