import { z } from 'zod'
import {
  type CampaignRow,
  listLetters,
  lockCampaign,
  moveCampaign,
} from '../../../db/campaigns/campaigns.ts'
import { planFirstLetters } from '../../../db/campaigns/planning.ts'
import { countInFlight, endBatch, planBatch } from '../../../db/campaigns/touches.ts'
import { saveSegment } from '../../../db/segments/segments.ts'
import { moves, places, presentLetter } from '../../../rules/campaign.ts'
import { ApiError, found } from '../../http/errors.ts'
import { awaited, change, type Scope } from '../../route.ts'
import { answerCampaign, CampaignAnswer, Letter, wrongState } from '../../shapes/campaign.ts'
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

const Place = z.union(
  places.map((place) => z.literal(place)),
  {
    error: 'must be the place of a letter: 1, 2 or 3',
  },
)
const Places = z.array(Place).max(places.length)

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

  change({
    method: 'POST',
    path: '/campaigns/{id}/letters',
    summary: 'Write and agree example letters',
    description:
      'Writes the example letters of the places in `write`, then agrees those in `agree`; without either, it only answers the letters. Letters of a place are sent only once the place is agreed.',
    scopes: ['campaigns:write'],
    action: 'campaign.letters',
    params: IdParams,
    body: z.strictObject({
      write: Places.nullish().describe('The places to write an example letter for: 1, 2 or 3.'),
      agree: Places.nullish().describe('The places whose letters have been read and are agreed.'),
    }),
    example: { write: [1, 2, 3] },
    response: z.object({
      letters: z.array(Letter).describe('The example letters, in order of place.'),
    }),
    errors: ['invalid_state', 'letter_not_written', 'still_running'],
    async handler({ params, body }, context) {
      const { db, workspace, operation } = context
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      const letters = await listLetters(db, row.id)
      const write = [...new Set(body.write ?? [])]
      const agree = [...new Set(body.agree ?? [])]
      if (write.length + agree.length === 0) return { letters: letters.map(presentLetter) }
      if (row.state === 'done')
        throw wrongState(row.state, 'A campaign that is done needs no letters.', [])
      // Agreeing applies to the text that was read: an example written from an earlier brief does not count.
      const current = letters.filter(({ agreed, brief }) => agreed || brief === row.briefVersion)
      const written = new Set([...current.map(({ place }) => place), ...write])
      const unwritten = agree.find((place) => !written.has(place))
      const why = letters.some(({ place }) => place === unwritten)
        ? 'since the brief has changed'
        : 'yet'
      if (unwritten !== undefined)
        throw new ApiError('letter_not_written', `Letter ${unwritten} is not written ${why}.`, {
          errors: [
            {
              pointer: `/agree/${agree.indexOf(unwritten)}`,
              code: 'letter_not_written',
              message: `is not written ${why}`,
            },
          ],
        })
      await context.start(
        'writeLetters',
        [
          {
            operation: operation.id,
            campaign: row.id,
            write,
            agree,
            brief: row.briefVersion,
          },
        ],
        { Campaign: row.id },
      )
      // Only the requested places: the event contains the names of its members.
      context.changed(row.id, undefined, {
        ...(write.length > 0 && { write }),
        ...(agree.length > 0 && { agree }),
      })
      return awaited
    },
  }),
]
