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

// A pattern over megabytes takes tens of milliseconds, and these take few.
const withoutBlanks = (text: string) => {
  const joined = text.replaceAll('\n', '').replaceAll('\r', '')
  return joined.includes(' ') || joined.includes('\t') ? joined.replace(/\s+/g, '') : joined
}

/** The bytes of a text without blanks; undefined if it is not base64. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, so the result is then shorter. It also accepts the alphabet for URLs
  // (RFC 4648, section 5).
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  const whole = length % 4 !== 1 && bytes.length === Math.floor((length * 3) / 4)
  return whole && !text.includes('-') && !text.includes('_') ? bytes : undefined
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"
const mediaType = new RegExp(
  `^(?!multipart/)${token}/${token}(?:; ?${token}="?${token}"?){0,5}$`,
  'i',
)

/** A file that comes with a call. */
export const NewFile = z.strictObject({
  name: OneLine(255)
    .min(1)
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
