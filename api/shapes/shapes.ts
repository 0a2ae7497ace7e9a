import { createHash } from 'node:crypto'
import { z } from 'zod'
import { longestWords } from '../../db/campaigns/briefs.ts'
import { iso } from '../../rules/iso.ts'
import { isVisible, plainLine } from '../../rules/text.ts'
import { ApiError } from '../http/errors.ts'

export { iso } from '../../rules/iso.ts'

// Shapes that several routes share. Bodies are strict at the top level; inner objects keep unknown members. Every
// member has its sentence beside it, which the reference shows; the sentences of shared members are here.

/** A sentence and the meaning of each value, as a Markdown list, which OpenAPI tools render as a list. */
export const withValues = (sentence: string, values: Record<string, string>): string =>
  [
    sentence,
    '',
    ...Object.entries(values).map(([value, means]) => `- \`${value}\`: ${means}.`),
  ].join('\n')

const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
// RFC 3339 allows lower-case letters.
const inCapitals = (value: string) => value.replace(/[tz]/g, (letter) => letter.toUpperCase())
const timestamp = (asWritten: (value: string) => string) =>
  z
    .string()
    .overwrite(asWritten)
    .check(
      z.iso.datetime({
        offset: true,
        abort: true,
        error: 'must be a timestamp with an offset, such as 2026-11-24T09:00:00Z or …+01:00',
      }),
    )
    .refine((value) => Date.parse(value) <= lastInstant, {
      message: 'must be before the year 10000',
    })
/** An instant with its offset. Its year must have four digits in UTC too, since other years are written differently. */
export const Timestamp = timestamp(inCapitals)
/** The same in a query, where a plus that its caller has not encoded arrives as a blank. */
export const QueryTimestamp = timestamp((value) =>
  inCapitals(value.replace(/ (?=\d\d:\d\d$)/, '+')),
)
export const Id = z.string().min(1).max(255)
export const IdParams = z.object({ id: Id })
export const OwnId = z.string().describe('The id: opaque, and never changed.')
export const CreatedAt = z.string().describe('When it was created.')
export const UpdatedAt = z.string().describe('When it was last changed.')
/** The answer of a call that deletes something. */
export const Deleted = z
  .object({
    id: z.string().describe('The id of the deleted resource.'),
    deleted: z.literal(true).describe('Always true.'),
  })
  .meta({ id: 'Deleted' })
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
    // Intl also accepts offsets such as +02:00, which are not the names of zones.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** Text of 1 to `max` characters that are not all blank. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isVisible, {
      message: 'must not be empty',
      params: { code: 'too_small' },
    })
    .meta({ minLength: 1, pattern: '\\S' })

/** Rules, knowledge and similar texts that guide the writing of letters. */
export const Words = z.string().max(longestWords)

/** A name or similar: characters that would break the line or change its direction become blanks. */
export const Line = z.string().max(200).overwrite(plainLine)

const moves = /[\p{Cc}\u2028\u2029]/u
/** Text for the head of a mail: a line break would begin another line of it. */
export const OneLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !moves.test(value), {
      message: 'must not have line breaks or control characters',
      params: { code: 'control_character' },
    })

/** null in an optional member means absent. */
export function optional<T extends z.ZodType>(shape: T) {
  return (
    shape
      .nullable()
      .optional()
      .transform((value) => value ?? undefined)
      // So the reference for readers need not repeat at every member that null is accepted.
      .meta({ 'x-null': 'absent' })
  )
}

/** An application that calls, by its token. */
export const Application = z
  .object({
    id: z.string().describe('The id of the application.'),
    name: z.string().describe('The name of the application.'),
  })
  .meta({ id: 'Application' })

/** Query parameters of every list. */
export const Paging = z.strictObject({
  cursor: z
    .string()
    .max(4000)
    .optional()
    .describe(
      'The `next` of the previous answer, unchanged. Leave it out or empty for the first page.',
    ),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, { message: 'must be a whole number from 1 to 200' })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 200, {
      message: 'must be a whole number from 1 to 200',
    })
    .default(50)
    .meta({ type: 'integer', minimum: 1, maximum: 200 })
    .describe('The most entries that the answer may hold.'),
})
const mostWaitS = 25
const waitRule = `must be a whole number from 0 to ${mostWaitS}`
/** For how many seconds a read waits. Its call holds no database connection meanwhile. */
export const WaitSeconds = z
  .string()
  .regex(/^\d{1,2}$/, { message: waitRule })
  .transform(Number)
  .refine((seconds) => seconds <= mostWaitS, { message: waitRule })
  .default(0)
  .meta({ type: 'integer', minimum: 0, maximum: mostWaitS })

