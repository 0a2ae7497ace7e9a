import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { holdIn } from '../../db/people/holds.ts'
import { findAddressesAndTags, type PersonRow } from '../../db/people/people.ts'
import type { AddressKind } from '../../rules/addresses.ts'
import {
  fieldNameForm,
  fieldNamePattern,
  isFieldName,
  largestNumber,
  longestFieldValue,
  mostFields,
  type OwnFields,
} from '../../rules/own-fields.ts'
import { sideMeant, sidesGiven } from '../../rules/sides.ts'
import { invalid } from '../http/errors.ts'
import { CreatedAt, iso, isoOrNull, OwnId, text, UpdatedAt, withValues } from './shapes.ts'

export const Side = z.enum(['buyer', 'seller'])

/** A side as a client may write it, turned into the one it means; the reduced deployment takes `Side` alone. */
export const SideGiven = z
  .enum(sidesGiven)
  .transform((side) => sideMeant(side))
  .meta({ enum: Side.options })

export const ExternalId = text(255)

const nameRule = `must be a name of ${fieldNameForm}`
export const FieldName = z
  .string()
  .refine(isFieldName, { message: nameRule })
  .meta({ pattern: fieldNamePattern() })

/** The parser of JSON has changed a larger one already. */
const NumberGiven = z
  .number()
  .refine((number) => Math.abs(number) <= largestNumber, {
    message: 'is a number too large to be kept exactly; give it as a string',
    params: { code: 'too_big' },
  })
  .meta({ minimum: -largestNumber, maximum: largestNumber })

/** Fields as they are given. */
export const FieldsGiven = z
  .preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null) return given
      // The record would leave it out without a word.
      if (Object.hasOwn(given, '__proto__'))
        context.addIssue({
          code: 'custom',
          path: ['__proto__'],
          message: 'is a name that no field can have',
          params: { code: 'invalid_key' },
        })
      return Array.isArray(given) ? given : withinRange(given)
    },
    z.record(
      FieldName,
      z.union([z.string().max(longestFieldValue), NumberGiven, z.boolean()]).nullable(),
    ),
  )
  .refine((given) => Object.keys(given).length <= mostFields, {
    message: `must have at most ${mostFields} members`,
    params: { code: 'too_big' },
  })

/** 1e400 arrives as Infinity, which is no number to a shape: the largest number is refused for the same reason. */
function withinRange(given: object): object {
  const ends = new Map<unknown, number>([
    [Number.POSITIVE_INFINITY, Number.MAX_VALUE],
    [Number.NEGATIVE_INFINITY, -Number.MAX_VALUE],
  ])
  const members = Object.entries(given)
  if (!members.some(([, value]) => ends.has(value))) return given
  return Object.fromEntries(members.map(([name, value]) => [name, ends.get(value) ?? value]))
}

/** @throws ApiError 422 if these would be too many for one person. */
export function checkedFields(fields: OwnFields): OwnFields {
  if (Object.keys(fields).length <= mostFields) return fields
  throw invalid('/fields', 'too_big', `A person has at most ${mostFields} fields.`)
}

