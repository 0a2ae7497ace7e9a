// Days as they are written in Polish and in Japanese. A year that is not said is that of the day's next return.

const months = [
  ...['stycznia', 'lutego', 'marca', 'kwietnia', 'maja', 'czerwca', 'lipca', 'sierpnia'],
  ...['września', 'października', 'listopada', 'grudnia'],
]
const weekdays = ['niedziel', 'poniedział', 'wtor', 'środ', 'czwart', 'piąt', 'sobot']

const named = new RegExp(
  `(?<![\\d.])(\\d{1,2})\\.?\\s{1,3}(${months.join('|')})(?:\\s{1,3}(\\d{4}))?`,
  'giu',
)
const numbered = /(?<![\d.])(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?(?![\d.]\d)/g
const inWeekdays = new RegExp(`(?:do|od|w|we)\\s{1,3}(${weekdays.join('|')})`, 'giu')
const isPolish = /(?:urlop|biur|nieobecn|wróc|dni[au]|odpowiem|poza)/i

/** The days (YYYY-MM-DD) that a text names, from the day on that it was written. */
export function daysInPolish(text: string, from: string): string[] {
  if (!isPolish.test(text)) return []
  const inWords = [...text.matchAll(named)].map(([, day, month = '', year]) =>
    dayOf(Number(day), months.indexOf(month.toLowerCase()) + 1, year, from),
  )
  const inNumbers = [...text.matchAll(numbered)].map(([, day, month, year]) =>
    dayOf(Number(day), Number(month), year, from),
  )
  const inWeek = [...text.matchAll(inWeekdays)].map(([, stem = '']) =>
    next(weekdays.indexOf(stem.toLowerCase()), from),
  )
  return [...inWords, ...inNumbers, ...inWeek].filter((day) => day !== undefined)
}

const ofJapan = /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日/g

/** The same in Japanese, each end of a time on its own. */
export const daysInJapanese = (text: string, from: string): string[] =>
  [...text.normalize('NFKC').matchAll(ofJapan)].flatMap(
    ([, year, month, day]) => dayOf(Number(day), Number(month), year, from) ?? [],
  )

function dayOf(day: number, month: number, year: string | undefined, from: string) {
  const thisYear = Number(from.slice(0, 4))
  const written = valid(year === undefined ? thisYear : Number(year), month, day)
  return year === undefined && written !== undefined && written < from
    ? valid(thisYear + 1, month, day)
    : written
}

function valid(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

function next(weekday: number, from: string): string {
  const date = new Date(`${from}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + ((weekday - date.getUTCDay() + 7) % 7 || 7))
  return date.toISOString().slice(0, 10)
}
