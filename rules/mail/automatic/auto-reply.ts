import { de, en, es, fr, it, ja, nl, type ParsedComponents, pt } from 'chrono-node'
import { DateTime } from 'luxon'
import { ownWords } from '../own-words.ts'
import { oneLine } from '../phrases.ts'
import { daysNamed, isAhead, isOfAmerica, isThrough, namesDay, next } from './days.ts'
import type { Signs } from './signs.ts'

// What a program writes for somebody: that they are away, and until when.

export type AutoReply = {
  outOfOffice: boolean
  /** The day (YYYY-MM-DD) on which the person is back, if the reply says so. */
  until: string | null
}

/** Null for mail that has no sign of a program. */
export function readAutoReply(
  { automatic, weak, away }: Signs,
  { subject, text, at }: { subject: string; text: string; at: Date },
): AutoReply | null {
  if (!automatic && !weak) return null
  const own = ownWords(text)
  const outOfOffice = away || (automatic && saysReturn(own))
  return {
    outOfOffice,
    until: outOfOffice ? backOn(`${titleOf(subject)}\n${own}`, at) : null,
  }
}

/** A program puts the subject of the letter that it answers behind a colon. */
const titleOf = (subject: string) => subject.split(/[:：]/, 1)[0] ?? ''

const longestText = 3_000

type Language = Pick<typeof en.GB, 'parse'>
const wholeWords = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
// A short word of one language is a weekday in another (do, ma, di, sex), so a language reads only texts that have its words.
const languages: [words: RegExp, Language][] = [
  [
    wholeWords('the|and|office|leave|vacation|until|back|away|return|returning|will|[a-z]{3,6}day'),
    en.GB,
  ],
  [
    wholeWords(
      'und|ich|bis|büro|urlaub|abwesend|zurück|erreichbar|wieder|nicht|[a-z]{3,7}tag|mittwoch',
    ),
    de,
  ],
  [
    wholeWords(
      "je|jusqu'au|du|bureau|congé|congés|absent|absente|retour|vacances|le|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche",
    ),
    fr,
  ],
  [
    wholeWords(
      'hasta|oficina|vacaciones|estaré|estoy|ausente|regreso|vuelvo|el|lunes|martes|miércoles|jueves|viernes|sábado|domingo',
    ),
    es,
  ],
  [
    wholeWords(
      'fino|ufficio|ferie|sono|sarò|assente|rientro|rientrerò|il|(?:lune|marte|mercole|giove|vener)d[iì]|sabato|domenica',
    ),
    it,
  ],
  [
    wholeWords(
      'até|escritório|férias|estou|estarei|ausente|retorno|volto|dia|\\p{L}{5,7}-feira|sábado|domingo',
    ),
    pt,
  ],
  [wholeWords('tot|kantoor|vakantie|verlof|afwezig|bereikbaar|terug|ik|[a-z]{3,6}dag'), nl],
  [/[\u3040-\u30ff]/, ja],
  // What the others do not have is read by our own rules.
  [/[ąęłńśźż]|urlop/i, { parse: () => [] }],
]

/**
 * The last day within four months that the text names: people say from when to when they are away, and then when they are back.
 * It is the day after if they say that they are away through that day.
 */
function backOn(whole: string, at: Date): string | null {
  const text = whole.slice(0, longestText)
  const from = at.toISOString().slice(0, 10)
  const readers = languages.filter(([words]) => words.test(text)).map(([, language]) => language)
  const days = [
    ...(readers.length > 0 ? readers : [en.GB]).flatMap((language) =>
      daysIn(language === en.GB && isOfAmerica(text, from) ? en : language, text, at),
    ),
    ...daysNamed(text, from),
  ]
  return (
    days
      .filter((day) => isAhead(day, from))
      .sort()
      .at(-1) ?? null
  )
}

