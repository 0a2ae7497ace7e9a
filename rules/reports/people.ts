import { folded, listed } from './phrases.ts'

// How people write: they greet, speak of themselves, ask and thank. Programs do so less.

// How people begin a mail.
const greeting =
  /^(?:hi|hello|hey|dear(?! (?:sender|user)\b)|good (?:morning|day|afternoon|evening)|greetings|hallo|guten|sehr geehrte|liebe[rs]?|bonjour|salut|cher|chère|madame|monsieur|hola|buen[oa]s?|estimad[oa]|ciao|salve|buon|gentile|egregi|ol[áa]|bom dia|boa tarde|prezad[oa]|car[oa]|beste|geachte|goedemorgen|goedendag|dag|dzień dobry|witam(?!y)|szanown|cześć|お世話|こんにちは|(?!送信者).{1,20}(?:様|さん)[\s、])/
// A name alone on the first line.
const called = /^\s{0,9}(\p{Lu}[\p{Ll}'-]{1,20}(?: \p{Lu}[\p{L}.'-]{0,20}){0,2}),[ \t]{0,9}\r?\n/u

/** Whether a text begins as people begin a mail. A name counts if one of the addresses in `to` begins with it. */
export function greets(text: string, to: string[] = []): boolean {
  const [, name = ''] = called.exec(text) ?? []
  const words = name.toLowerCase().split(' ')
  const isName =
    name !== '' && to.some((one) => words.includes(one.toLowerCase().split(/[@._-]/)[0] as string))
  return isName || greeting.test(folded(text.slice(0, 1_000)).trim())
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
// I is Polish for "and". A name alone does not make a text Polish, nor does a quotation.
const polish = /[ąćęłńśźż]/g
const english =
  /(?<!\p{L})(?:the|and|am|are|is|was|have|has|had|will|would|can|did|not|you|your|of|for|with|this|that)(?!\p{L})/u
const fewestLetters = 5
const isPolish = (text: string): boolean =>
  (text.match(polish)?.length ?? 0) >= fewestLetters && !english.test(text)
const and = /(?<!\p{L})i(?!\p{L})/gu
/** Whether a text in lower case speaks of its author. */
export const speaksOfItself = (text: string): boolean => {
  const said = text.replace(monday, ' ')
  return eastern.test(text) || hasWord(isPolish(said) ? said.replace(and, ' ') : said, persons)
}
const hasWord = (text: string, all: Set<string>): boolean =>
  text.split(/[^\p{L}\p{M}@.]+/u).some((word) => all.has(word.replace(/\.$/, '')))

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
  /[?？]|(?<!\p{L})(?:please|pls|kindly|thanks|thank you|regards|cheers|call|bitte|danke|gr[uü](?:ß|ss)e?|merci|cordialement|s'il vous|por favor|gracias|saludos|per favore|grazie|saluti|obrigad[oa]|alstublieft|graag|groet|groeten|proszę|dziękuję|pozdrawiam|пожалуйста|спасибо|с уважением)(?!\p{L})|お願い|ください|请|請|谢谢|부탁|감사/u
/** Whether a text has what people say to others; programs ask for something, too. */
export const asks = (text: string): boolean => requests.test(folded(text.slice(0, 4_000)))
