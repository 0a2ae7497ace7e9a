// The days that somebody who is away names. A year that is not said is that of the day's next return.

const isEnglish =
  /(?<!\p{L})(?:the|and|office|leave|vacation|until|back|away|return\p{L}*|will|i am|i'm)(?!\p{L})/iu

// Every day of a month is in it.
const leapYear = '2024-01-01'

/** Whether a text names a day of a month. */
export function namesDay(given: string): boolean {
  const text = given.normalize('NFKC')
  const isReal = (one: Written) => dayOf(one, leapYear) !== undefined
  return (
    text.search(ordinal) >= 0 ||
    written(text).some((one) => isReal(one) || (one.turns === true && isReal(turned(one))))
  )
}

/** The days (YYYY-MM-DD) that a text names by their month, from the day on that it was written; the day after a whole last day. */
export function daysNamed(given: string, from: string): string[] {
  const text = given.normalize('NFKC')
  const all = written(text)
  const american = isAmerican(text, all, from)
  const days = all.flatMap((one) => {
    const day = dayOf(one.turns && american ? turned(one) : one, from)
    return day === undefined ? [] : isThrough(text, one) ? next(day) : day
  })
  return [...days, ...ordinalsIn(text, from), ...weekdaysInPolish(text, from)]
}

/** Whether a text writes the month before the day in numbers. */
export function isOfAmerica(given: string, from: string): boolean {
  const text = given.normalize('NFKC')
  return isAmerican(text, written(text), from)
}

/** In English either may come first: the order is that in which more of the days lie ahead. */
function isAmerican(text: string, all: Written[], from: string): boolean {
  const either = all.filter(({ turns }) => turns)
  if (!isEnglish.test(text) || either.some(({ day }) => day > 12)) return false
  const ahead = (days: Written[]) =>
    days.filter((one) => isAhead(dayOf(one, from) ?? from, from)).length
  return either.some((one) => one.month > 12) || ahead(either.map(turned)) > ahead(either)
}

// The next such day of a month, which is said so in English alone.
const ordinal =
  /(?<!\p{L})(?:on|until|till?|from|through|by|before|after) (?:[a-z]{3,6}day,? )?the (\d{1,2})(?:st|nd|rd|th)(?!\p{L}|\s(?:of\s)?(?:january|february|march|april|may|june|july|august|september|october|november|december))/giu

function ordinalsIn(text: string, from: string): string[] {
  const [year, month] = from.split('-').map(Number) as [number, number]
  return [...text.matchAll(ordinal)].flatMap((match) => {
    const [all, day] = match
    const found = [month, month + 1]
      .map((one) => valid(one > 12 ? year + 1 : year, ((one - 1) % 12) + 1, Number(day)))
      .find((one) => one !== undefined && one > from)
    return found === undefined ? [] : isThrough(text, spanOf(match, all)) ? next(found) : found
  })
}

const weekdays = ['niedziel', 'poniedział', 'wtor', 'środ', 'czwart', 'piąt', 'sobot']
const inWeekdays = new RegExp(
  `(?<!\\p{L})(?:do|od|w|we)\\s{1,3}(${weekdays.join('|')})\\p{L}{0,5}`,
  'giu',
)

const weekdaysInPolish = (text: string, from: string): string[] =>
  isPolish.test(text)
    ? [...text.matchAll(inWeekdays)].map((match) => {
        const [all, stem = ''] = match
        const day = returnOf(weekdays.indexOf(stem.toLowerCase()), from)
        return isThrough(text, spanOf(match, all)) ? next(day) : day
      })
    : []

// People are seldom away for longer, and a day that lies further ahead says something else.
const longestDays = 120

/** Whether a day lies ahead, and within four months. */
export function isAhead(day: string, from: string): boolean {
  const days = (Date.parse(day) - Date.parse(from)) / 86_400_000
  return days > 0 && days <= longestDays
}

function dayOf({ day, month, year }: Written, from: string): string | undefined {
  const thisYear = Number(from.slice(0, 4))
  const given = year?.length === 2 ? `20${year}` : year
  const found = valid(given === undefined ? thisYear : Number(given), month, day)
  return given === undefined && found !== undefined && found < from
    ? valid(thisYear + 1, month, day)
    : found
}

function valid(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

function returnOf(weekday: number, from: string): string {
  const days = (weekday - new Date(`${from}T00:00:00Z`).getUTCDay() + 7) % 7
  return later(from, days || 7)
}

const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The day after. */
export const next = (day: string): string => later(day, 1)

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
const isPolish = /(?:urlop|biur|nieobecn|wr[óo]c|wrac|powr[óo]|dni[au]|odpowiem|poza|będ)/i
const ofPoland = /(?<![\d.])(\d{1,2})(\.)(\d{1,2})(?![\d.])/g

const hasKana = /[\u3040-\u30ff]/
const ofJapan =
  /(?:(\d{4})年\s?)?(\d{1,2})月\s?(\d{1,2})日(?:\s?\([^)]{1,3}\))?(?:\s?(?:[〜~–-]|から)\s?(\d{1,2})日)?/g
const shortOfJapan =
  /(?<![\d./])(\d{1,2})(\/)(\d{1,2})(?=\s?(?:\([^)]{1,3}\)\s?)?(?:まで|から|より|に|以降|は|、|[〜~-]))/g

type Written = {
  day: number
  month: number
  year: string | undefined
  start: number
  end: number
  /** Whether day and month may stand the other way round. */
  turns?: boolean
}

/** Each day that a text (NFKC) names with its month, and where. */
function written(text: string): Written[] {
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

const spanOf = ({ index }: { index: number }, { length }: string) => ({
  start: index,
  end: index + length,
})

/** With day and month the other way round. */
const turned = (one: Written): Written => ({ ...one, day: one.month, month: one.day })

// A last day of which people say that they are still away on it.

const before =
  /(?<!\p{L})(?:throug?h|thru|including|einschl(?:ie(?:ß|ss)lich|\.)|inkl(?:usive|\.)|bis und mit|t\/m|t\.e\.m\.|tot en met|włącznie (?:z|do))[\s:]{1,3}(?:[\p{L}.]{1,14},?\s{1,3}){0,2}$/iu
const after =
  /^(?:\s?r\.)?[\s,]{0,3}\(?(?:(?:ambos|entrambi|beide|both|les deux|w)\s)?(?:inclu(?:sive|sief|s|so|si|se|sa|ded|ido|idos|íd[oa]s?)(?!\p{L})|(?:incl|inkl|einschl)\.(?!\s?\p{L})|inklusive|einschlie(?:ß|ss)lich|compres[oi]|włącznie|inbegrepen|(?:\s?\([^)]{1,3}\)\s?)?(?:いっぱい|を含))/iu
const within =
  /(?<!\p{L})(?:throug?h|thru|including|einschl|inkl|bis und mit|t\/m|tot en met|włącznie)/iu

/** Whether an absence lasts through the day that stands at a place of a text, whose own words may end a time. */
export function isThrough(
  text: string,
  { start, end, isRange = false }: { start: number; end: number; isRange?: boolean },
): boolean {
  return (
    before.test(text.slice(Math.max(0, start - 60), start)) ||
    after.test(text.slice(end, end + 40)) ||
    (isRange && within.test(text.slice(start, Math.min(end, start + 100))))
  )
}
