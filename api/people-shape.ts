import { z } from 'zod'

const Side = z.enum(['buyer', 'seller'])

/** A person in every answer that shows one; `presentPeople` of db/people.ts makes it. */
export const PersonShape = z.object({
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
}).meta({ id: 'Person' })
