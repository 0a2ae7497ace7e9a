import { isThrough } from './last-days.ts'
import { isPolish, spanOf, turned, type Written, written } from './written-days.ts'

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
