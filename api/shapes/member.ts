import { z } from 'zod'
import { OwnId } from './shapes.ts'

/** A member, as whoever reads or administers the workspace sees them. */
export const MemberCard = z.object({
  id: OwnId,
  name: z.string().describe('The name of the member.'),
  email: z.string().describe('Their e-mail address.'),
  jobTitle: z.string().describe('What they do in the company.'),
  zone: z.string().describe('What they handle, in words.'),
  signature: z.string().describe('How they sign letters.'),
})
