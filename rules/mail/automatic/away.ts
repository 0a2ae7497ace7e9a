import { folded, hasOne, listed } from '../reports/phrases.ts'
import { isAnswer, prefixes } from '../subjects.ts'

// How people say in advance that they are away, in nine languages and some more.

const away =
  listed(`out of office | out of the office | out of my office | out-of-office | on annual leave | on parental leave
      on maternity leave | on paternity leave | on sick leave | on leave | on vacation | on my vacation | on holiday
      on my holiday | on pto | away from my desk | away from the office | away from my e-mail | away from my email
      currently away | i am away | i'm away | be away until | limited access to e-mail | limited access to email
      limited access to my email | limited access to my e-mail | return to the office | back in the office
      no longer monitored | not be reading my mail | not be reading my e-mail | not be reading my email
      be read when i return | be read when i get back | abwesend | abwesenheit | nicht im büro | nicht im hause | nicht am arbeitsplatz
      außer haus | im urlaub | in urlaub | in elternzeit | auf dienstreise | nicht erreichbar | wieder erreichbar
      wieder im büro | absent du bureau | absente du bureau | je suis absent | je serai absent
      je suis actuellement absent | actuellement absent | en congé | en vacances | en déplacement | hors du bureau
      de retour le | fuera de la oficina | fuera de mi oficina | estoy ausente | estaré ausente | de vacaciones
      de baja | de permiso | fuori ufficio | fuori sede | in ferie | in congedo | sono assente | sarò assente
      fora do escritório | de férias | em férias | estou ausente | estarei ausente | de licença | fora da empresa
      afwezig | niet aanwezig | niet op kantoor | op vakantie | met vakantie | met verlof | buiten kantoor
      weer bereikbaar | terug op kantoor | poza biurem | na urlopie | nieobecn | przebywam na | przebywać na
      jestem na urlopie | zwolnieniu lekarskim | 不在 | 休暇 | 休業 | 外出中 | 出張中 | 席を外して | お休みをいただ | お休みを頂 | semester
      på semester | föräldraledig | på ferie | ikke på kontoret | lomalla | в отпуске | нахожусь в командировке
      отсутствую | 不在办公室 | 休假
      na dovolené | dovolenou | mimo kancelář | nepřítomn | szabadságon | izindeyim | tatildeyim | ofis dışında
      휴가중 | 휴가 중 | 부재중 | 부재 중 | 자리를 비`)

/** Whether words say that somebody is away. A text is read without what it quotes. */
export const saysAway = (text: string): boolean => hasOne(folded(text.slice(0, 3_000)), away)

// What programs put into a subject. Each is the whole subject, or stands before the subject of the mail that they answer.
const programs =
  "auto(?:matic|mated|matically generated)?[- ]?(?:reply|response|answer)|autoreply|autoresponse|autoresponder|out[- ]of[- ](?:the[- ])?office(?: (?:auto[- ]?reply|automatic reply|reply|message|notification|notice|assistant))?|vacation (?:reply|responder|response)|ooo|oof|abwesenheits(?:notiz|nachricht|mitteilung|agent|benachrichtigung|assistent|meldung)|automatische (?:antwort|abwesenheitsnotiz|rückantwort)|abwesend|nicht im (?:büro|haus)|nicht im büro|réponse automatique|(?:message|notification) d['’]absence|absence du bureau|absente? du bureau|hors du bureau|respuesta automática|fuera de (?:la|mi) oficina|mensaje de ausencia|aviso de ausencia|risposta automatica|fuori (?:ufficio|sede)|avviso di assenza|messaggio di assenza|resposta automática|fora do escritório|aviso de ausência|mensagem de ausência|automatisch(?:e)? antwoord|afwezigheids(?:bericht|melding|assistent)|niet op kantoor|buiten kantoor|automatyczna odpowiedź|odpowiedź automatyczna|poza biurem|informacja o nieobecności|powiadomienie o nieobecności|autosvar|automatiskt svar|automatisk svar|frånvaro(?:meddelande|besked)|fraværsmelding|automaattinen vastaus|poissaoloviesti|автоответ|автоматический ответ|отсутствую|automatick[áýé] odpoveď|automatická odpověď|automatikus válasz|otomatik yanıt|răspuns automat|αυτόματη απάντηση|автоматична відповідь|автоматичен отговор|automatski odgovor|samodejni odgovor|automaatne vastus|automātiska atbilde|automatinis atsakymas|resposta automàtica|tự động trả lời|balasan otomatis|תשובה אוטומטית|رد تلقائي|自动(?:回复|答复)|自動(?:回覆|答覆)|자동 ?응답|자동 ?회신|부재중(?: ?(?:자동)? ?(?:응답|회신|메시지|알림|안내))?"
const programsOfJapan =
  '自動(?:返信|応答|送信)(?:メール)?|不在(?:通知|連絡|のお知らせ|のご連絡|です)?|休暇(?:通知|のお知らせ|中)'
// What a person may say of something else as well.
const nouns =
  'away|away message|(?:vacation|holiday) message|away from my (?:mail|e-?mail|desk|office)|(?!(?:your|the|an|our|my|this|no)\\b)[\\w!.]{2,20} auto[- ]?(?:response|reply)|mimo kancelář|(?:jsem )?na dovolené|dovolená|nepřítomnost|absent|absence|on (?:annual |parental |maternity |sick )?leave|annual leave|(?:on )?vacation|(?:on )?holidays?|holiday notice|abwesenheit|(?:im |in )?urlaub|ausser haus|außer haus|elternzeit|absente?|(?:en )?congés?|(?:en )?vacances|ausencia|ausente|(?:de )?vacaciones|assenza|assente|(?:in )?ferie|ausência|(?:de |em )?férias|afwezig|afwezigheid|(?:op |met )?(?:vakantie|verlof)|nieobecność|nieobecn[ya]|(?:na )?urlop(?:ie)?|frånvarande|semester|ferie|休業(?:のお知らせ)?'

