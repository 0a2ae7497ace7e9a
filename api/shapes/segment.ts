import { z } from 'zod'
import { listCampaignsOf } from '../../db/campaigns/campaigns.ts'
import type { Db } from '../../db/database.ts'
import { findHint } from '../../db/segments/hint.ts'
import { findSegment, presentSegment } from '../../db/segments/segments.ts'
import { found } from '../http/errors.ts'
import { Campaign } from './campaign.ts'
import { CreatedAt, OwnId, UpdatedAt, withValues } from './shapes.ts'

export const Segment = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; by default the query.'),
    query: z.string().describe('Who belongs to it, in words.'),
    rules: z
      .array(
        z.looseObject({
          kind: z.enum(['only', 'except']).describe(
            withValues('Whether the rule includes or excludes people.', {
              only: 'only people to whom its text applies',
              except: 'nobody to whom its text applies',
            }),
          ),
          text: z.string().describe('The rule, in words.'),
        }),
      )
      .describe('Rules that narrow the query.'),
    refill: z.boolean().describe('Whether the service adds matching people by itself.'),
    saved: z.boolean().describe('Whether it is saved; false for a draft.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    members: z.number().describe('The number of people in it.'),
  })
  .meta({ id: 'Segment' })

export const Hint = z
  .string()
  .optional()
  .describe(
    'Why nobody was found, and what can be done, in words; absent if somebody belongs to it.',
  )

export const SegmentRead = Segment.extend({
  campaigns: z
    .array(
      z.object({
        id: OwnId,
        name: z.string().describe('The name of the campaign.'),
        state: Campaign.shape.state,
      }),
    )
    .describe('The campaigns that write to it.'),
  hint: Hint,
}).meta({ id: 'SegmentRead' })

/** A segment as its single read shows it; `db` may be a transaction. @throws ApiError not_found. */
export async function readSegment(db: Db, workspace: string, id: string) {
  const segment = found(await findSegment(db, workspace, id), 'segment')
  const hint = await findHint(db, segment)
  const campaigns = await listCampaignsOf(db, segment.id)
  return { ...presentSegment(segment), campaigns, ...(hint !== undefined && { hint }) }
}
