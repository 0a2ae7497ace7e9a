import { z } from 'zod'
import { readEmail } from '../../rules/addresses.ts'
import { NewFile } from './file.ts'
import { Id, OneLine, optional, Timestamp, text } from './shapes.ts'

// What a caller may give a message.

const longestHtml = 1024 * 1024
export const longestText = 200_000
export const longestSubject = 250
const mostFiles = 20
/** Of `to`, `cc` and `bcc` together. */
export const mostRecipients = 50
/** Duplicates are removed before recipients are counted. */
const mostGiven = 500

const EmailAddress = OneLine(320).transform((given, context) => {
  const address = readEmail(given.trim())
  if (address) return address.value
  context.addIssue({ code: 'custom', message: 'must be an e-mail address' })
  return z.NEVER
})

const Copies = z.array(EmailAddress).max(mostGiven)

const plain = {
  to: optional(z.string().min(1).max(320)).describe(
    'The address of the client to send it to; by default the one they last wrote from.',
  ),
  via: optional(z.string().min(1).max(320)).describe(
    'Our account to send it through, by the id of its connection or its address; by default that of the conversation.',
  ),
  sendAt: optional(Timestamp).describe(
    'When to send it, with an offset; by default as soon as the queue reaches it.',
  ),
}

export const ReducedLetter = z
  .strictObject({
    text: text(longestText).describe('The text of the message.'),
    ...plain,
  })
  .meta({ id: 'NewMessage' })

/** What every message may have, whatever it belongs to. */
export const letterMembers = {
  text: optional(text(longestText)).describe(
    'The text of the message; by default the words of `html`. At least one of both is required.',
  ),
  html: optional(
    text(longestHtml).refine((html) => Buffer.byteLength(html) <= longestHtml, {
      message: `must have at most ${longestHtml} bytes`,
      params: { code: 'too_big' },
    }),
  ).describe(
    'The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone.',
  ),
  subject: optional(OneLine(longestSubject)).describe(
    'The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one.',
  ),
  cc: optional(Copies).describe(
    'E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone.',
  ),
  bcc: optional(Copies).describe(
    'E-mail addresses that get a copy unseen by the others. For e-mail alone.',
  ),
  replyTo: optional(Id).describe(
    'The id of the message in this conversation that it answers; by default the last one received.',
  ),
  files: optional(z.array(z.union([Id, NewFile])).max(mostFiles)).describe(
    'Files to attach: ids of files, or their content. At most 20, with 25 MB in all.',
  ),
  signature: optional(z.boolean()).describe(
    "Whether the member's signature is put below the text and the HTML; by default not.",
  ),
  to: optional(OneLine(320).min(1)).describe(
    'The address of the client to send it to; by default the one from which they wrote the message that it answers.',
  ),
  via: plain.via,
  sendAt: plain.sendAt,
}

/** Refuses what has neither a text nor HTML. */
export function requireWords(
  { text, html }: { text?: string | undefined; html?: string | undefined },
  context: z.RefinementCtx,
) {
  if (text === undefined && html === undefined)
    context.addIssue({
      code: 'custom',
      path: ['text'],
      message: 'is missing',
      params: { code: 'invalid_type' },
    })
}

export const Letter = z
  .strictObject(letterMembers)
  .superRefine(requireWords)
  .meta({ id: 'NewMessage' })
export type LetterGiven = z.output<typeof Letter>
