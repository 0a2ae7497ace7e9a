import { z } from 'zod'
import { ApiError } from '../http/errors.ts'
import { OneLine, OwnId } from './shapes.ts'

/** What the files of a call may have in all, before base64 makes them a third longer. */
export const largestFiles = 25 * 1024 * 1024
/** The body of such a call: base64 in lines of 76 characters, and HTML of 1 MiB with much that JSON has to escape. */
export const filesBodyLimit = 38 * 1024 * 1024

/** Bytes in base64, with or without line breaks. */
export const Base64 = z.string().transform((content, context) => {
  const bytes = fromBase64(content) ?? fromBase64(withoutBlanks(content))
  if (bytes) return bytes
  context.addIssue({ code: 'custom', message: 'must be base64' })
  return z.NEVER
})

// Joining megabytes takes half a second, and patterns take longer: this is for texts that have other blanks than line breaks.
const withoutBlanks = (text: string) => {
  const joined = text.replaceAll('\n', '').replaceAll('\r', '')
  return joined.includes(' ') || joined.includes('\t') ? joined.replace(/\s+/g, '') : joined
}

/** The bytes of a text whose only blanks are line breaks; undefined if it is not base64. */
function fromBase64(given: string): Buffer | undefined {
  const text = withoutLastBreaks(given)
  const bytes = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, so the result is then shorter. It also accepts the alphabet for URLs
  // (RFC 4648, section 5).
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding - breaksIn(text)
  const isPadded = padding === 0 || (length + padding) % 4 === 0
  const whole = isPadded && length % 4 !== 1 && bytes.length === Math.floor((length * 3) / 4)
  return whole && !text.includes('-') && !text.includes('_') ? bytes : undefined
}

const [lineFeed, carriageReturn] = [10, 13]

function withoutLastBreaks(text: string): string {
  let end = text.length
  while ([lineFeed, carriageReturn].includes(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** How many characters of a text are line breaks, of one or of two. */
function breaksIn(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    breaks += text.charCodeAt(at - 1) === carriageReturn ? 2 : 1
  return breaks
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"
const mediaType = new RegExp(
  `^(?!multipart/)${token}/${token}(?:; ?${token}="?${token}"?){0,5}$`,
  'i',
)

/** A file that comes with a call. */
export const NewFile = z.strictObject({
  name: OneLine(255)
    .refine((name) => name.trim() !== '', {
      message: 'must not be empty',
      params: { code: 'too_small' },
    })
    .meta({ pattern: '\\S' })
    .describe('The name of the file, in one line.'),
  type: z
    .string()
    .max(255)
    .regex(mediaType, { error: 'must be a media type, such as application/pdf' })
    .describe('The media type, such as `application/pdf`.'),
  content: Base64.describe('The content in base64.'),
})

export const tooManyBytes = (pointer: string) =>
  new ApiError('file_too_large', `Files may have ${largestFiles} bytes in all.`, {
    errors: [
      {
        pointer,
        code: 'file_too_large',
        message: `must have at most ${largestFiles} bytes in all`,
      },
    ],
  })

export const ReducedFile = z.object({
  id: OwnId,
  name: z.string().describe('The name of the file, as its sender gave it.'),
  type: z.string().describe('The media type, as its sender gave it.'),
  size: z.number().describe('The size in bytes.'),
})

export const File = ReducedFile.extend({
  cid: z
    .string()
    .nullable()
    .describe('The name by which the HTML of the message refers to it (`cid:`); null otherwise.'),
})
