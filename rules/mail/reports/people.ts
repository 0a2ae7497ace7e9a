import { listed, oneLine } from '../phrases.ts'

// How people write: they greet, speak of themselves, ask and thank. Programs do so less.

// How programs address somebody whose name they do not know, which people do not.
const role =
  /^(?:dear (?:sender|user)|sehr geehrter? (?:benutzer|nutzer|absender)|lieber? (?:benutzer|nutzer|absender)|cher (?:utilisateur|expéditeur)|chère? (?:utilisatrice|expéditrice)|estimad[oa](?:\(a\))? (?:usuari[oa](?:\(a\))?|remitente)|gentile (?:utente|mittente)|prezad[oa](?:\(a\))? (?:usuári[oa](?:\(a\))?|remetente)|car[oa] (?:utilizador|remetente)|geachte (?:gebruiker|afzender)|beste (?:gebruiker|afzender)|szanowny (?:użytkowniku|nadawco))(?!\p{L})/u
// How people begin a mail.
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings|hallo|guten|sehr geehrte|liebe[rs]?|bonjour|salut|cher|chère|madame|monsieur|hola|buen[oa]s?|estimad[oa]|ciao|salve|buon|gentile|egregi|ol[áa]|bom dia|boa tarde|prezad[oa]|car[oa]|beste|geachte|goedemorgen|goedendag|dag|dzień dobry|witam(?!y)|szanown|cześć|お世話|こんにちは|(?!送信者).{1,20}(?:様|さん)[\s、])/
// A name alone on the first line.
const called = /^\s{0,9}(\p{Lu}[\p{Ll}'-]{1,20}(?: \p{Lu}[\p{L}.'-]{0,20}){0,2}),[ \t]{0,9}\r?\n/u

/** Whether a text begins as people begin a mail. A name counts if one of the addresses in `to` begins with it. */
export function greets(text: string, to: string[] = []): boolean {
  const [, name = ''] = called.exec(text) ?? []
  const words = name.toLowerCase().split(' ')
  const isName =
    name !== '' && to.some((one) => words.includes(one.toLowerCase().split(/[@._-]/)[0] as string))
  const begins = oneLine(text.slice(0, 1_000)).trim()
  return isName || (greeting.test(begins) && !role.test(begins))
}

/** What is quoted is somebody else's. */
export const unquoted = (said: string): string =>
  said
    .slice(0, 8_000)
    .split('\n')
    .filter((line) => !/^\s{0,9}>(?!>)/.test(line))
    .join('\n')

/** Whether somebody greets the reader, or speaks of themselves. */
export function speaksAsPerson(said: string, { greeted = true } = {}): boolean {
  const own = unquoted(said)
  return (greeted && greets(own)) || speaksOfItself(own.slice(0, 2_000).toLowerCase())
}

// I, my and me in some languages, without those that are words of others.
const persons = new Set(
  listed(`i | my | me | mine | ich | mein | meine | meinen | meiner | mir | mich | j | mon | mes | moi | yo | mis | mío | mio | mia
    eu | meu | minha | ik | mijn | mij | mój | moja | moje | mnie | já | můj | benim | я | мой | моя | моё | мне | меня`),
)
// The same where no spaces divide words.
const eastern = /私は|私の|私が|저는|제가/
// Mon is French for my, and Monday in a date.
const monday = /(?<!\p{L})mon(?=[,.]|\s{1,3}\d)/gu
/** Whether a text in lower case speaks of its author. */
export const speaksOfItself = (text: string): boolean =>
  eastern.test(text) || hasWord(text.replace(monday, ' '), persons)
const hasWord = (text: string, all: Set<string>): boolean =>
  text.split(/[^\p{L}\p{M}@.]+/u).some((word) => all.has(word.replace(/\.$/, '')))

// A name alone does not make a text Polish, nor does a quotation.
const polish = /[ąćęłńśźż]/gi
const fewestLetters = 5
const english =
  /(?<!\p{L})(?:the|and|am|are|is|was|have|has|had|will|would|can|did|not|you|your|of|for|with|this|that)(?!\p{L})/iu
/** A Polish text without its word for "and", which is "i"; any other text as it is. */
export const withoutPolishAnd = (text: string): string =>
  (text.match(polish)?.length ?? 0) >= fewestLetters && !english.test(text)
    ? text.replace(/(?<!\p{L})i(?!\p{L})/gu, ' ')
    : text

// We, our and us; programs speak for their firm as well.
const firms = new Set(
  listed(`we | our | us | ours | wir | uns | unser | unsere | unserem | unserer | unseren | nous | notre | nos | nosotros
    nuestro | nuestra | nuestros | noi | nostro | nostra | nossa | nosso | wij | ons | onze | nasz | nasza | naszym | nam
    мы | наш | наша | нашей | нас`),
)
const easternFirms = /我们|我們|我司|我公司|弊社|当社|저희/
/** Whether a text speaks of the firm of its author. */
export const speaksAsFirm = (text: string): boolean =>
  easternFirms.test(text) || hasWord(text.toLowerCase(), firms)

/** Whether a text in one of the languages of the East speaks of its author or of the firm of its author. */
export const speaksEastern = (text: string): boolean =>
  eastern.test(text) || easternFirms.test(text)

// People who copy what a program told them ask for something, thank, or say goodbye.
const requests =
  /[?？]|(?<!\p{L})(?:please|pls|kindly|thanks|thank you|regards|cheers|call|bitte|danke|gr(?:u|ü|ue)(?:ß|ss)e?|merci|cordialement|s'il vous|por favor|gracias|saludos|per favore|grazie|saluti|obrigad[oa]|alstublieft|graag|groet|groeten|proszę|dziękuję|pozdrawiam|пожалуйста|спасибо|с уважением)(?!\p{L})|お願い|ください|请|請|谢谢|부탁|감사/u
/** Whether a text has what people say to others; programs ask for something, too. */
export const asks = (text: string): boolean => requests.test(oneLine(text.slice(0, 4_000)))

const farewells =
  /[?？]|(?<!\p{L})(?:thanks|thank you|regards|cheers|sincerely|danke|gr(?:u|ü|ue)(?:ß|ss)e?n?|merci|cordialement|salutations|gracias|saludos|atentamente|grazie|saluti|obrigad[oa]|atenciosamente|groet|groeten|dziękuj\p{L}{1,3}|pozdrawia\p{L}{1,3}|спасибо|с уважением)(?!\p{L})/u
/** Whether a text thanks, says goodbye or has a question, as programs seldom do even where they ask for something. */
export const takesLeave = (text: string): boolean => farewells.test(oneLine(text.slice(0, 4_000)))
