import { addressesIn } from './addresses.ts'
import { reasonIn } from './diagnosis.ts'
import { failures } from './families/failures.ts'
import { opensIn } from './notice.ts'
import { folded, hasOne, listed } from './phrases.ts'
import { codesIn, repliesIn } from './status.ts'
import { isTitleOfBounce } from './titles.ts'

// Bounces under addresses that anybody may have, and people who write about mail and goods in the words of servers.

const beginning = 700
const opening = 80

// Servers that begin as people do.
const introductions =
  /^hi[.!,] this is the (?:qmail-send program|mailer-daemon|james mail server|mail server|haraka mailer program|program)\b|^hi[.!,] i am the (?:fml )?(?:ml|mailing list) manager\b/
// How people begin a mail.
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings|hallo|guten|sehr geehrte|liebe[rs]?|bonjour|salut|cher|chère|madame|monsieur|hola|buen[oa]s?|estimad[oa]|ciao|salve|buon|gentile|egregi|ol[áa]|bom dia|boa tarde|prezad[oa]|car[oa]|beste|geachte|goedemorgen|goedendag|dag|dzień dobry|witam|szanown|cześć|お世話|こんにちは|.{1,20}(?:様|さん)[\s、])/

/** Of what servers say that it is not delivered, or to whom; people speak of goods in the same words. */
const mails =
  listed(`mail | message | recipient | mailbox | nachricht | empfänger | postfach | courriel | destinataire | boîte aux lettres
  mensaje | correo | destinatari | buzón | messaggio | casella | mensagem | caixa postal | bericht | geadresseerde | wiadomoś
  adresat | skrzynk | zpráv | správ | schránk | uživatel | meddeland | melding | besked | mottaker | mottagare | viesti | üzenet
  levél | levele | címzett | ileti | mesaj | alıcı | письм | сообщени | ящик | повідомлен | メール | メッセージ | 邮件 | 郵件 | 收件人
  메일 | 메시지`)

/**
 * Whether mail whose sender does not look like a server is a bounce all the same: it has a server's own words where a mail
 * begins, and either a server's subject, the letter that it returns, or nothing before them. A person who quotes a bounce
 * answers or forwards it, or says something first.
 */
export function looksReturned(
  subject: string,
  said: string,
  { sender = '', returnsOurs = false }: { sender?: string; returnsOurs?: boolean } = {},
): boolean {
  // What is quoted is somebody else's.
  const own = said
    .slice(0, 8_000)
    .split('\n')
    .filter((line) => !/^\s{0,9}>(?!>)/.test(line))
    .join('\n')
  const words = folded(own).trim()
  if (introductions.test(words)) return true
  if (greeting.test(words)) return false
  const begins = words.slice(0, beginning)
  const states = codesIn(own).length > 0 || repliesIn(own).length > 0
  const names = addressesIn(own).length > 0
  const opensSo = opensIn(begins)
  if (states && names && opensIn(words.slice(0, opening))) return true
  if (returnsOurs)
    return opensSo || (names && hasOne(words, failures) && (states || reasonIn(own) !== undefined))
  if (!isTitleOfBounce(subject)) return false
  const isOfMail = hasOne(begins, mails)
  if (opensSo && (states || isOfMail)) return true
  // A person who writes about a delivery may name a code, and have an address on a line of its own, of their firm or of a carrier.
  const start = own.slice(0, beginning).toLowerCase()
  if (speaksOfItself(start)) return false
  if (names && states && hasOne(words, failures)) return true
  if (!isOfMail) return false
  const host = sender.slice(sender.lastIndexOf('@')).toLowerCase()
  const isElsewhere = ([, address = '']: RegExpExecArray) => host === '' || !address.endsWith(host)
  const stands = () => [...start.matchAll(aloneOnLine)].some(isElsewhere)
  // A server gives the reason behind the address.
  const leads = () => [...start.matchAll(beforeReason)].some(isElsewhere)
  return (reasonIn(own) !== undefined && leads()) || (hasOne(words, failures) && stands())
}

// I, my and me in some languages, without those that are words of others.
const persons = new Set(
  listed(`i | my | me | mine | ich | mein | meine | meinen | meiner | mir | mich | j | mon | mes | moi | yo | mis | mío | mio | mia
    eu | meu | minha | ik | mijn | mij | mój | moja | moje | mnie | já | můj | benim | я | мой | моя | моё | мне | меня`),
)
const speaksOfItself = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}@.]+/u).some((word) => persons.has(word.replace(/\.$/, '')))

// What stands alone on a line, or before what a server says about it.
const beforeReason =
  /^[ \t]{0,20}<?([^\s<>"';,:()@]{1,64}@[^\s<>"';,:()@]{1,190})>?[ \t]{0,9}:[ \t]/gm
const aloneOnLine = /^[ \t]{0,20}<?([^\s<>"';,:()@]{1,64}@[^\s<>"';,:()@]{1,190})>?[ \t]{0,9}$/gm
