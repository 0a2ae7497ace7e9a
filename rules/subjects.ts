// What mail programs put in front of a subject in answers and forwards, in the languages of their users.

const answer =
  /^\s*(?:(?:re|aw|antw|antwort|sv|vs|odp|fw|fwd|wg|tr|rv|enc|res|r|rif|ref|i|pd|doorst|yanıt|ynt|回复|答复|返信|转发|転送)(?:\[\d+\])?\s*[:：])/i

/** Whether a subject says that its mail answers or forwards another. */
export const isAnswer = (subject: string): boolean => answer.test(subject)

const tags = /\[[^[\]]{0,60}\]/g

/** A subject without what lists and ticket systems put into brackets. */
export const untagged = (subject: string): string => subject.replace(tags, ' ').trim()

const forward = /^\s*(?:fw|fwd|wg|tr|rv|enc|i|pd|doorst|ynt|转发|転送)\s*[:：]/i

/** Whether a subject says that its mail forwards another. */
export const isForward = (subject: string): boolean => forward.test(subject)
