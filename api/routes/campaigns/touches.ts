import type { Selectable } from 'kysely'
import { z } from 'zod'
import { findBrief } from '../../../db/campaigns/briefs.ts'
import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import { type Shown, showLetter, showSubject } from '../../../db/campaigns/made-letters.ts'
import type { Touches } from '../../../db/campaigns/tables.ts'
import { sendAnew } from '../../../db/campaigns/touch-again.ts'
import * as edits from '../../../db/campaigns/touch-edits.ts'
import { touchKind } from '../../../db/campaigns/touch-life.ts'
import { findLetterAddress, findRefusal } from '../../../db/campaigns/touch-sending.ts'
import {
  aboutTouch,
  findTouch,
  findTouchOf,
  listTouches,
  type TouchRow,
} from '../../../db/campaigns/touches.ts'
import { enqueueWake } from '../../../db/operations/wakes.ts'
import { resolveLetter } from '../../../db/outgoing/resolve.ts'
import { makeLetterAside } from '../../../process/children/letters.ts'
import { hasBegun, isStopped, placeOf } from '../../../rules/campaign.ts'
import { isVisible } from '../../../rules/text.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change, type Deployment, type ReadContext, read } from '../../route.ts'
import {
  afterFailure,
  notAgain,
  notUnconfirmed,
  presentAfterFailure,
  Resolution,
  whenAgain,
  whenUnconfirmed,
} from '../../shapes/after-sending.ts'
import { wrongState } from '../../shapes/campaign.ts'
import {
  Id,
  IdParams,
  iso,
  isoOrNull,
  next,
  OneLine,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  text,
  withValues,
} from '../../shapes/shapes.ts'
import { noContact, toSuppressed, wordsOf } from '../conversations/letter.ts'

// A touch, which is one letter of a campaign to one person, and its addresses: list, read, edit, resolve, send again. One file,
// because all of them answer the same shape and refuse by the same states.

/** The states of a letter to one person, and the meaning of each. */
const touchStates = {
  queued: 'it waits until it is due',
  review: 'it is written and waits until its place is agreed',
  sending: 'it is being sent, or it may or may not have arrived',
  sent: 'it was sent',
  failed: 'it was not sent, or it bounced',
}

const Touch = z
  .object({
    id: OwnId,
    person: z.string().describe('The id of the person.'),
    place: z.number().describe('The place of the letter in the campaign: 1, 2 or 3.'),
    state: z
      .enum(['queued', 'review', 'sending', 'sent', 'failed'])
      .describe(withValues('The state of the letter.', touchStates)),
    reason: z
      .string()
      .nullable()
      .describe(
        withValues('The reason for its state; null if there is none to give.', {
          replied: 'the person replied',
          unsubscribed: 'the person unsubscribed',
          bounced: 'an earlier letter bounced',
          suppressed: 'the address must not be written to',
          no_contact: 'the person has no address on this channel',
          refused: 'the server refused the letter',
          undeliverable: 'no server accepted the letter within four days',
          done: 'the campaign ended',
          skipped: 'somebody decided that it is not sent',
          left_segment: 'the person left the segment of the campaign',
          held: 'the letters to this person are held',
          missing_value:
            'variables of its template have no value for the person; `missing` names them',
          template_failed:
            'its template could not make it; `variant` and `missing` name the template and its member',
          unconfirmed: 'the letter may or may not have arrived, so a person decides',
        }),
      ),
    stopped: z
      .boolean()
      .describe(
        'Whether it failed because it was not wanted any more: its reason is `replied`, `unsubscribed`, `done`, `skipped` or `left_segment`. The funnel counts it as `skipped`, and other letters that failed as `failed`.',
      ),
    code: z
      .string()
      .nullable()
      .describe('The status code given by the server or the report; null if there is none.'),
    dueAt: z.string().nullable().describe('When it is due.'),
    sentAt: z.string().nullable().describe('When it was sent; null until then.'),
    connection: z
      .string()
      .nullable()
      .describe('The id of the connection it is sent through; null until one is chosen.'),
    subject: z.string().nullable().describe('The subject; null until it is written.'),
    text: z.string().nullable().describe('The text; null until it is written.'),
    html: z.string().nullable().describe('The text in HTML; null if the letter is text alone.'),
    agreed: z
      .boolean()
      .describe('Whether this letter may go as it is written, whatever has become of its place.'),
    variant: z
      .string()
      .nullable()
      .describe(
        'Which variant of its place the person got: a, b, c or d; null until its template was used, and without one.',
      ),
    missing: z
      .array(z.string())
      .describe(
        'The variables of its template that have no value for the person, such as `person.city`; with the reason `template_failed`, the member of the template that failed: `subject`, `text` or `html`. Empty with any other reason.',
      ),
    messageId: z
      .string()
      .nullable()
      .describe('The Message-ID of the mail; null until it is handed over.'),
    ...afterFailure,
    workflow: z
      .object({
        id: z.string().describe('The id of the workflow.'),
        url: z.string().describe('Its page in the Temporal Web UI.'),
      })
      .meta({ id: 'TouchWorkflow' })
      .nullable()
      .describe('The Temporal workflow that delivers it; null if there is none.'),
  })
  .meta({ id: 'Touch' })

// Letters in review for one of these reasons have no words yet.
const unmade = new Set<string | null>(['missing_value', 'template_failed'])