function daysIn(language: Language, text: string, at: Date): string[] {
  return language.parse(text, at, { forwardDate: true }).flatMap((found) => {
    // Hours of service.
    if (found.text === '24/7') return []
    const span = { start: found.index, end: found.index + found.text.length }
    const last = found.end ?? found.start
    const isWhole = isThrough(text, { ...span, isRange: found.end != null })
    return [found.start, last].flatMap((part) => {
      const day = dayOf(part)
      return day === null ? [] : isWhole && part === last ? next(day) : day
    })
  })
}

function dayOf(part: ParsedComponents): string | null {
  if (!part.isCertain('day') && !part.isCertain('weekday')) return null
  return DateTime.fromObject({
    year: part.get('year') ?? 0,
    month: part.get('month') ?? 1,
    day: part.get('day') ?? 1,
  }).toISODate()
}

// How people say on which day they are back, or until which they are out, in nine languages. A person says the same in a letter,
// and whoever answers for a company promises an answer in like words, so these count only in what a program has written, of
// somebody who speaks for themselves or of nobody, and with a day.

const words = (some: string) => `(?<!\\p{L})(?:${some})(?!\\p{L})`
const few = "(?: [\\p{L}'-]{1,20}){0,3}?"
const some = '.{0,80}?'
// In English the words between may tell of others.
const adverbs =
  "(?: (?!(?:you|we|they|it|your|our|not|that|if|he|she|looking)(?!\\p{L}))[\\p{L}'-]{1,20}){0,3}?"
// Where a sentence without a subject begins.
const start = '(?:^|[,:;–—-] ?|(?<!\\p{L})(?:and|und|et|y|e|en|i) )'

const weekdays = [
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next week',
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|übermorgen|nächste woche',
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|semaine prochaine',
  'lunes|martes|miércoles|jueves|viernes|sábado|domingo|mañana|próxima semana',
  '(?:lune|marte|mercole|giove|vener)d[iì]|sabato|domenica|domani|prossima settimana',
  '(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|amanhã|semana que vem',
  '(?:maan|dins|woens|donder|vrij|zater|zon)dag|volgende week',
  'poniedział\\p{L}+|wtor\\p{L}+|środ\\p{L}+|czwart\\p{L}+|piąt\\p{L}+|sobot\\p{L}+|niedziel\\p{L}+|jutro',
].join('|')
const dayInWords = new RegExp(`${words(weekdays)}|[月火水木金土日]曜|明日|明後日|来週`, 'u')

