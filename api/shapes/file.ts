import { z } from 'zod'
import type { MemberPath } from '../http/base64.ts'
import { ApiError } from '../http/errors.ts'
import { OneLine, OwnId } from './shapes.ts'

/** What the files of a call may have in all, before base64 makes them a third longer. */
export const largestFiles = 25 * 1024 * 1024
/** The body of such a call: base64 in lines of 76 characters, and HTML of 1 MiB with much that JSON has to escape. */
export const filesBodyLimit = 38 * 1024 * 1024

const decoded = z.transform((value: unknown, context): Buffer => {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  context.issues.push(
    typeof value === 'string'
      ? { code: 'custom', message: 'must be base64', input: value }
      : { code: 'invalid_type', expected: 'string', input: value },
  )
  return z.NEVER
})

/** A text in base64: bytes, once the body has been parsed (http/base64.ts). A text that is still one is not base64. */
export const Base64 = z.unknown().pipe(decoded).meta({ type: 'string' })

const known = new WeakMap<z.ZodType, MemberPath[]>()

/** Where a body has bytes in base64. */
export function base64In(body: z.ZodType | undefined): MemberPath[] {
  if (!body) return []
  const places = known.get(body) ?? placesIn(body)
  known.set(body, places)
  return places
}

function placesIn(shape: z.core.$ZodType): MemberPath[] {
  if (shape instanceof z.ZodPipe) return shape.def.out === decoded ? [[]] : placesIn(shape.def.in)
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.def.shape).flatMap(([name, member]) =>
      placesIn(member as z.ZodType).map((place) => [name, ...place]),
    )
  if (shape instanceof z.ZodArray)
    return placesIn(shape.def.element).map((place) => ['*', ...place])
  if (shape instanceof z.ZodUnion) return shape.def.options.flatMap(placesIn)
  if (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodDefault
  )
    return placesIn(shape.def.innerType)
  return []
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"
const mediaType = new RegExp(
  `^(?!multipart/)${token}/${token}(?:; ?${token}="?${token}"?){0,5}$`,
  'i',
)

/** A file that comes with a call. */
export const NewFile = z
  .strictObject({
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
  .meta({ id: 'NewFile' })

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

export const ReducedFile = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the file, as its sender gave it.'),
    type: z.string().describe('The media type, as its sender gave it.'),
    size: z.number().describe('The size in bytes.'),
  })
  .meta({ id: 'UploadedFile' })

export const File = ReducedFile.extend({
  cid: z
    .string()
    .nullable()
    .describe('The name by which the HTML of the message refers to it (`cid:`); null otherwise.'),
}).meta({ id: 'Attachment' })
