import { createHash } from 'node:crypto'
import { z } from 'zod'
import { longestWords } from '../../db/campaigns/briefs.ts'
import { plainLine } from '../../rules/text.ts'
import { ApiError } from '../http/errors.ts'

// Shapes that several routes share. Bodies are strict at the top level; inner objects keep what they do not know.
// A sentence stands beside every member, and the reference shows it; those that members share stand here.

/** A sentence and what each value means: a Markdown list, which the tools of OpenAPI show as one. */
export const withValues = (sentence: string, values: Record<string, string>): string =>
  [
    sentence,
    '',
    ...Object.entries(values).map(([value, means]) => `- \`${value}\`: ${means}.`),
  ].join('\n')

const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
/** An instant with its offset. In UTC it must still be of a year of four digits: others are written otherwise. */
export const Timestamp = z
  .string()
  // RFC 3339 allows small letters.
  .overwrite((value) => value.replace(/[tz]/g, (letter) => letter.toUpperCase()))
  .check(
    z.iso.datetime({
      offset: true,
      abort: true,
      error: 'must be a moment with its offset, such as 2026-11-24T09:00:00Z or …+01:00',
    }),
  )
  .refine((value) => Date.parse(value) <= lastInstant, { message: 'must be before the year 10000' })
export const Id = z.string().min(1).max(255)
export const IdParams = z.object({ id: Id })
export const OwnId = z.string().describe('Its id: opaque, and the same for ever.')
export const CreatedAt = z.string().describe('When it was created.')
export const UpdatedAt = z.string().describe('When it was last changed.')
/** What a call answers that deletes something. */
export const Deleted = z.object({
  id: z.string().describe('The id of what was deleted.'),
  deleted: z.literal(true).describe('Always true.'),
})
export const Day = z.iso.date()
export const Zone = z.string().refine(isZone, { message: 'must be an IANA time zone name' })

// A time up to a minute in the past means now: clocks differ, and calls take a moment.
const graceMs = 60_000

/** The instant a `sendAt` or `due` stands for; null for now. @throws ApiError time_in_past. */
export function dueOf(given: string | undefined, now: Date, pointer: string): Date | null {
  if (given === undefined) return null
  const at = new Date(given)
  if (at.getTime() < now.getTime() - graceMs)
    throw new ApiError('time_in_past', `${given} is in the past.`, {
      errors: [{ pointer, code: 'time_in_past', message: 'must not be in the past' }],
    })
  return at
}

function isZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // Offsets such as +02:00 are accepted by Intl; they are not zone names.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** Text of 1 to `max` characters that is more than blanks. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.trim() !== '', {
      message: 'must not be empty',
      params: { code: 'too_small' },
    })
    .meta({ minLength: 1, pattern: '\\S' })

/** Rules, knowledge and the like: what letters are written by. */
export const Words = z.string().max(longestWords)

/** A name and the like: what would break or turn its line is taken for a blank. */
export const Line = z.string().max(200).overwrite(plainLine)

/** null in an optional member means absent. */
export function optional<T extends z.ZodType>(shape: T) {
  return (
    shape
      .nullable()
      .optional()
      .transform((value) => value ?? undefined)
      // So that the page for readers need not say at every member that it takes null.
      .meta({ 'x-null': 'absent' })
  )
}

/** Query parameters of every list. */
export const Paging = z.strictObject({
  cursor: z
    .string()
    .max(4000)
    .optional()
    .describe('The `next` of the previous answer, unchanged. Empty or absent for the first page.'),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, { message: 'must be a whole number from 1 to 200' })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 200, {
      message: 'must be a whole number from 1 to 200',
    })
    .default(50)
    .meta({ type: 'integer', minimum: 1, maximum: 200 })
    .describe('How many entries the answer holds at most.'),
})
/** Only what has changed since, in the order of the changes. */
export const UpdatedSince = Timestamp.describe(
  'Only what has changed since this moment, the earliest change first. To go on later, ask with the `updatedAt` of the last one read; those of that very moment come again.',
)
export const updatedSinceDescription =
  'While others make changes, pages in this order may repeat an item or miss one. With `updatedSince`, items come in the order of their last change (`updatedAt`, then `id`) and none is missed: one that changes while you read comes again on a later page, or the next time you ask.'
export const NoQuery = z.strictObject({})
export const next = z
  .string()
  .nullable()
  .describe('The `cursor` of the next page; null on the last page.')

/** Query parameters of a list that answers all at once: they are taken, as everywhere, and change nothing. */
export const WholeList = z.strictObject({
  cursor: Paging.shape.cursor.describe('Not needed: the first page holds everything.'),
  limit: Paging.shape.limit.describe('Checked and ignored: this list answers everything at once.'),
})
export const NoNext = next.describe('Always null: this list answers everything at once.')

export const Label = z.object({
  id: OwnId,
  name: z.string().describe('Its name.'),
})

export const iso = (at: Date): string => at.toISOString()
export const isoOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** A cursor is the sort key of the last row answered, opaque to clients. */
export const cursorOf = (...key: (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/**
 * The sort key a cursor stands for, one value for each of `kinds`; undefined for the first page (absent or empty cursor).
 * @throws ApiError invalid_cursor when it is not one of ours.
 */
export function readCursor(cursor: string | undefined, ...kinds: ('text' | 'time' | 'number')[]) {
  if (!cursor) return undefined
  const fits = (value: unknown, kind: 'text' | 'time' | 'number') =>
    kind === 'number'
      ? Number.isSafeInteger(value)
      : typeof value === 'string' && !value.includes('\0') && (kind === 'text' || isInstant(value))
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(key) &&
      key.length === kinds.length &&
      kinds.every((kind, i) => fits(key[i], kind))
    )
      return key as [string, ...string[]]
  } catch {}
  throw alienCursor()
}

// As toISOString writes it, in a year that Postgres has too.
const isInstant = (value: string) =>
  /^(?!0000)\d{4}-/.test(value) &&
  z.iso.datetime({ precision: 3 }).safeParse(value).success &&
  !Number.isNaN(Date.parse(value))

const alienCursor = () =>
  new ApiError('invalid_cursor', 'The cursor is not one that this list answered.', {
    errors: [
      {
        parameter: 'cursor',
        code: 'invalid_cursor',
        message: 'must be the next of an earlier answer',
      },
    ],
  })

/** What a list's cursors begin with, so that each list knows its own. */
const markOf = (list: string) => createHash('sha256').update(list).digest('base64url').slice(0, 8)

/** A cursor as clients see it; `list` is the path of the list and what it is of. */
export const sealCursor = (list: string, cursor: string): string => markOf(list) + cursor

/** @throws ApiError invalid_cursor when it is of another list. */
export function unsealCursor(list: string, cursor: string): string {
  const mark = markOf(list)
  if (!cursor.startsWith(mark) || cursor === mark) throw alienCursor()
  return cursor.slice(mark.length)
}

/**
 * Cuts the one row too many off a page that was read with `limit + 1`, and makes the cursor of the next.
 */
export function page<T>(rows: T[], limit: number, key: (row: T) => (string | number)[]) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(...key(last)) : null }
}
