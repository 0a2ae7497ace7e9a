import { contactsIn } from '../../../rules/contacts.ts'
import type { RuleBook } from './rule-book.ts'
import { countWords, saidOf } from './wording.ts'

// What must hold for every letter that a model wrote, whatever it was told: a client's text may have given it orders. The
// recipient of a letter is never the model's choice, so nothing here checks it.

export type Flaw = { code: string; message: string }

const longestSubject = 200
const disguised = /[[({]\s*(?:at|dot)\s*[\])}]|\bdot (?:com|net|org|de|io|example)\b/iu
const hidden = /[\p{Cc}\p{Cf}\p{Cs}]/u
const blank = /\[[^\]\n]{1,40}\]|\{\{?[^}\n]{1,40}\}?\}|<[A-Za-z/][^>\n]{0,200}>/u
const header = /^(?:to|cc|bcc|from|reply-to|subject|an|von|betreff)\s*:/imu
const attached =
  /\b(?:attach(?:ed|ment|ments)|enclosed|im anhang|angehängt|adjunt[oa]s?|pièces? jointes?)\b/iu
const leaving = /\b(?:unsubscribe|opt[- ]out|abbestellen|abmelden|d[ée]sabonner|darse de baja)\b/iu

/**
 * What is wrong with a letter; an empty list if it may go. `own` are our own texts, from which it may take links, addresses and
 * numbers. For a reply without a subject, only the text is checked. Messages are for the model that wrote the letter and may
 * quote it. Codes are safe to show.
 */
export function flawsOf(
  letter: { subject?: string; text: string },
  own: string[],
  rules: Pick<RuleBook, 'never' | 'maxWords'>,
  longest: number,
): Flaw[] {
  const { subject = '', text } = letter
  const flaws: Flaw[] = []
  const flaw = (code: string, message: string) => void flaws.push({ code, message })
  const whole = `${subject}\n${text}`.normalize('NFKC')
  const ours = own.join('\n').normalize('NFKC')

  if (text.trim() === '') flaw('empty', 'The text is empty.')
  if (letter.subject !== undefined && subject.trim() === '') flaw('empty', 'The subject is empty.')
  if (text.length > longest)
    flaw('too_long', `The text must be shorter than ${longest} characters.`)
  if (rules.maxWords && countWords(text) > rules.maxWords)
    flaw('too_long', `The text must have at most ${rules.maxWords} words.`)
  if (subject.length > longestSubject || /[\r\n]/.test(subject))
    flaw('bad_subject', `The subject must be one line of at most ${longestSubject} characters.`)
  if (hidden.test(whole.replace(/[\r\n\t]/g, '')))
    flaw('hidden_characters', 'It holds control or invisible characters.')

  const known = new Set(contactsIn(ours))
  for (const found of contactsIn(whole))
    if (!known.has(found))
      flaw('foreign_contact', `“${found}” is no link, address or number of our own texts.`)
  if (disguised.test(whole)) flaw('foreign_contact', 'It holds an address in disguise.')
  if (header.test(text)) flaw('header_line', 'It holds lines that look like those of a head.')
  if (blank.test(whole) && !blank.test(ours))
    flaw('placeholder', 'It holds a blank to be filled in.')
  if (attached.test(whole) && !attached.test(ours))
    flaw('attachment', 'It speaks of an attachment; there is none.')
  if (leaving.test(whole) && !leaving.test(ours))
    flaw('unsubscribing', 'It speaks of unsubscribing; the service adds that by itself.')
  for (const phrase of saidOf(whole, rules.never))
    flaw('forbidden_words', `It must not say “${phrase}”.`)
  return flaws
}
