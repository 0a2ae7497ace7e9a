// Days of a month as people write them in nine languages, in words and in numbers.

const months = [
  'january|januari|januar|jänner|jan|janvier|janv|enero|ene|gennaio|gen|janeiro|stycznia|styczeń|sty',
  'february|februari|februar|feber|feb|février|fevrier|févr|fév|febrero|febbraio|fevereiro|fev|lutego|luty|lut',
  'march|märz|maerz|mär|mar|mars|marzo|março|marco|maart|mrt|marca|marzec',
  'april|apr|avril|avr|abril|abr|aprile|kwietnia|kwiecień|kwi',
  'may|mai|mayo|maggio|maio|mei|maja|maj',
  'june|juni|jun|juin|junio|giugno|giu|junho|czerwca|czerwiec|cze',
  'july|juli|jul|juillet|juil|julio|luglio|lug|julho|lipca|lipiec',
  'august|aug|août|aout|agosto|ago|augustus|sierpnia|sierpień',
  'september|sept|sep|septembre|septiembre|setiembre|settembre|setembro|września|wrzesień|wrz',
  'october|oct|oktober|okt|octobre|octubre|ottobre|ott|outubro|października|październik|paź',
  'november|nov|novembre|noviembre|novembro|listopada|listopad|lis',
  'december|dec|dezember|dez|décembre|decembre|déc|diciembre|dic|dicembre|dezembro|grudnia|grudzień|gru',
]
const monthOf = new Map(
  months.flatMap((words, at) => words.split('|').map((word): [string, number] => [word, at + 1])),
)
const month = `(?:${[...monthOf.keys()].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})`
const year = '(?:,?\\s{1,3}(?:del?\\s{1,3})?(\\d{4})(?!\\d))?'

// The day before its month (7th of December, 1º de dezembro), or behind it as in English.
const dayFirst = `(\\d{1,2})(?:\\.|st|nd|rd|th|er|o|°|e|-?go)?\\s{0,3}(?:(?:de|of)\\s{1,3})?(${month})\\.?${year}`
const monthFirst = `(?<!(?:you|we|i|they|it|that|this)\\s)(${month})\\.?\\s{1,3}(?:the\\s)?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:/)\\p{L}]|\\s?(?:[ap]\\.?m|uhr|h)\\b|\\s{1,3}(?:de\\s)?${month})${year}`
const named = new RegExp(`(?<![\\p{L}\\d])(?:${dayFirst}|${monthFirst})`, 'giu')

const yearFirst = /(?<![\d./-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g
const dashed = /(?<![\d-])(\d{1,2})(-)(\d{1,2})-(\d{4})(?![\d-])/g
const numbered = /(?<![\d./])(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/]|\.\d)/g
// Without a year only where a day is expected: 3.5 may be anything.
const dotted = /(?<![\d./])(\d{1,2})(\.)\s?(\d{1,2})\.(?!\s?\d)/g
const expected =
  '(?:bis|zum|ab|am|vom|von|dem|den|le|au|du|al|il|dal|fino|el|hasta|del|até|d[ií]a|giorno|para|de|em|op|vanaf|tot|van|t/m|met|do|od|dnia|w|until|till?|on|from|through|thru|by|to|back|return|retour|(?<=\\d\\s)[aà]|\\p{L}{1,12}(?:day|tag|di|dì|dag|feira),?|(?<=[./]\\d{1,2}\\.?\\s?)[–-])'
const awaited = new RegExp(
  `(?<=(?<!\\p{L})${expected}[\\s:]?)(\\d{1,2})([./])(\\d{1,2})(?![\\d/]|[.:]\\d)`,
  'giu',
)
const ranged =
  /(?<![\d./])(\d{1,2})(\/)(\d{1,2})(?=\s?(?:[-–]|to|thr(?:u|ough)|until|bis|au|al|a|e|até|tot|t\/m)\s?\d)/giu
export const isPolish = /(?:urlop|biur|nieobecn|wr[óo]c|wrac|powr[óo]|dni[au]|odpowiem|poza|będ)/i
const ofPoland = /(?<![\d.])(\d{1,2})(\.)(\d{1,2})(?![\d.])/g

const hasKana = /[\u3040-\u30ff]/
const ofJapan =
  /(?:(\d{4})年\s?)?(\d{1,2})月\s?(\d{1,2})日(?:\s?\([^)]{1,3}\))?(?:\s?(?:[〜~–-]|から)\s?(\d{1,2})日)?/g
const shortOfJapan =
  /(?<![\d./])(\d{1,2})(\/)(\d{1,2})(?=\s?(?:\([^)]{1,3}\)\s?)?(?:まで|から|より|に|以降|は|、|[〜~-]))/g

export type Written = {
  day: number
  month: number
  year: string | undefined
  start: number
  end: number
  /** Whether day and month may stand the other way round. */
  turns?: boolean
}

/** Each day that a text (NFKC) names with its month, and where. */
export function written(text: string): Written[] {
  const found = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map((match): Written => {
      const [all, day, sign, month, year] = match
      const numbers = { day: Number(day), month: Number(month), year }
      return { ...numbers, ...spanOf(match, all), turns: sign === '/' }
    })
  return [
    ...inWords(text),
    ...inJapanese(text),
    ...found(yearFirst).map(fromYear),
    ...[dashed, numbered, dotted].flatMap(found),
    ...(isPolish.test(text) ? found(ofPoland) : []),
    ...(hasKana.test(text)
      ? found(shortOfJapan).map((one) => ({ ...turned(one), turns: false }))
      : [awaited, ranged].flatMap(found)),
  ]
}

const inWords = (text: string): Written[] =>
  [...text.matchAll(named)].map((match) => {
    const [all, day, month, year, monthBefore, dayBehind, yearBehind] = match
    return {
      day: Number(day ?? dayBehind),
      month: monthOf.get((month ?? monthBefore ?? '').toLowerCase()) ?? 0,
      year: year ?? yearBehind,
      ...spanOf(match, all),
    }
  })

const inJapanese = (text: string): Written[] =>
  [...text.matchAll(ofJapan)].flatMap((match) => {
    const [all, year, month, day, last] = match
    const span = spanOf(match, all)
    return [day, last].flatMap((one) =>
      one === undefined ? [] : [{ day: Number(one), month: Number(month), year, ...span }],
    )
  })

/** A day whose year was read in the place of the day. */
const fromYear = ({ day, year, ...one }: Written): Written => ({
  ...one,
  day: Number(year),
  year: String(day),
  turns: false,
})

export const spanOf = ({ index }: { index: number }, { length }: string) => ({
  start: index,
  end: index + length,
})

/** With day and month the other way round. */
export const turned = (one: Written): Written => ({ ...one, day: one.month, month: one.day })