function presentTouch(
  touch: Selectable<Touches>,
  { temporalUiUrl, temporalNamespace }: Deployment,
  now: Date,
): z.input<typeof Touch> {
  const place = `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows`
  return {
    id: touch.id,
    person: touch.person,
    place: placeOf(touch.place),
    state: touch.state,
    // A hold that has ended no longer counts, even if the letter has not been sent yet.
    reason: touch.reason === 'held' && touch.dueAt <= now ? null : touch.reason,
    stopped: isStopped(touch),
    code: touch.code,
    dueAt: iso(touch.dueAt),
    sentAt: isoOrNull(touch.sentAt),
    connection: touch.connection,
    subject: touch.subject,
    text: touch.text,
    html: touch.html,
    agreed: touch.agreed,
    variant: touch.variant,
    missing: unmade.has(touch.reason) ? (touch.missing ?? []) : [],
    messageId: touch.messageId,
    ...presentAfterFailure(touch),
    workflow: touch.workflow
      ? { id: touch.workflow, url: `${place}/${encodeURIComponent(touch.workflow)}` }
      : null,
  }
}

/** The most characters of a letter's text and of its HTML, as of what a template makes. */
const longestWords = 65_536

export const routes = [
  read({
    path: '/campaigns/{id}/touches',
    operationId: 'listTouches',
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
    response: z
      .object({
        touches: z.array(Touch).describe('The touches, in order of the time they are due.'),
        next,
      })
      .meta({ id: 'TouchList' }),
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
    operationId: 'getTouch',
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

  change({
    method: 'PATCH',
    path: '/campaigns/{id}/touches/{touch}',
    operationId: 'updateTouch',
    summary: 'Edit one letter before it goes',
    description:
      'Gives one person a letter in your own words, skips it, or agrees to it. Only a letter that is `queued` or in `review` can be edited. Own words stay as they are, whatever is written anew later; the unsubscribe line is added when the letter is sent. A letter in review goes once its place is agreed, or this letter with `agreed`.',
    scopes: ['campaigns:write'],
    action: 'touch.edited',
    params: IdParams.extend({ touch: Id.describe('The id of the touch.') }),
    body: z
      .strictObject({
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
      })
      .meta({ id: 'TouchUpdate' }),
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
        await enqueueWake(context.db, locked.runner, 'letters')
      const { reason, ...shown } = await answer()
      const after = { ...wordsIn(shown), ...(skip && { reason }) }
      context.changed(letter.id, wordsIn(letter), after, undefined, aboutTouch(letter))
      return { ...shown, reason }
    },
  }),

  change({
    method: 'POST',
    path: '/campaigns/{id}/touches/{touch}/resolve',
    operationId: 'resolveTouch',
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
      // This signals the runner and the letter's own workflow too. A workflow that does not exist yet finds nothing to do.
      const isResolved = await resolveLetter(db, touchKind, read, outcome, now)
      const touch = found(await findTouchOf(db, campaign.id, id), 'touch')
      if (!isResolved) throw notUnconfirmed('touch', touch)
      context.changed(id, undefined, { outcome }, undefined, aboutTouch(touch))
      return presentTouch(touch, deployment, now)
    },
  }),

  change({
    method: 'POST',
    path: '/campaigns/{id}/touches/{touch}/again',
    operationId: 'sendTouchAgain',
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
      const { letter, state, runner } = found(
        await edits.lockForEdit(db, workspace.id, of),
        'touch',
      )
      if (!hasBegun(state))
        throw wrongState(state, `The campaign is ${state}: none of its letters goes.`, [])
      requireFailed(letter)
      const to = await requireWay(context, letter)
      const now = clock.now()
      const id = await sendAnew(db, letter, to, now)
      if (state === 'running' && runner) await enqueueWake(context.db, runner, 'letters')
      const { campaign, person, place } = letter
      const touch = found(await findTouchOf(db, campaign, id), 'touch')
      const after = { campaign, person, place, letter: letter.id }
      context.changed(id, undefined, after, undefined, aboutTouch(touch))
      return presentTouch(touch, deployment, now)
    },
  }),
]

type Worded = Pick<TouchRow, 'state' | 'subject' | 'text' | 'agreed'>
const wordsIn = ({ state, subject, text, agreed }: Worded) => ({ state, subject, text, agreed })

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
    person: letter.person,
    place: letter.place,
    moment: { now: clock.now(), zone: workspace.timezone },
  }
  const of = { id, workspace: workspace.id }
  const sight = [db, makeLetterAside, of, await findBrief(db, id), look] as const
  return isWorded
    ? { kind: 'subject' as const, subject: await showSubject(...sight) }
    : { kind: 'letter' as const, shown: await showLetter(...sight) }
}

const isUnmade = ({ state, reason }: Pick<TouchRow, 'state' | 'reason'>) =>
  state === 'review' && unmade.has(reason)

/** Agreeing applies to words that can be read, or to a letter that its template can make now: it is made once more at its turn. */
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

const returned = ['refused', 'undeliverable', 'bounced']

function requireFailed({ state, reason, again, messageId, text, place, removedAt }: TouchRow) {
  if (state !== 'failed') throw notAgain(state, `A letter that is ${state} is not sent anew.`)
  if (again !== null) throw notAgain(state, `It has been sent anew already, as ${again}.`)
  if (!returned.includes(reason ?? ''))
    throw notAgain(state, `It was not to be sent any more (${reason}), so it is not sent anew.`)
  if (removedAt !== null) throw notAgain(state, 'What it said was removed.')
  if (messageId === null || text === null)
    throw notAgain(
      state,
      'It was never sent, because an earlier letter came back: send that one anew, and this one follows.',
    )
  if (place < 1) throw notAgain(state, 'Another letter to the person has its place.')
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