// Behind it: nothing, the subject of the other mail, or a day.
const behind = `(?=\\s*(?:$|[:：)\\]】>]|[-–—|]\\s|[.!]+\\s*$|[(\\[]|${prefixes}|(?:until|till|through|thru|from|since|bis|ab|vom|von|jusqu|du|hasta|del?|fino|sino|dal|até|de|tot|t/m|van|do|od|back|returning|zurück|retour|terug)\\b.{0,30}\\d|\\d))`

const tag = /^\s{0,9}[[(【<*]{1,3}([^\])】>*]{1,60})[\])】>*]{1,3}/
// A program may say both that somebody is away and that it answers.
const program = new RegExp(
  `^\\s*(?:(?:부재|휴가)\\s?중?[\\s,/-]{1,3})?(?:${programs})${behind}`,
  'iu',
)
const programOfJapan = new RegExp(`^\\s*(?:${programsOfJapan})(?=\\s|$|[:：】)\\]>（(])`, 'u')
const noun = new RegExp(`^\\s*(?:${nouns})${behind}`, 'iu')
const anywhere = new RegExp(`(?:^|[^\\p{L}])(?:${programs}|${nouns})(?![\\p{L}])`, 'iu')

const longestSubject = 300
const ending = new RegExp(`[([]\\s?(?:${programs}|${nouns})\\s?[)\\]]\\s{0,9}$`, 'iu')

/** Whether the subject of an answer ends with a phrase for an absence in brackets. */
export const endsAway = (given: string): boolean =>
  isAnswer(given) && ending.test(given.slice(-100).normalize('NFC'))

const isGone =
  /\b(?:is|will be) (?:currently )?(?:out of (?:the |my )?office|away|on (?:vacation|leave|holiday))\b|\bist (?:derzeit |zur zeit |momentan )?(?:außer haus|ausser haus|nicht im (?:büro|haus(?:e)?)|abwesend|im urlaub)|\best (?:actuellement )?(?:absent|en congés?|en vacances)|\bestá (?:ausente|fuera de la oficina|de vacaciones|de férias|em férias|fora do escritório)|(?:^|\s)è (?:assente|fuori ufficio|fuori sede|in ferie)|\bis (?:afwezig|niet aanwezig|niet op kantoor|met vakantie|op vakantie)|\bjest (?:nieobecn|na urlopie)|(?:は|が)、?不在/iu

/**
 * Whether a subject says of its sender by name that they are away, as Notes does. Nobody writes so of themselves; whoever answers
 * such a mail may have a like address.
 */
export function saysSenderIsAway(
  given: string,
  { name, address }: { name: string; address: string },
): boolean {
  const subject = given.slice(0, longestSubject).normalize('NFC').toLowerCase()
  const at = subject.search(isGone)
  if (at < 0 || at > 120) return false
  const words = (text: string) => text.toLowerCase().split(/[^\p{L}]+/u)
  const title = words(subject.slice(0, at)).filter((one) => one.length > 1)
  const local = address.slice(0, 64).split('@', 1)[0] as string
  const names = new Set(words(`${name.slice(0, 100)} ${local}`))
  const told = new Set(title.filter((one) => names.has(one)))
  return told.size > 1 || (!isAnswer(given) && isOfInitial(local, title))
}

const ofNotes =
  /^\s{0,99}(?:i will be out of the office starting\s{1,9}\S{1,20}\s{1,9}and will not return until|ich werde ab\s{1,9}\S{1,20}\s{1,9}nicht im büro sein\. ich kehre zurück|je serai absente?(?:\(e\))? à partir du\s{1,9}\S{1,20}\s{1,9}(?:et )?de retour)/u
/**
 * Whether a subject says that somebody is away whose own words the text seems to be, in the sentence that Notes puts first. Who
 * writes of a colleague does not say "I".
 */
export const isOfNotes = (subject: string, text: string): boolean =>
  isGone.test(subject.slice(0, longestSubject).normalize('NFC')) &&
  ofNotes.test(text.slice(0, 400).normalize('NFC').toLowerCase().replace(/\s+/g, ' '))

/** Whether a local part is a family name next to an initial, as mtorres and torres.m are of Mia Torres. */
function isOfInitial(local: string, title: string[]): boolean {
  const bare = local.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
  return title.some(
    (family, place) =>
      family.length > 2 &&
      title.some(
        (first, other) =>
          other !== place && [`${first[0]}${family}`, `${family}${first[0]}`].includes(bare),
      ),
  )
}

/**
 * What a subject says: `program` if it is what a program writes, as a whole phrase; `noun` if it is a whole phrase that a person
 * may write too; `mention` if it only has such words in it.
 */
export function readSubject(given: string): 'program' | 'noun' | 'mention' | undefined {
  const subject = given.slice(0, longestSubject).normalize('NFC').replace(/’/g, "'")
  const [all, label] = tag.exec(subject) ?? []
  if (label !== undefined && (program.test(label) || programOfJapan.test(label))) return 'program'
  const bare = all === undefined ? subject : subject.slice(all.length)
  if (program.test(bare) || programOfJapan.test(bare)) return 'program'
  if (noun.test(bare)) return 'noun'
  return anywhere.test(subject) || /不在|自動返信|休暇/.test(subject) ? 'mention' : undefined
}
