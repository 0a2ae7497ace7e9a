import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import { touchKind } from '../../../db/campaigns/touch-life.ts'
import { findTouch, findTouchOf } from '../../../db/campaigns/touches.ts'
import { resolveLetter } from '../../../db/outgoing/resolve.ts'
import { found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { notUnconfirmed, Resolution, whenUnconfirmed } from '../../shapes/resolution.ts'
import { Id, IdParams } from '../../shapes/shapes.ts'
import { presentTouch, Touch } from '../../shapes/touch.ts'

export const routes = [
  change({
    method: 'POST',
    path: '/campaigns/{id}/touches/{touch}/resolve',
    summary: 'Mark an unconfirmed touch as sent, or send it again',
    description: `${whenUnconfirmed} A letter of a campaign that is done is not sent again: it fails with the reason \`done\`.`,
    scopes: ['send', 'campaigns:write'],
    action: 'touch.resolved',
    params: IdParams.extend({ touch: Id.describe('The id of the touch.') }),
    body: Resolution,
    example: { outcome: 'again' },
    response: Touch,
    errors: ['invalid_state'],
    async handler({ params, body: { outcome } }, context) {
      const { db, workspace, clock, deployment } = context
      const campaign = found(await findCampaign(db, workspace.id, params.id), 'campaign')
      const { id } = found(await findTouchOf(db, campaign.id, params.touch), 'touch')
      const read = found(await findTouch(db, id), 'touch')
      const now = clock.now()
      // The runner and the letter's own workflow are told with it. A workflow that does not exist yet finds nothing to do.
      const isResolved = await resolveLetter(db, touchKind, read, outcome, now)
      const touch = found(await findTouchOf(db, campaign.id, id), 'touch')
      if (!isResolved) throw notUnconfirmed('touch', touch)
      context.changed(id, undefined, { outcome })
      return presentTouch(touch, deployment, now)
    },
  }),
]
