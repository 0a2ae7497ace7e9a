import { ownWords } from '../marks.ts'
import { isUnattended } from '../reports/senders.ts'
import { isAnswer } from '../subjects.ts'
import { readSubject, saysAway } from './away.ts'

// Signs that no person wrote a mail at that moment: out-of-office replies, acknowledgements, lists (RFC 3834, and the headers
// that others use for it).

export type Signs = {
  /** It says itself that a program wrote it. */
  automatic: boolean
  /**
   * Programs and people's mail servers both write such headers: every ticket system and group address does. They count only in
   * mail that answers none of ours.
   */
  weak: boolean
  /** It reads like something that a program wrote, and has no other sign of it. */
  unclear: boolean
  /** Its words say that its sender is away. */
  away: boolean
}

type Look = { header: (name: string) => string; from: string; subject: string; text: string }

// People come to the point later; programs begin with it.
const opening = 300

export function readSigns({ header, from, subject, text }: Look): Signs {
  const own = ownWords(text)
  const title = isAnswer(subject) ? undefined : readSubject(subject)
  const isAway = saysAway(own)
  const submitted = header('auto-submitted')
    .replaceAll(/\([^()]*\)/g, ' ')
    .trim()
    .toLowerCase()
  const precedence = header('precedence')
  const automatic =
    (submitted !== '' && !/^no\b/.test(submitted)) ||
    /^\s*auto[_-]?reply\b/i.test(precedence) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-mail-autoreply'].some((name) =>
      says(header(name)),
    ) ||
    title === 'program' ||
    (title === 'noun' && isAway)
  const isNobody = isUnattended(from)
  const weak =
    isNobody ||
    /^\s*(?:bulk|junk|list)\b/i.test(precedence) ||
    header('list-id') !== '' ||
    says(header('x-auto-response-suppress'))
  const begins = saysAway(own.slice(0, opening))
  return {
    automatic,
    weak,
    unclear:
      !automatic && (begins || isNobody || (title !== undefined && (isAway || title === 'noun'))),
    away: isAway || saysAway(subject),
  }
}

const says = (value: string) => !/^(?:no|none|false|0)?$/i.test(value.trim())
