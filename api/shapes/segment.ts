import { z } from 'zod'
import { listCampaignsOf } from '../../db/campaigns/campaigns.ts'
import type { Db } from '../../db/database.ts'
import { findSegment, presentSegment } from '../../db/segments/segments.ts'
import { found } from '../http/errors.ts'
import { CreatedAt, OwnId, UpdatedAt, withValues } from './shapes.ts'

export const Segment = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; the query unless another was given.'),
    query: z.string().describe('Who belongs to it, in words.'),
    rules: z
      .array(
        z.looseObject({
          kind: z.string().describe(
            withValues('What the rule does.', {
              only: 'only people of whom its text is true',
              except: 'nobody of whom its text is true',
            }),
          ),
          text: z.string().describe('What the rule is about, in words.'),
        }),
      )
      .describe('What narrows the words.'),
    refill: z.boolean().describe('Whether the service adds people who fit by itself.'),
    saved: z.boolean().describe('Whether it was saved; false for a draft.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    members: z.number().describe('How many people belong to it.'),
  })
  .meta({ id: 'Segment' })

export const SegmentRead = Segment.extend({
  campaigns: z
    .array(
      z.object({
        id: OwnId,
        name: z.string().describe('The name of the campaign.'),
        state: z.string().describe('The state of the campaign, such as `running`.'),
      }),
    )
    .describe('The campaigns that write to it.'),
}).meta({ id: 'SegmentRead' })

/** A segment as its single read shows it; `db` may be a transaction. @throws ApiError not_found. */
export async function readSegment(db: Db, workspace: string, id: string) {
  const segment = found(await findSegment(db, workspace, id), 'segment')
  return { ...presentSegment(segment), campaigns: await listCampaignsOf(db, segment.id) }
}
