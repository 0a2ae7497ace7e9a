import { z } from 'zod'
import { findBrief } from '../../../db/campaigns/briefs.ts'
import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import { type Shown, showLetter, showSubject } from '../../../db/campaigns/made-letters.ts'
import * as edits from '../../../db/campaigns/touch-edits.ts'
import { findTouchOf, type TouchRow } from '../../../db/campaigns/touches.ts'
import { makeLetterAside } from '../../../process/children/letters.ts'
import { isVisible } from '../../../rules/text.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { change, type ReadContext } from '../../route.ts'
import { wrongState } from '../../shapes/campaign.ts'
import { Id, IdParams, OneLine, optional, text } from '../../shapes/shapes.ts'
import { presentTouch, Touch } from '../../shapes/touch.ts'
import { wordsOf } from '../conversations/letter.ts'

/** The most characters of a letter's text and of its HTML, as of what a template makes. */
const longestWords = 65_536

// Letters in review for one of these reasons have no words yet.
const unmade: (string | null)[] = ['missing_value', 'template_failed']

export const routes = [
  change({
    method: 'PATCH',
    path: '/campaigns/{id}/touches/{touch}',
    summary: 'Edit one letter before it goes',
    description:
      'Gives one person a letter in your own words, skips it, or agrees to it. Only a letter that is `queued` or in `review` can be edited. Own words stay as they are, whatever is written anew later; the unsubscribe line is added when the letter is sent. A letter in review goes once its place is agreed, or this letter with `agreed`.',
    scopes: ['campaigns:write'],
    action: 'touch.edited',
    params: IdParams.extend({ touch: Id.describe('The id of the touch.') }),
    body: z.strictObject({
      subject: optional(OneLine(250)).describe(
        'The subject. Empty, it is that of the thread; a first letter must have one. If the letter has none yet, the default is that of its template or its thread, or the first line of the text.',
      ),
      text: optional(text(longestWords)).describe(
        'The text, which replaces the HTML too unless that is given with it.',
      ),
      html: optional(text(longestWords)).describe(
        'The text in HTML, without scripts, event handlers, forms and `javascript:`. Without `text`, the text is made from it.',
      ),
      skip: optional(z.literal(true)).describe(
        'Whether the letter is not to be sent: it fails with the reason `skipped`. After a second letter that is skipped, the third goes at its time; after a first one, the person gets no later letter of the campaign, since those come back to the first. Cannot be combined with other members.',
      ),
      agreed: optional(z.literal(true)).describe(
        'Whether this letter has been read and may go, also while its place is not agreed.',
      ),
    }),
    example: { subject: 'Your question about prices', text: 'Dear Ms Silva, …', agreed: true },
    response: Touch,
    errors: ['invalid_state', 'letter_not_written', 'no_contact'],
    check({ body: { skip, ...others } }) {
      if (skip && Object.values(others).some((value) => value !== undefined))
        throw invalid('/skip', 'not_alone', 'cannot be combined with other members')
    },
    async prepare({ params, body }, context) {
      const { text, html } = body
      const words = html === undefined ? undefined : wordsOf({ text, html }, context.workspace.id)
      return { words: await words, made: await madeFor(params, body, context) }
    },
    async handler({ params, body }, context, { words, made }) {
      const { db, workspace, clock, deployment } = context
      const of = { campaign: params.id, touch: params.touch }
      const locked = found(await edits.lockForEdit(db, workspace.id, of), 'touch')
      const { letter } = locked
      const now = clock.now()
      const answer = async () =>
        presentTouch(found(await findTouchOf(db, params.id, letter.id), 'touch'), deployment, now)
      const { skip, agreed, subject } = body
      const given = { subject, text: body.text ?? words?.text, html: words?.html ?? undefined }
      const isWorded = Object.values(given).some((value) => value !== undefined)
      if (!skip && !agreed && !isWorded) return answer()
      requireWaiting(letter, locked.state)
      if (skip) await edits.skipLetter(db, letter, now)
      if (isWorded) {
        const text = given.text ?? letter.text
        if (text === null)
          throw invalid('/text', 'missing', 'is needed, since the letter is not written yet')
        if (letter.place === 1 && subject !== undefined && !isVisible(subject))
          throw invalid(
            '/subject',
            'too_small',
            'must not be empty: the first letter begins the thread',
          )
        const ofTemplate = made?.kind === 'subject' ? made.subject : ''
        if (!(await edits.giveWords(db, letter, { ...given, text }, ofTemplate, now)))
          throw new ApiError('no_contact', 'The person has no e-mail address.')
        if (!agreed) await edits.settleReview(db, letter, locked.placeAgreed)
      }
      if (agreed) {
        if (!isWorded) requireWords(letter, made?.kind === 'letter' ? made.shown : undefined)
        await edits.agreeLetter(db, letter)
      }
      if (locked.state === 'running' && locked.runner)
        await context.signal(locked.runner, 'changed')
      const { reason, ...shown } = await answer()
      context.changed(letter.id, told(letter), { ...told(shown), ...(skip && { reason }) })
      return { ...shown, reason }
    },
  }),
]

