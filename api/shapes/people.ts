import { z } from 'zod'
import { sideMeant, sidesGiven } from '../../rules/sides.ts'
import { CreatedAt, OwnId, UpdatedAt, withValues } from './shapes.ts'

export const Side = z.enum(['buyer', 'seller'])

/** A side as a client may write it, turned into the one it means; the reduced deployment takes `Side` alone. */
export const SideGiven = z.enum(sidesGiven).transform((side) => sideMeant(side))

/** A person in every answer that shows one; `presentPeople` of db/people/people.ts makes it. */
export const PersonShape = z
  .object({
    id: OwnId,
    name: z.string().describe('The name, empty while it is not known.'),
    city: z.string().describe('The city they live or work in.'),
    jobTitle: z.string().describe('What they do at their company.'),
    company: z.string().describe('The company they work for, as text.'),
    email: z
      .string()
      .describe('The first of `emails`, which letters go to; empty where there is none.'),
    phone: z.string().describe('The first of `phones`; empty where there is none.'),
    linkedin: z
      .string()
      .describe(
        'The address of their profile in a professional network; empty where there is none.',
      ),
    emails: z
      .array(z.string())
      .describe('All e-mail addresses; the first is the one that is written to.'),
    phones: z.array(z.string()).describe('All phone numbers, as E.164 where they can be read so.'),
    tags: z
      .array(
        z.object({
          label: z.string().describe('The id of the product.'),
          side: Side.describe(
            withValues('On which side of the product they are.', {
              buyer: 'they buy it, as a client',
              seller: 'they sell it, as a partner',
            }),
          ),
        }),
      )
      .describe('The products they are tagged with now.'),
    removedTags: z
      .array(
        z.object({
          label: z.string().describe('The id of the product.'),
          side: Side.describe(
            withValues('On which side they were.', {
              buyer: 'they bought it, as a client',
              seller: 'they sold it, as a partner',
            }),
          ),
          removedAt: z.string().describe('When the tag was taken off.'),
        }),
      )
      .describe('Tags that were taken off; they stay on record.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    held: z
      .object({
        until: z
          .string()
          .nullable()
          .describe('When the hold ends by itself; null where somebody must release it.'),
        why: z.string().describe('Why they are held.'),
      })
      .nullable()
      .describe('What holds the letters of all campaigns to them; null where nothing does.'),
  })
  .meta({ id: 'Person' })

export const ReducedPerson = PersonShape.omit({ held: true }).meta({ id: 'Person' })
