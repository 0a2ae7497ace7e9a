import { de, en, es, fr, it, ja, nl, type ParsedComponents, pt } from 'chrono-node'
import { DateTime } from 'luxon'
import { ownWords } from '../own-words.ts'
import { daysNamed, isAhead, isOfAmerica, next } from './days.ts'
import { isThrough } from './last-days.ts'
import { saysReturn } from './returns.ts'
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