type Told = Pick<TouchRow, 'state' | 'subject' | 'text' | 'agreed'>
const told = ({ state, subject, text, agreed }: Told) => ({ state, subject, text, agreed })

function requireWaiting({ state }: TouchRow, campaign: string) {
  if (campaign === 'done')
    throw wrongState(campaign, 'The campaign is done: none of its letters goes any more.', [])
  const allowed = ['queued', 'review']
  if (!allowed.includes(state))
    throw wrongState(state, `A letter that is ${state} cannot be edited.`, allowed)
}

type Words = { subject?: string; text?: string; html?: string; agreed?: true; skip?: true }

/**
 * What the letter's template makes of it, where that counts: the subject that own words take if they are given without one, to a
 * letter that has none yet; or the letter that is to be agreed although it could not be made before. It is made before the change
 * begins, since a template may take its time.
 */
async function madeFor(
  { id, touch }: { id: string; touch: string },
  { subject, text, html, agreed }: Words,
  { db, workspace, clock }: ReadContext,
) {
  const isWorded = text !== undefined || html !== undefined
  if (subject !== undefined || !(isWorded || agreed)) return undefined
  const campaign = await findCampaign(db, workspace.id, id)
  const letter = campaign && (await findTouchOf(db, id, touch))
  if (!letter || (isWorded ? letter.subject : !isUnmade(letter))) return undefined
  const look = {
    ...{ person: letter.person, place: letter.place },
    moment: { now: clock.now(), zone: workspace.timezone },
  }
  const of = { id, workspace: workspace.id }
  const sight = [db, makeLetterAside, of, await findBrief(db, id), look] as const
  return isWorded
    ? { kind: 'subject' as const, subject: await showSubject(...sight) }
    : { kind: 'letter' as const, shown: await showLetter(...sight) }
}

const isUnmade = ({ state, reason }: Pick<TouchRow, 'state' | 'reason'>) =>
  state === 'review' && unmade.includes(reason)

/** Agreeing applies to words that can be read, or to a letter that its template can make now: it is made anew at its turn. */
function requireWords(letter: TouchRow, shown: Shown | undefined) {
  const { state, text } = letter
  if (isUnmade(letter)) {
    const made = shown?.kind === 'shown' ? shown.made : undefined
    if (made?.kind === 'made' && made.missing.length === 0) return
    const why =
      made?.kind === 'failed'
        ? `fails in its ${made.member}: ${made.trouble.message}. Change it`
        : `lacks a value${made ? ` (${made.missing.join(', ')})` : ''}: give the value`
    throw wrongState(state, `Its template ${why}, or give own words.`, [])
  }
  if (text === null)
    throw new ApiError('letter_not_written', 'The letter is not written yet: give its text too.')
}
