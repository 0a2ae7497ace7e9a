import { z } from 'zod'
import { lockCampaignsOf, moveCampaigns } from '../../../db/campaigns/campaigns.ts'
import { leaveAll } from '../../../db/campaigns/leaving.ts'
import {
  deleteSegment,
  lockSegment,
  takeOverHands,
  updateSegment,
} from '../../../db/segments/segments.ts'
import { hasBegun } from '../../../rules/campaign.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { readSegment, SegmentRead } from '../../shapes/segment.ts'
import { Deleted, Id, IdParams, optional } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

const Edit = z.strictObject({
  saved: optional(z.boolean()).describe('True saves a draft.'),
  refill: optional(z.boolean()).describe('Whether the service adds matching people by itself.'),
  replaces: optional(Id).describe(
    'The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted.',
  ),
})

const inUse = () =>
  new ApiError('segment_in_use', 'A running or paused campaign uses this segment.')

/**
 * Moves all campaigns of the replaced segment to this one, whatever their state, and deletes the replaced segment. The interface
 * leaves open what becomes of people who were added to it or taken out of it by hand: that stays, as with other words.
 */
async function replace(
  { db, workspace, clock, signal }: ChangeContext,
  id: string,
  replaced: string,
) {
  if (replaced === id) throw invalid('/replaces', 'same_segment', 'is this segment itself')
  const old = await lockSegment(db, workspace.id, replaced)
  if (!old) throw invalid('/replaces', 'unknown_id', 'is not a segment of this workspace')
  if (!old.saved)
    throw invalid('/replaces', 'not_saved', 'is a draft; only a saved segment can be replaced')
  const campaigns = await lockCampaignsOf(db, old.id)
  await moveCampaigns(db, old.id, id, clock.now())
  await takeOverHands(db, old.id, id, clock.now())
  await deleteSegment(db, old.id)
  await leaveAll(db, id, clock.now())
  for (const { state, runner } of campaigns)
    if (state === 'running' && runner) await signal(runner, 'changed')
  return campaigns.map((campaign) => campaign.id)
}

export const routes = [
  change({
    method: 'PATCH',
    path: '/segments/{id}',
    summary: 'Edit a segment',
    description: 'Saves a draft, turns refill on or off, or replaces a saved segment with a draft.',
    scopes: ['campaigns:write'],
    action: 'segment.edited',
    params: IdParams,
    body: Edit.refine((body) => !(body.replaces !== undefined && body.saved === false), {
      path: ['saved'],
      message: 'must not be false together with replaces, which saves the segment',
    }),
    example: { saved: true },
    response: SegmentRead,
    errors: ['segment_in_use'],
    async handler({ params, body }, context) {
      const { db, workspace, clock, changed } = context
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      // The interface leaves open whether a saved segment can become a draft again: it can, unless a campaign needs
      // it.
      if (
        body.saved === false &&
        (await lockCampaignsOf(db, segment.id)).some(({ state }) => hasBegun(state))
      )
        throw inUse()
      const saved = body.replaces === undefined ? body.saved : true
      const edit = changesOf(
        { saved: segment.saved, refill: segment.refill },
        {
          ...(saved !== undefined && { saved }),
          ...(body.refill !== undefined && { refill: body.refill }),
        },
      )
      if (edit) await updateSegment(db, segment.id, edit.after, clock.now())
      if (body.replaces !== undefined) {
        const campaigns = await replace(context, segment.id, body.replaces)
        changed(segment.id, edit?.before, { ...edit?.after, replaces: body.replaces, campaigns })
      } else if (edit) changed(segment.id, edit.before, edit.after)
      return readSegment(db, workspace.id, segment.id)
    },
  }),

  change({
    method: 'DELETE',
    path: '/segments/{id}',
    summary: 'Delete a segment',
    description: 'Its people stay in the contacts.',
    scopes: ['campaigns:write'],
    action: 'segment.deleted',
    params: IdParams,
    response: Deleted,
    errors: ['segment_in_use'],
    async handler({ params }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const campaigns = await lockCampaignsOf(db, segment.id)
      if (campaigns.some(({ state }) => hasBegun(state))) throw inUse()
      await moveCampaigns(db, segment.id, null, clock.now())
      await deleteSegment(db, segment.id)
      const { name, query, saved } = segment
      changed(segment.id, { name, query, saved })
      return { id: segment.id, deleted: true as const }
    },
  }),
]
