import { de, en, es, fr, it, pt } from 'chrono-node'
import { DateTime } from 'luxon'

// Mail that no person wrote at that moment: out-of-office replies, acknowledgements, mailing lists (RFC 3834, and the headers
// that others use for it).

export type AutoReply = {
  outOfOffice: boolean
  /** The day (YYYY-MM-DD) on which the person is back, if the reply says so. */
  until: string | null
}

type Look = { header: (name: string) => string; subject: string; text: string; at: Date }

const outOfOffice =
  /out of (the )?office|on (annual |parental |sick )?leave|on (my )?(vacation|holidays?)|away from (my|the) (desk|office|e-?mail)|automatic reply|auto(matic)?[- ]?(reply|response)|abwesen|nicht im (büro|hause)|im urlaub|automatische antwort|réponse automatique|absen(t|ce)|en congé|respuesta automática|fuera de la oficina|de vacaciones|ausente|risposta automatica|fuori (sede|ufficio)|in ferie|resposta automática|fora do escritório|de férias|afwezig|automatisch antwoord|autosvar|poza biurem|urlop/i
const automaticSubject =
  /^(automatic reply|auto(matic)?[- ]?(reply|response)|out of (the )?office|ooo\b|abwesenheit|automatische antwort|réponse automatique|absence|respuesta automática|ausencia|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatyczna odpowied)/i

/** Null for mail that a person wrote. */
export function readAutoReply({ header, subject, text, at }: Look): AutoReply | null {
  const submitted = header('auto-submitted').trim().toLowerCase()
  const automatic =
    (submitted !== '' && !submitted.startsWith('no')) ||
    /auto[_-]?repl|bulk|junk|list/i.test(header('precedence')) ||
    header('x-autoreply') !== '' ||
    header('x-autorespond') !== '' ||
    header('x-auto-response-suppress') !== '' ||
    header('list-id') !== '' ||
    automaticSubject.test(subject.trim())
  if (!automatic) return null
  const isAway = outOfOffice.test(`${subject}\n${text.slice(0, 3_000)}`)
  return { outOfOffice: isAway, until: isAway ? backOn(text, at) : null }
}

const longestDays = 120
const languages = [en.GB, de, fr, es, it, pt]

/** The last day within four months that the text names: people say from when to when they are away, and then when they are back. */
function backOn(text: string, at: Date): string | null {
  const from = DateTime.fromJSDate(at, { zone: 'utc' })
  const days = languages.flatMap((language) => daysIn(language, text.slice(0, 3_000), at))
  const ahead = days.filter((day) => {
    const away = DateTime.fromISO(day, { zone: 'utc' }).diff(from.startOf('day'), 'days').days
    return away > 0 && away <= longestDays
  })
  return ahead.sort().at(-1) ?? null
}

function daysIn(language: { parse: typeof en.GB.parse }, text: string, at: Date): string[] {
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
