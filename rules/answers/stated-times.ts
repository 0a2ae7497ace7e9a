import { hasOne, listed } from '../mail/phrases.ts'

// How long a server says to wait, if it says so: "try again in 15 minutes", "retry after 3600 seconds".

const units: [unit: RegExp, ms: number][] = [
  [/^(?:s|sec|secs|seconds?|sek|sekunden?|secondes?|segundos?|secondi)$/, 1_000],
  [/^(?:m|min|mins|minutes?|minuten?|minutos?|minuti|minut)$/, 60_000],
  [/^(?:h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|uur)$/, 60 * 60_000],
  [/^(?:d|days?|tage?n?|jours?|días?|dias?|giorni|dagen)$/, 24 * 60 * 60_000],
]

// Before the time, or somewhere else in the sentence.
const waits =
  listed(`again | retry | wait | later | blocked for | suspended for | locked for | reset | lifted | erneut | warten
  wieder | gesperrt | versuchen | réessay | attend | intente | inténtelo | espere | riprov | tente | opnieuw`)
const asks =
  /\b(?:in|after|for|wait|nach|für|dans|après|attendez|en|dentro de|tra|fra|over|em) (?:about |at least |etwa |mindestens |environ )?(\d{1,6}(?:\.\d)?) ?([a-zí]{1,10})\b/g

/** Milliseconds; undefined if it says nothing. `words` are folded. */
export function statedWait(words: string): number | undefined {
  if (!hasOne(words, waits)) return undefined
  for (const [, number = '', unit = ''] of words.matchAll(asks)) {
    const ms = units.find(([name]) => name.test(unit))?.[1]
    if (ms !== undefined && Number(number) > 0) return Number(number) * ms
  }
  return undefined
}