const english = {
  own: [
    `(?:i(?:'m| am|'ll be| will be| shall be| should be| (?:expect|plan|hope|intend) to be)|s?he(?:'s| is|'ll be| will be))${adverbs} (?:back(?! (?:to|with) (?:you|this)| in touch)|out(?! of (?:stock|ideas))|away|off|gone|travell?ing|unavailable|not (?:available|reachable|in|here)|unreachable|returning|absent|ooo|attending|at (?:an?|the)(?: \\p{L}{1,20}){0,2} (?:conference|fair|show|exhibition|event|training)|on (?:an? )?(?:break|trip|business trip|course|leave|vacation|holidays?))`,
    `i(?:'m| am) (?:in the office|in|available|reachable|at work)(?= again)`,
    `i(?:'ll| will| shall) (?:only )?be (?:again )?(?:available|reachable|contactable|online|working|at work|at my desk|in the office|in(?= (?:on|from|again)))`,
    `(?:i|s?he)(?:'ll| will| shall| (?:expect|plan|hope|intend) to| do)?(?: (?:only|not|be))? (?:return(?:ing)?|come back|resume (?:work|my duties)|get back(?= (?:on|from|in|home)))(?! (?:to (?:you|this|your|it|the matter)|you|your|the|it|all|any|calls|messages|e-?mails|phone|with))`,
    `i (?:won't|will not|cannot|can't) be (?:back|in|available|here|reachable|at work|at my desk|online)`,
    `i(?: am|'m| will be| will| won't)(?: not)? (?:be )?(?:un)?able to (?:read|answer|reply|respond|check|access)${some} (?:until|before|till)`,
    'my return|(?:on|upon|after|until|till) return(?: to (?:the office|work))? on|my first day back',
  ],
  bare: `(?:am |will be )?(?:back(?: in)?|returning|ooo|out(?: of office)?|away|off|gone|unavailable|not (?:available|in))(?: (?:in|at|of|to) (?:the office|work|my desk)| again| sick| ill)?:? (?:(?:on|from|until|till?|through|thru|by|as of|after|starting) )?(?=\\d|the \\d|(?:${weekdays})|\\p{L}{3,9}\\.? \\d)|(?:expected |date of )return`,
  others: 'we|our|team|support|service|system|server|(?:web)?site|shop|store|order|item|product',
}
const german = {
  own: [
    `(?:(?:bin|werde|stehe|befinde) ich|ich (?:bin|werde|stehe|befinde mich)|(?<=^|[.,:;!–-] ?)bin) ${some}(?:wieder (?:(?:für (?:sie|dich|euch) )?da|zurück|im (?:büro|hause?|dienst|einsatz|unternehmen|amt|lande?)|am (?:arbeitsplatz|platz|schreibtisch|start)|in der (?:firma|arbeit|praxis|schule|kanzlei|agentur)|verfügbar|zur verfügung|anwesend|vor ort|ansprechbar|online|hier|an meinem|(?:[\\p{L}\\d.]{1,12} ){0,4}?erreichbar)|für (?:sie|dich|euch|ihre anfragen) da|(?<!auf (?:\\p{L}{2,20} ){1,3})zurück|nicht (?:da|erreichbar|im (?:büro|hause?|dienst)|verfügbar|anwesend|in der (?:firma|arbeit)|am (?:arbeitsplatz|platz)|vor ort)|weg|unterwegs|abwesend|außer|ausser|verreist|verhindert|auf (?:reisen|(?:einer )?(?:messe|dienstreise|geschäftsreise|reise|schulung|fortbildung))|(?:im|in meinem) (?:\\p{L}{1,20} )?urlaub|krank(?:geschrieben)?)`,
    `(?:ich arbeite|arbeite ich) ${some}wieder`,
    `(?:habe ich|ich habe) ${some}(?:urlaub|frei)`,
    `(?:kehre ich|ich kehre|komme ich|ich komme) ${some}(?<!(?<!\\p{L})auf (?:\\p{L}{2,20} ){1,3})(?:zurück|wieder(?= (?:ins|in die|zur arbeit)))`,
    `(?:nach|bei|bis zu|seit|mit) meiner rückkehr|meine rückkehr|nach meinem urlaub`,
  ],
  bare: `(?:(?:ab|am|bis|seit|von|vom) .{0,40})?(?:wieder (?:da|zurück|erreichbar|verfügbar|anwesend|im (?:büro|haus|hause|dienst)|am (?:arbeits)?platz)|zurück(?: im büro)? (?:ab|am)|(?:rückkehr|unterwegs|nicht da|abwesend|urlaub):? (?:ab|am|bis|vom|von|\\d))`,
  others: 'wir|uns|unser\\p{L}*|ist|sind|wird|werden|team|support|service',
}
const french = {
  own: [
    `je (?:serai|suis)${few} (?:de retour|absente?|en (?:congés?|vacances|déplacement|formation|mission|rtt|arrêt)|de nouveau|à nouveau|hors|indisponible|injoignable|partie?)`,
    `je serai${few} (?:joignable|disponible|présente?|au bureau)`,
    'je (?:reviens|reviendrai|rentre|rentrerai|reprends|reprendrai|retourne|retournerai)(?! (?:contact|vos|votre|à vous)|.{0,30} vers (?:vous|toi))',
    `je ne (?:serai|suis) pas (?:au bureau|joignable|disponible|présente?|là)|je n'(?:aurai|ai) pas accès`,
    "(?:à|dès|jusqu'à|après|avant) mon retour|mon retour",
  ],
  bare: `(?:(?:de )?retour(?: (?:prévu|au bureau|au travail))*:? (?:le|à partir|dès|en|du|au|\\d|(?:${weekdays}))|(?:absente?|indisponible|en congés?|en vacances) (?:du|le|depuis|à partir|jusqu|(?:${weekdays})))`,
  others: 'nous|notre|nos|service|équipe',
}
const spanish = {
  own: [
    `(?:estaré|estoy|voy a estar|me encuentro|me encontraré)${few} (?:fuera|de vuelta|de regreso|de nuevo|nuevamente|otra vez|de viaje|ausente|no disponible)`,
    `estaré${few} (?:disponible|localizable|en la oficina|operativ[oa])`,
    `(?:volveré|volvere|vuelvo|regreso|regresaré|regresare|retornaré|me (?:re)?incorpor(?:o|aré))(?! a (?:contact|escrib|pon|llam|comunic|respond|habl)|.{0,30} (?:con|a) usted)`,
    'no (?:estaré|estoy) (?:disponible|localizable|en la oficina|en mi puesto)|no podré (?:responder|atender|leer|contestar)',
    '(?:a|hasta|tras|desde|en) mi (?:vuelta|regreso|retorno|reincorporación)|mi (?:vuelta|regreso|retorno|reincorporación)',
  ],
  bare: `(?:de vuelta|de regreso|vuelta|reincorporación|fuera|ausente)(?: en la oficina)?:? (?:el|hasta|del|desde|a partir|\\d|(?:${weekdays}))`,
  others: 'nos|nuestr\\p{L}+|equipo|servicio',
}
const italian = {
  own: [
    `(?:sarò|saro'?|sono|mi trovo|mi troverò)${few} (?:fuori(?! (?:uso|produzione|garanzia))|via|assente|di ritorno|in (?:viaggio|trasferta|vacanza|permesso|malattia)|irraggiungibile|indisponibile|non disponibile)`,
    `(?:sarò|saro'?)${few} (?:di nuovo|nuovamente|disponibile|reperibile|raggiungibile|operativ[oa]|in ufficio|in sede)`,
    `(?:tornerò|tornero'?|ritornerò|torno|rientro|rientrerò|rientrero'?|riprenderò|riprendo (?:servizio|il lavoro))(?! (?:a|da) (?:contatt|scriv|risent|lei|voi|te))`,
    'non (?:sarò|sono) (?:in ufficio|in sede|disponibile|raggiungibile|reperibile|presente)',
    'mio (?:ritorno|rientro)',
  ],
  bare: `(?:assente|fuori|di ritorno|ritorno|in vacanza|in ferie)(?: in ufficio)?:? (?:dal|dall'|fino|il|al|\\d|(?:${weekdays}))`,
  others: 'noi|nostr\\p{L}+|servizio',
}
const ofAnswers =
  '(?! (?:a (?:contact|contat|escrev|lig|fal)|(?:o |a |ao |à )?(?:seu|sua|teu|tua|vosso|vossa|contato|contacto|e-?mail|mensagem|ligaç|pedido)))'