/** A person in every answer that shows one. */
export const PersonShape = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; empty if unknown.'),
    city: z.string().describe('The city they live or work in.'),
    jobTitle: z.string().describe('What they do at their company.'),
    company: z.string().describe('The company they work for, as text.'),
    email: z
      .string()
      .describe('The first of `emails`, to which letters are sent; empty if there is none.'),
    phone: z.string().describe('The first of `phones`; empty if there is none.'),
    linkedin: z
      .string()
      .describe('The address of their profile in a professional network; empty if there is none.'),
    emails: z
      .array(z.string())
      .describe('All e-mail addresses; letters are sent to the first one.'),
    phones: z.array(z.string()).describe('All phone numbers, in E.164 format where possible.'),
    tags: z
      .array(
        z
          .object({
            label: z.string().describe('The id of the product.'),
            side: Side.describe(
              withValues('Their side of the product.', {
                buyer: 'they buy it, as a client',
                seller: 'they sell it, as a partner',
              }),
            ),
          })
          .meta({ id: 'PersonTag' }),
      )
      .describe('The products they are currently tagged with.'),
    removedTags: z
      .array(
        z
          .object({
            label: z.string().describe('The id of the product.'),
            side: Side.describe(
              withValues('Their former side of the product.', {
                buyer: 'they bought it, as a client',
                seller: 'they sold it, as a partner',
              }),
            ),
            removedAt: z.string().describe('When the tag was removed.'),
          })
          .meta({ id: 'RemovedTag' }),
      )
      .describe('Tags that were removed; they stay on record.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    held: z
      .object({
        until: z
          .string()
          .nullable()
          .describe('When the hold ends by itself; null if somebody must release it.'),
        why: z.string().describe('Why they are held.'),
      })
      .meta({ id: 'Hold' })
      .nullable()
      .describe('The hold on the letters of all campaigns to them; null if there is none.'),
    externalId: z
      .string()
      .nullable()
      .describe('The id that your own system gave them; null if there is none.'),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Fields of your own: text, numbers, true or false, by name.'),
    suppressed: z
      .array(
        z
          .object({
            address: z.string().describe('One of their addresses.'),
            reason: z.enum(['unsubscribe', 'bounce', 'complaint', 'operator']).describe(
              withValues('Why it must not be written to.', {
                unsubscribe: 'they have unsubscribed; campaigns do not write to them',
                bounce: 'mail to it came back for good',
                complaint: 'they have complained',
                operator: 'an operator or a client has said so',
              }),
            ),
          })
          .meta({ id: 'SuppressedAddress' }),
      )
      .describe('Those of their addresses that must not be written to; see `GET /suppressions`.'),
    mergedInto: z
      .string()
      .optional()
      .describe(
        'The id of this card, where a card that has become part of it was asked for; otherwise absent.',
      ),
  })
  .meta({ id: 'Person' })

export const ReducedPerson = PersonShape.omit({
  held: true,
  externalId: true,
  fields: true,
  suppressed: true,
  mergedInto: true,
}).meta({ id: 'Person' })

type PersonRead = z.input<typeof PersonShape>

/** People as they are answered, in the order of the rows. */
export async function presentPeople(db: Db, rows: PersonRow[], now: Date): Promise<PersonRead[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const { addressesOf, tagsOf } = await findAddressesAndTags(db, ids)
  return rows.map((row) => {
    const addresses = addressesOf.get(row.id) ?? []
    const tags = tagsOf.get(row.id) ?? []
    const of = (wanted: AddressKind) =>
      addresses.flatMap(({ kind, given }) => (kind === wanted ? [given] : []))
    const emails = of('email')
    const phones = of('phone')
    const hold = holdIn(row, now)
    return {
      id: row.id,
      name: row.name,
      city: row.city,
      jobTitle: row.jobTitle,
      company: row.company,
      email: emails[0] ?? '',
      phone: phones[0] ?? '',
      linkedin: of('linkedin')[0] ?? '',
      emails,
      phones,
      tags: tags.flatMap(({ label, side, removedAt }) => (removedAt ? [] : [{ label, side }])),
      removedTags: tags.flatMap(({ label, side, removedAt }) =>
        removedAt ? [{ label, side, removedAt: iso(removedAt) }] : [],
      ),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
      held: hold ? { until: isoOrNull(hold.until), why: hold.why } : null,
      externalId: row.externalId,
      fields: row.fields,
      suppressed: addresses.flatMap(({ given: address, suppressed }) =>
        (suppressed ?? []).map((reason) => ({ address, reason })),
      ),
    }
  })
}

export const presentPerson = async (db: Db, row: PersonRow, now: Date): Promise<PersonRead> =>
  (await presentPeople(db, [row], now))[0]!
