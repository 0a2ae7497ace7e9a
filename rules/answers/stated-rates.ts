import { oneLine } from '../mail/phrases.ts'

// How many letters a server says that it takes in a time: "30 messages per minute", "500/hour".

const units: [unit: RegExp, seconds: number][] = [
  [/^(?:s|sec|seconds?|sekunden?|secondes?|segundos?|secondi|secondo)$/, 1],
  [/^(?:m|min|minutes?|minuten?|minutos?|minuti|minuto|minuut)$/, 60],
  [/^(?:h|hr|hours?|std|stunden?|heures?|horas?|ore|ora|uur)$/, 60 * 60],
]

const rates =
  /(?<![\d.])(\d{1,5}) ?(?:[a-zé-]{1,20} ){0,2}(?:per|an?|each|every|in|pro|je|par|por|\/) ?(\d{0,3}) ?([a-z]{1,9})\b/g

/** The seconds between two letters that keep to it, at most a minute; 0 if the server says no rate. */
export function statedGapSeconds(words: string): number {
  for (const [, number = '', times = '', unit = ''] of oneLine(words).matchAll(rates)) {
    const seconds = units.find(([name]) => name.test(unit))?.[1]
    if (seconds === undefined || Number(number) === 0) continue
    return Math.min(60, Math.ceil((seconds * (Number(times) || 1)) / Number(number)))
  }
  return 0
}
