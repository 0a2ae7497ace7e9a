import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { findSegment, listCampaignsOf, presentSegment } from '../db/segments.ts'
import { found } from './errors.ts'

export const Segment = z
  .object({
    id: z.string(),
    name: z.string(),
    query: z.string(),
    rules: z.array(z.looseObject({ kind: z.string(), text: z.string() })),
    refill: z.boolean(),
    saved: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    members: z.number(),
  })
  .meta({ id: 'Segment' })

export const SegmentRead = Segment.extend({
  campaigns: z.array(z.object({ id: z.string(), name: z.string(), state: z.string() })),
}).meta({ id: 'SegmentRead' })

/** A segment as its single read shows it; `db` may be a transaction. @throws ApiError not_found. */
export async function readSegment(db: Db, workspace: string, id: string) {
  const segment = found(await findSegment(db, workspace, id), 'segment')
  return { ...presentSegment(segment), campaigns: await listCampaignsOf(db, segment.id) }
}
