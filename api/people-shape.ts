import { z } from 'zod'

export const Side = z.enum(['buyer', 'seller'])

/** A side as a client may write it, turned into the one it means; the reduced deployment takes `Side` alone. */
export const SideGiven = z
  .enum(['buyer', 'seller', 'client', 'partner'])
  .transform(
    (side): z.output<typeof Side> =>
      side === 'client' ? 'buyer' : side === 'partner' ? 'seller' : side,
  )

/** A person in every answer that shows one; `presentPeople` of db/people.ts makes it. */
export const PersonShape = z
  .object({
    id: z.string(),
    name: z.string(),
    city: z.string(),
    jobTitle: z.string(),
    company: z.string(),
    email: z.string(),
    phone: z.string(),
    linkedin: z.string(),
    emails: z.array(z.string()),
    phones: z.array(z.string()),
    tags: z.array(z.object({ label: z.string(), side: Side })),
    removedTags: z.array(z.object({ label: z.string(), side: Side, removedAt: z.string() })),
    createdAt: z.string(),
    updatedAt: z.string(),
    /** What holds the letters of campaigns to them; `until` is null where that has no end. */
    held: z.object({ until: z.string().nullable(), why: z.string() }).nullable(),
  })
  .meta({ id: 'Person' })

export const ReducedPerson = PersonShape.omit({ held: true }).meta({ id: 'Person' })