/** Only what has changed since, in the order of the changes. */
export const UpdatedSince = QueryTimestamp.describe(
  'Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated.',
)
export const updatedSinceDescription =
  'While others make changes, pages in this order may repeat or miss an item. With `updatedSince`, items are listed in the order of their last change (`updatedAt`, then `id`) and none is missed: an item that changes while you read appears again on a later page, or the next time you ask.'
export const NoQuery = z.strictObject({})
export const next = z
  .string()
  .nullable()
  .describe('The `cursor` of the next page; null on the last page.')

/** Query parameters of a list that answers everything at once: they are accepted, as in every list, and have no effect. */
export const WholeList = z.strictObject({
  cursor: Paging.shape.cursor.describe('Not needed: the first page has everything.'),
  limit: Paging.shape.limit.describe(
    'Checked, but without effect: this list answers everything at once.',
  ),
})
export const NoNext = next.describe('Always null: this list answers everything at once.')

export const Label = z
  .object({
    id: OwnId,
    name: z.string().describe('The name.'),
  })
  .meta({ id: 'Label' })

export const isoOrNull = (at: Date | null | undefined): string | null => (at ? iso(at) : null)

/** A cursor is the sort key of the last row in the answer, opaque to clients. */
export const cursorOf = (...key: (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/** What the parts of a sort key are, by their kinds; a time is an instant as text. */
type KeyParts = { text: string; time: string; number: number }

/**
 * The sort key in a cursor, one value for each of `kinds`; undefined for the first page (absent or empty cursor).
 * @throws ApiError invalid_cursor when the cursor is not one of ours.
 */
export function readCursor<K extends (keyof KeyParts)[]>(
  cursor: string | undefined,
  ...kinds: K
): { [I in keyof K]: KeyParts[K[I]] } | undefined {
  if (!cursor) return undefined
  const fits = (value: unknown, kind: keyof KeyParts) =>
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
      return key as { [I in keyof K]: KeyParts[K[I]] }
  } catch {}
  throw alienCursor()
}

// As toISOString writes it, with a year that Postgres accepts too.
const isInstant = (value: string) =>
  /^(?!0000)\d{4}-/.test(value) &&
  z.iso.datetime({ precision: 3 }).safeParse(value).success &&
  !Number.isNaN(Date.parse(value))

export const alienCursor = () =>
  new ApiError('invalid_cursor', 'The cursor is not from an answer of this list.', {
    errors: [
      {
        parameter: 'cursor',
        code: 'invalid_cursor',
        message: 'must be the next of an earlier answer',
      },
    ],
  })

/** The first part of a list's cursors, by which each list recognises its own. */
const markOf = (list: string) => createHash('sha256').update(list).digest('base64url').slice(0, 8)

/** A cursor as clients see it; `list` is the path of the list with what it lists. */
export const sealCursor = (list: string, cursor: string): string => markOf(list) + cursor

/** @throws ApiError invalid_cursor when the cursor belongs to another list. */
export function unsealCursor(list: string, cursor: string): string {
  const mark = markOf(list)
  if (!cursor.startsWith(mark) || cursor === mark) throw alienCursor()
  return cursor.slice(mark.length)
}

/** Cuts the surplus row off a page that was read with `limit + 1`, and makes the cursor of the next page. */
export function page<T>(rows: T[], limit: number, key: (row: T) => (string | number)[]) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(...key(last)) : null }
}

/** What is wrong with one item of a call that takes many: like the `errors` of a refusal, with pointers relative to the item. */
export const ItemProblem = z
  .object({
    pointer: z
      .string()
      .optional()
      .describe(
        'The JSON pointer of the wrong member, relative to the item; absent if it is none.',
      ),
    code: z.string().describe('What is wrong, for a program.'),
    message: z.string().describe('What is wrong, in words.'),
  })
  .meta({ id: 'ItemProblem' })

/** Why something waits for the end of a hold. */
export const HoldReason = z
  .object({ why: z.string().describe('The reason of the hold.') })
  .meta({ id: 'HoldReason' })

export const modeWords = withValues('Whether what the workspace sends leaves. It never changes.', {
  live: 'letters go to the mail servers of its accounts',
  sandbox:
    'its mail server is played: nothing leaves, and answers come from recipients by their names',
})
