import type { Importance, Intent } from '../../intents.ts'
import { seenWords } from '../../text.ts'
import { ownWords, saidIn, wordsOfForm } from '../own-words.ts'
import { fold } from '../phrases.ts'
import { isAnswer } from '../subjects.ts'
import { declinesOffer, isInterested } from './interest.ts'
import { asksForNoLetters } from './unsubscribe.ts'

// What a client's words say about a conversation: how important it is, what it is about, and which products they name. Plain
// rules over whole words, deterministic and without a network; pure, so that inbound mail and the archive get the same marks.

// Phrases of clients that show what a conversation is about, in English, German, Spanish, French, Italian, Portuguese and
// Russian. Lower case; accents do not count. A phrase consists of whole words; `*` stands for any ending, `_` for up to three
// words.

type Wish = 'unsubscribe' | 'not_interested' | 'interested'

/** Intents that single phrases show. Wishes need more than that: ./wishes reads them. */
export const phrases: [Exclude<Intent, 'other' | Wish>, string][] = [
  [
    'out_of_office',
    `out of office | out of the office | automatic reply | auto reply | autoreply | away from my desk | on annual leave
    on vacation until | on holiday until | on parental leave | limited access to my e-mail* | limited access to e-mail*
    abwesenheitsnotiz | automatische antwort | nicht im buro | nicht im haus | bin im urlaub | in elternzeit | abwesend bis
    fuera de la oficina | respuesta automatica | estoy de vacaciones | absente du bureau | absent du bureau | reponse automatique
    en conge* | fuori ufficio | risposta automatica | sono in ferie | fora do escritorio | resposta automatica | estou de ferias
    автоответ | автоматический ответ | в отпуске | нахожусь в командировке`,
  ],
  [
    'complaint',
    `complaint | complain* | unacceptable | not acceptable | disappointed | refund | money back | does not work | doesn't work
    still not working | still broken | is broken | arrived damaged | never arrived | wrong invoice | legal action | terrible service
    beschwerde | beschweren | reklamation | reklamier* | inakzeptabel | enttauscht | unzufrieden | geld zuruck | erstattung
    funktioniert nicht | defekt* | mangelhaft | falsche rechnung | queja | reclamacion | reclamar | inaceptable
    decepcionad* | reembolso | no funciona | danad* | plainte | reclamation | inadmissible | decu* | remboursement
    ne fonctionne pas | ne marche pas | endommag* | reclamo | lamentela | inaccettabile | delus* | rimborso | non funziona
    danneggiat* | queixa | reclamacao | inaceitavel | nao funciona | жалоб* | претензи* | недовол* | не работает | верните деньги`,
  ],
  [
    'meeting',
    `schedule a call | book a call | set up a call | have a call | arrange a call | jump on a call | give me a call | call me
    schedule a meeting | book a meeting | set up a meeting | arrange a meeting | let's meet | can we meet | could we meet | meet in person
    book a demo | arrange a demo | schedule a demo | a short call | free on | available on | video call | termin* | telefonat
    telefonieren | rufen sie mich | ruckruf | treffen wir uns | konnen wir uns treffen | besprechung | agendar _ llamada
    agendar _ reunion | programar _ reunion | una reunion | una llamada | llameme | nos vemos | fixer _ rendez-vous | un rendez-vous
    rendez-vous | une reunion | un appel | appelez-moi | un appuntamento | fissare _ appuntamento | una riunione | una chiamata
    mi chiami | marcar _ reuniao | uma reuniao | uma chamada | ligue-me | созвон* | встреч* | перезвоните | позвоните`,
  ],
  [
    'quote',
    `quote | quotation | offer | price | prices | pricing | price list | how much | cost | costs | estimate | rates | discount
    invoice me | angebot* | preis | preise | preisliste | preisanfrage | was kostet | wie viel kostet | kosten | kostenvoranschlag
    rabatt | konditionen | cotizacion | cotizar | presupuesto | precio | precios | cuanto cuesta | cuanto vale | tarifa*
    devis | prix | tarif | tarifs | combien coute | combien ca coute | preventivo | prezzo | prezzi | quanto costa | listino
    orcamento | preco | precos | quanto custa | cotacao | цена | цены | стоимость | сколько стоит | прайс* | расценки
    коммерческое предложение`,
  ],
  [
    'question',
    `question | questions | i wonder | wondering whether | could you tell | can you tell | please advise | please clarify
    frage | fragen | ich wollte fragen | konnen sie mir sagen | pregunta | preguntas | quisiera saber | question* | je voudrais savoir
    domanda | domande | vorrei sapere | pergunta | duvida | gostaria de saber | вопрос* | подскажите | уточните`,
  ],
]

const urgent = `urgent | urgently | asap | as soon as possible | immediately | deadline | emergency | dringend
  eilt | sofort | so schnell wie moglich | umgehend | frist | notfall | urgente | urgentemente | cuanto antes | lo antes posible
  au plus vite | le plus vite possible | immediatement | il prima possibile | o mais rapido possivel | срочно
  как можно скорее | немедленно`

