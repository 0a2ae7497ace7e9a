import { z } from 'zod'
import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import { findTouchOf, listTouches } from '../../../db/campaigns/touches.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import {
  Id,
  IdParams,
  iso,
  next,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'
import { presentTouch, Touch, touchStates } from '../../shapes/touch.ts'

export const routes = [
  read({
    path: '/campaigns/{id}/touches',
    summary: 'List the touches of a campaign',
    description:
      'A touch is one letter to one person: this is the queue and the log of the campaign.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging.extend({
      state: z
        .enum(['queued', 'sending', 'sent', 'failed', 'review'])
        .optional()
        .describe(withValues('Only touches in this state.', touchStates)),
    }),
    response: z.object({
      touches: z.array(Touch).describe('The touches, in order of the time they are due.'),
      next,
    }),
    async handler({ params, query }, { db, workspace, deployment, clock }) {
      const row = found(await findCampaign(db, workspace.id, params.id), 'campaign')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listTouches(db, row.id, query.state, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (touch) => [iso(touch.dueAt), touch.id])
      const now = clock.now()
      return { touches: items.map((touch) => presentTouch(touch, deployment, now)), next }
    },
  }),

  read({
    path: '/campaigns/{id}/touches/{touch}',
    summary: 'Read a touch of a campaign',
    description: 'One letter to one person, as the list shows it.',
    scopes: ['inbox:read'],
    params: IdParams.extend({ touch: Id.describe('The id of the touch.') }),
    response: Touch,
    async handler({ params }, { db, workspace, deployment, clock }) {
      const campaign = found(await findCampaign(db, workspace.id, params.id), 'campaign')
      const touch = found(await findTouchOf(db, campaign.id, params.touch), 'touch')
      return presentTouch(touch, deployment, clock.now())
    },
  }),
]
