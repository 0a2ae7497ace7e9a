import { de, en, es, fr, it, ja, nl, pt } from 'chrono-node'
import { DateTime } from 'luxon'
import { daysInJapanese, daysInPolish } from '../../rules/automatic/days.ts'
import type { Signs } from '../../rules/automatic/signs.ts'
import { ownWords } from '../../rules/marks.ts'

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
  return {
    outOfOffice: away,
    until: away ? backOn(`${titleOf(subject)}\n${ownWords(text)}`, at) : null,
  }
}

/** A program puts the subject of the letter that it answers behind a colon. */
const titleOf = (subject: string) => subject.split(/[:：]/, 1)[0] ?? ''

const longestDays = 120
const longestText = 3_000

type Language = Pick<typeof en.GB, 'parse'>
const wholeWords = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
// A short word of one language is a weekday in another (do, ma, di, sex), so a language reads only texts that have its words.
const languages: [words: RegExp, Language][] = [
  [wholeWords('the|and|office|leave|vacation|until|back|away|return|returning|will'), en.GB],
  [wholeWords('und|ich|bis|büro|urlaub|abwesend|zurück|erreichbar|wieder|nicht'), de],
  [wholeWords("je|jusqu'au|du|bureau|congé|congés|absent|absente|retour|vacances|le"), fr],
  [wholeWords('hasta|oficina|vacaciones|estaré|estoy|ausente|regreso|vuelvo|el'), es],
  [wholeWords('fino|ufficio|ferie|sono|sarò|assente|rientro|rientrerò|il'), it],
  [wholeWords('até|escritório|férias|estou|estarei|ausente|retorno|volto|dia'), pt],
  [wholeWords('tot|kantoor|vakantie|verlof|afwezig|bereikbaar|terug|ik'), nl],
  [/[\u3040-\u30ff]/, ja],
]

/** The last day within four months that the text names: people say from when to when they are away, and then when they are back. */
function backOn(whole: string, at: Date): string | null {
  const text = whole.slice(0, longestText)
  const from = DateTime.fromJSDate(at, { zone: 'utc' })
  const readers = languages.filter(([words]) => words.test(text)).map(([, language]) => language)
  const days = [
    ...(readers.length > 0 ? readers : [en.GB]).flatMap((language) => daysIn(language, text, at)),
    ...[daysInPolish, daysInJapanese].flatMap((daysOf) => daysOf(text, from.toISODate() ?? '')),
  ]
  const ahead = days.filter((day) => {
    const away = DateTime.fromISO(day, { zone: 'utc' }).diff(from.startOf('day'), 'days').days
    return away > 0 && away <= longestDays
  })
  return ahead.sort().at(-1) ?? null
}

function daysIn(language: Language, text: string, at: Date): string[] {
  return language
    .parse(text, at, { forwardDate: true })
    .flatMap(({ start, end }) => (end ? [start, end] : [start]))
    .filter((part) => part.isCertain('day') || part.isCertain('weekday'))
    .map((part) =>
      DateTime.fromObject({
        year: part.get('year') ?? 0,
        month: part.get('month') ?? 1,
        day: part.get('day') ?? 1,
      }).toISODate(),
    )
    .filter((day) => day !== null)
}
