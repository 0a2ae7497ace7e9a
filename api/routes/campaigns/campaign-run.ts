import { z } from 'zod'
import { type CampaignRow, lockCampaign, moveCampaign } from '../../../db/campaigns/campaigns.ts'
import { planFirstLetters } from '../../../db/campaigns/planning.ts'
import { countInFlight, endBatch, planBatch } from '../../../db/campaigns/touches.ts'
import { saveSegment } from '../../../db/segments/segments.ts'
import { moves } from '../../../rules/campaign.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change, type Scope } from '../../route.ts'
import { answerCampaign, CampaignAnswer, wrongState } from '../../shapes/campaign.ts'
import { IdParams, withValues } from '../../shapes/shapes.ts'

// A body that might be a start needs the scopes of a start.
const scopesOfMove = (body: unknown): Scope[] => {
  const to = typeof body === 'object' && body !== null && 'to' in body ? body.to : undefined
  return to === 'paused' || to === 'done' ? ['campaigns:write'] : ['send', 'campaigns:write']
}

function requireComplete(row: CampaignRow) {
  const lacking = (['segment', 'agent'] as const).filter((member) => row[member] === null)
  if (lacking.length === 0) return
  throw new ApiError(
    'campaign_incomplete',
    `A campaign can start only with ${lacking.join(' and ')}.`,
    {
      errors: lacking.map((member) => ({
        pointer: `/${member}`,
        code: 'missing',
        message: `the campaign has no ${member}`,
      })),
      members: {
        missing: lacking.map((field) => ({
          field,
          code: `${field}_missing`,
          message: `Choose ${field === 'agent' ? 'an agent' : 'a segment'}.`,
        })),
      },
    },
  )
}

export const routes = [
  change({
    method: 'POST',
    path: '/campaigns/{id}/state',
    summary: 'Start, pause, resume or end a campaign',
    description:
      'Takes effect once it is answered: after a pause or an end, no further letter is started. `running` also needs the scope `send`.',
    scopes: ['campaigns:write'],
    scopesFor: scopesOfMove,
    action: 'campaign.moved',
    params: IdParams,
    body: z.strictObject({
      to: z.enum(['running', 'paused', 'done']).describe(
        withValues('The new state.', {
          running: 'start or resume it',
          paused: 'write to nobody until it is resumed',
          done: 'end it for good',
        }),
      ),
    }),
    response: CampaignAnswer.extend({
      inFlight: z
        .number()
        .describe('The number of letters that are being sent and can no longer be stopped.'),
    }),
    errors: ['invalid_state', 'campaign_incomplete'],
    async handler({ params, body: { to } }, context) {
      const { db, workspace, clock, operation } = context
      // Waits for open claims; once this transaction commits, no claim can succeed under the old state.
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      if (row.state !== to) {
        const allowed = moves[row.state]
        if (!allowed.includes(to))
          throw wrongState(row.state, `A campaign that is ${row.state} cannot become ${to}.`, [
            ...allowed,
          ])
        if (to === 'running') requireComplete(row)
        const now = clock.now()
        const epoch = await moveCampaign(
          db,
          row.id,
          to,
          now,
          to === 'running' ? operation.id : undefined,
        )
        if (to === 'running') {
          const segment = row.segment as string
          await saveSegment(db, segment, now)
          // The first batch is planned here, so that the answer includes it; the runner plans the rest.
          await planFirstLetters(db, { ...row, segment }, now, planBatch)
          await context.start(
            'runCampaign',
            [{ operation: operation.id, campaign: row.id, epoch }],
            { Campaign: row.id },
          )
        } else {
          // The letters of a large campaign are ended in batches by finishCampaign; none of them can be claimed any
          // more.
          if (to === 'done') await endBatch(db, row.id, now)
          const type = to === 'paused' ? 'pauseCampaign' : 'finishCampaign'
          await context.start(type, [{ operation: operation.id, campaign: row.id }], {
            Campaign: row.id,
          })
        }
        // The runner of the previous epoch finishes its letter and ends.
        if (row.runner) await context.signal(row.runner, 'changed')
        context.changed(row.id, { state: row.state }, { state: to })
      }
      const inFlight = await countInFlight(db, row.id)
      return { ...(await answerCampaign(context, row.id)), inFlight }
    },
  }),
]