const portuguese = {
  own: [
    `(?:estarei|estou|vou estar|encontro-me|me encontro)${few} (?:fora|de volta|de regresso|novamente|de novo|ausente|em viagem|viajando|indisponível|de folga|d?em? recesso)`,
    `estarei${few} (?:disponível|contactável|no escritório)`,
    `(?:volto|voltarei|regressarei|regresso|retornarei)${ofAnswers}`,
    'não (?:estarei|estou) (?:no|na|disponível|contactável|presente)|não terei acesso',
    'meu (?:retorno|regresso)|minha volta',
  ],
  bare: `(?:(?:(?:previsão|data) de |com |eu )?retorno(?: previsto)?${ofAnswers}|(?:de volta|de regresso|fora|ausente)(?: ao escritório)?:? (?:em|no dia|dia|a partir|até|de|do|entre|na|\\d|(?:${weekdays})))`,
  others: 'noss\\p{L}+|nós|equipe|equipa|aguard\\p{L}+',
}
const dutch = {
  own: [
    `(?:ik ben|ben ik|sta ik|ik sta|(?<=^|[.,:;!–-] ?)ben) ${some}(?:weer|(?<! op )terug|weg|vrij|afwezig|er niet|onbereikbaar|niet (?:aanwezig|bereikbaar|beschikbaar|op kantoor|op het werk)|op (?:reis|zakenreis)|ziek|er (?:dan )?weer)`,
    `(?:ik keer|keer ik) ${some}terug`,
    `na mijn (?:terugkomst|terugkeer|vakantie|verlof)|(?:bij|tot|op) mijn (?:terugkomst|terugkeer)`,
  ],
  bare: `(?:weer )?(?:terug|aanwezig|bereikbaar|afwezig|weg)(?: op kantoor)?:? (?:op|vanaf|van|tot|t/m|\\d|(?:${weekdays}))`,
  others: 'wij|we|ons|onze|team|service',
}
const polish = {
  own: [
    '(?:wracam|wrócę|powrócę|powracam)(?! (?:do (?:pan|państw|tematu|sprawy|tej|ciebie|was|kontaktu)|z odpowiedzią))',
    `będę${few} (?:(?:dostępn|osiągaln|nieobecn|nieosiągaln|niedostępn|uchwytn)\\p{L}*|z powrotem|ponownie|znowu|znów|w biurze|w pracy|poza|na urlopie|(?:na|w) delegacji)`,
    `jestem${few} (?:(?:nieobecn|niedostępn)\\p{L}*|poza|(?:na|w) delegacji|w podróży|na zwolnieniu)`,
    'nie (?:będzie|ma) mnie|mnie nie (?:będzie|ma)|nie będę (?:dostępn|obecn|osiągaln|mieć dostępu|w pracy|w biurze|mógł|mogła)\\p{L}*',
    'po (?:moim )?powrocie|do (?:mojego )?powrotu|powrót|(?:mam|mój) urlop',
  ],
  bare: '(?:nieobecn|niedostępn)\\p{L}* (?:od|do|w)|urlop:? (?:od|do|\\d)',
  others: 'nasz\\p{L}*|zespół|serwis',
}
// Nothing stands between the words of Japanese.
const japanese =
  /復帰|出社|出勤|帰社|帰国|(?:業務|職場|仕事|会社|席)に戻|外出し|戻り(?:は|ます|の予定|次第)|戻る予定|に戻りま|(?:業務|営業)を?再開|お休み|休みを(?:いただ|頂)|休みと|休みです|不在|留守|休職|育休|産休/u