/** Phrases of mass mail that a person who asks to be taken off a list does not use. */
const bulk = `to unsubscribe | click here | click below | unsubscribe here | unsubscribe link | unsubscribe from this
  manage _ preferences | view in browser | view in _ browser | view this email | view this e-mail | newsletter | no-reply
  noreply | do not reply | zum abmelden | hier abmelden | im browser ansehen | newsletter abmelden | para darse de baja
  ver en el navegador | se desabonner | pour vous desabonner | voir dans le navigateur | per disiscriverti | per cancellarti
  para cancelar a inscricao | чтобы отписаться | рассылк*`

export type Marks = { importance: Importance; intent: Intent }

/** The marks of a conversation that nobody has marked. */
export const unmarked: Marks = { importance: 'normal', intent: 'other' }

const high: ReadonlySet<Intent> = new Set(['quote', 'meeting', 'complaint'])
const low: ReadonlySet<Intent> = new Set(['unsubscribe', 'not_interested', 'out_of_office'])

/**
 * Importance and intent of a conversation, from a message of its client without what the message quotes. The interface leaves
 * open what importance goes by. Here it is high for a client who asks for a price or a meeting, complains or is pressed for
 * time, and low for one who refuses or is away, and for mass mail.
 */
export function markConversation(text: string, subject: string): Marks {
  const [body, head] = [saidIn(text), seenWords(subject.slice(0, 1000))]
  const isBulk = patterns.bulk.test(fold(body))
  const intent = intentOf(body, head, isBulk)
  if (low.has(intent) || (isBulk && intent !== 'complaint')) return { importance: 'low', intent }
  const pressing = high.has(intent) || patterns.urgent.test(fold(`${head}\n${body}`))
  return { importance: pressing ? 'high' : 'normal', intent }
}

/** The marks that a message gives its conversation. If no person wrote it, it can only say that somebody is away. */
export function marksOf(message: {
  text: string
  subject: string
  /** The address of ours through which a group or a form sent it. */
  via?: string | null | undefined
  automated: boolean
  outOfOfficeUntil?: Date | undefined
}): Marks | undefined {
  const { text, via, subject } = message
  const marks = markConversation(via ? wordsOfForm(text) : text, subject)
  if (!message.automated) return marks
  if (message.outOfOfficeUntil || marks.intent === 'out_of_office')
    return { importance: 'low', intent: 'out_of_office' }
  return undefined
}

function intentOf(body: string, head: string, isBulk: boolean): Intent {
  // Only the subject proves an automatic reply. For all other intents the text comes before the subject, which a conversation
  // keeps while its topics change.
  if (patterns.phrases.out_of_office?.test(fold(head))) return 'out_of_office'
  // Mass mail shows a way out to others; who asks for it speaks of themselves.
  if (isBulk) return asksForNoLetters(body) ? 'unsubscribe' : 'other'
  for (const said of [body, isAnswer(head) ? '' : head]) {
    const words = fold(said)
    const found = order.find(
      (intent) => wishes[intent]?.(said) || patterns.phrases[intent]?.test(words),
    )
    if (found) return found
    if (/[?？](?!\S)/.test(words)) return 'question'
  }
  return 'other'
}

/** In the order in which they decide: a refusal that asks for a price is a refusal. */
const order = [
  'out_of_office',
  'unsubscribe',
  'complaint',
  'not_interested',
  'meeting',
  'quote',
  'interested',
  'question',
] as const satisfies Intent[]

const wishes: Partial<Record<Intent, (said: string) => boolean>> = {
  unsubscribe: asksForNoLetters,
  not_interested: declinesOffer,
  interested: isInterested,
}

/** The products that a client names, without what the message quotes; their ids in the order given. */
export function namedProducts(
  text: string,
  subject: string,
  products: { id: string; name: string }[],
): string[] {
  const words = fold(`${subject.slice(0, 1000)}\n${ownWords(text)}`)
  return products.flatMap(({ id, name }) =>
    name.trim().length > 1 && wholeWords(escaped(fold(name.trim()))).test(words) ? [id] : [],
  )
}

const escaped = (text: string) =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')

const wholeWords = (source: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u')

const patternOf = (list: string) =>
  wholeWords(
    list
      .split(/[|\n]/)
      .map((phrase) => phrase.trim())
      .filter(Boolean)
      .map((phrase) =>
        escaped(fold(phrase))
          .replaceAll('\\*', "[\\p{L}\\p{N}'-]*")
          .replaceAll('\\s+_\\s+', '\\s+(?:\\S+\\s+){0,3}'),
      )
      .join('|'),
  )

const patternsOf = (lists: typeof phrases): Partial<Record<Intent, RegExp>> =>
  Object.fromEntries(lists.map(([intent, list]) => [intent, patternOf(list)]))

const patterns = {
  phrases: patternsOf(phrases),
  urgent: patternOf(urgent),
  bulk: patternOf(bulk),
}
