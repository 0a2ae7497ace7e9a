import { sendAnew } from '../../../db/campaigns/touch-again.ts'
import { lockForEdit } from '../../../db/campaigns/touch-edits.ts'
import { findLetterAddress, findRefusal } from '../../../db/campaigns/touch-sending.ts'
import { findTouchOf, type TouchRow } from '../../../db/campaigns/touches.ts'
import { hasBegun } from '../../../rules/campaign.ts'
import { ApiError, found } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { notAgain, whenAgain } from '../../shapes/again.ts'
import { wrongState } from '../../shapes/campaign.ts'
import { Id, IdParams } from '../../shapes/shapes.ts'
import { presentTouch, Touch } from '../../shapes/touch.ts'
import { noContact, toSuppressed } from '../conversations/letter.ts'

export const routes = [
  change({
    method: 'POST',
    path: '/campaigns/{id}/touches/{touch}/again',
    summary: 'Send a failed touch anew',
    description: `Queues a new letter with the words of one that the server refused or that came back, at its place; the later ones follow it. ${whenAgain} The campaign must be running or paused.`,
    scopes: ['send', 'campaigns:write'],
    action: 'touch.again',
    params: IdParams.extend({ touch: Id.describe('The id of the touch that failed.') }),
    response: Touch,
    errors: ['invalid_state', 'recipient_suppressed', 'no_contact'],
    async handler({ params }, context) {
      const { db, workspace, clock, deployment } = context
      const of = { campaign: params.id, touch: params.touch }
      const { letter, state, runner } = found(await lockForEdit(db, workspace.id, of), 'touch')
      if (!hasBegun(state))
        throw wrongState(state, `The campaign is ${state}: none of its letters goes.`, [])
      requireFailed(letter)
      const to = await requireWay(context, letter)
      const now = clock.now()
      const id = await sendAnew(db, letter, to, now)
      if (state === 'running' && runner) await context.signal(runner, 'changed')
      const { campaign, person, place } = letter
      context.changed(id, undefined, { campaign, person, place, letter: letter.id })
      const touch = found(await findTouchOf(db, campaign, id), 'touch')
      return presentTouch(touch, deployment, now)
    },
  }),
]

const returned = ['refused', 'undeliverable', 'bounced']

function requireFailed({ state, reason, again, messageId, text }: TouchRow) {
  if (state !== 'failed') throw notAgain(state, `A letter that is ${state} is not sent anew.`)
  if (again !== null) throw notAgain(state, `It has been sent anew already, as ${again}.`)
  if (!returned.includes(reason ?? ''))
    throw notAgain(state, `It was not to be sent any more (${reason}), so it is not sent anew.`)
  if (messageId === null || text === null)
    throw notAgain(
      state,
      'It was never sent, because an earlier letter came back: send that one anew, and this one follows.',
    )
}

/** The address that it goes to, if its person may still be written to. */
async function requireWay({ db }: ChangeContext, letter: TouchRow): Promise<string> {
  const to = await findLetterAddress(db, letter)
  if (to === null) throw noContact('/touch')
  const refusal = await findRefusal(db, letter, to)
  if (refusal === 'replied' || refusal === 'left_segment')
    throw new ApiError('invalid_state', whyNot[refusal], {
      members: { state: letter.state, allowed: [] },
    })
  if (refusal !== undefined) throw toSuppressed('/touch')
  return to
}

const whyNot = {
  replied: 'The person has answered: no letter of the campaign goes to them any more.',
  left_segment: 'The person is not in the segment of the campaign any more.',
}