const ofServices = /システム|サーバ|サービス|回線|サイト|商品|店舗/u

const returnsByLanguage = [
  ...[english, german, french, spanish, italian],
  ...[portuguese, dutch, polish],
].map(({ own, bare, others }) => ({
  own: new RegExp(words(own.join('|')), 'u'),
  bare: new RegExp(`${start}(?:${bare})`, 'u'),
  others: new RegExp(words(others), 'u'),
}))

const longestSentence = 400
const ends = /(?<=[\p{L})"'][.!?]|\d{4}\.)\s(?=\D)|(?<=[。！？!?])/u

/** Whether the text of a program says of a person on which day they are back, or until which they are out. */
function saysReturn(text: string): boolean {
  const said = text.slice(0, longestText).normalize('NFC')
  const sentences = said.split(/\n[ \t]{0,9}\n/).flatMap((part) => oneLine(part).split(ends))
  return hasReturn(sentences) || hasReturn(said.split('\n').map(oneLine))
}

/** Whether one of them is of a return, and names a day; or the next one does, if the first has a subject. */
function hasReturn(sentences: string[]): boolean {
  const all = sentences.map((one) => one.trim().slice(0, longestSentence)).filter(Boolean)
  return all.some(
    (one, at) => (isReturn(one) && hasDay(one)) || (isOfOneself(one) && hasDay(all[at + 1] ?? '')),
  )
}

const hasDay = (sentence: string) => dayInWords.test(sentence) || namesDay(sentence)

const isOfOneself = (sentence: string) => returnsByLanguage.some(({ own }) => own.test(sentence))

const isReturn = (sentence: string): boolean =>
  (japanese.test(sentence) && !ofServices.test(sentence)) ||
  isOfOneself(sentence) ||
  returnsByLanguage.some(({ bare, others }) => bare.test(sentence) && !others.test(sentence))
