// Ids of a letter beside the Message-ID that we gave it. Amazon SES, Outlook.com, Exchange Online, Postmark, Mailjet, Brevo and
// others send letters on under an id of their own, and name it in their answer to the final dot: whole, or what stands before
// its @.

const longestAnswer = 2_000
const mostIds = 4
const longestId = 990

const wholeId = /<([^<>\s@]{1,400}@[^<>\s@]{1,500})>/g
// Queues of mail servers have shorter numbers, which say nothing outside of them and can be guessed.
const fewestLetters = 16
const token = new RegExp(`^(?=.*\\d)[\\w+-]{${fewestLetters},200}$`)
const trimmed = /^[<("'[]+|[>)"'\].,;]+$/g

/** An id as it is compared: in small letters and without brackets. */
export const comparedId = (id: string): string =>
  id.slice(0, longestId).replace(/^<|>$/g, '').toLowerCase()

/**
 * The ids that a server's answer to a letter names, as they are compared: `250 Ok 0107019c-…-000000`,
 * `250 2.0.0 OK <…@….prod.outlook.com> [Hostname=…]`, `250 OK: queued as 6f6b0c1e-…`.
 */
export function idsInAnswer(answer: string): string[] {
  const text = answer.slice(0, longestAnswer)
  const whole = [...text.matchAll(wholeId)].map(([, id = '']) => id)
  // A number stands at the end of a line, or behind "queued as".
  const numbers = text.split(/\r?\n/).flatMap((line) => {
    const said = line.replace(/^\d{3}[ -]/, '')
    const queued = /\bas[ :]+(\S{1,400})/i.exec(said)?.[1] ?? ''
    return [queued, said.trim().split(/\s+/).at(-1) ?? '']
  })
  const tokens = numbers
    .map((word) => word.replace(/^id=/i, '').replaceAll(trimmed, ''))
    .filter((word) => token.test(word))
  return [...new Set([...whole, ...tokens].map(comparedId))].slice(0, mostIds)
}

/** What `idsInAnswer` may have kept of an id that a mail names: the whole, and what stands before its @. */
export function keysOfId(id: string): string[] {
  const whole = comparedId(id)
  const local = whole.slice(0, Math.max(0, whole.lastIndexOf('@')))
  return local.length >= fewestLetters ? [whole, local] : [whole]
}
