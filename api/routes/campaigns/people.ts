import { z } from 'zod'
import { findCampaign } from '../../../db/campaigns/campaigns.ts'
import {
  findPeopleWith,
  findReactions,
  outcomes,
  type PersonOutcome,
  type Reactions,
  type Says,
} from '../../../db/campaigns/outcomes.ts'
import { placeOf } from '../../../rules/campaign.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import {
  cursorOf,
  IdParams,
  iso,
  next,
  Paging,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

// The people of a campaign by outcome.

/** What can come of a campaign for one person, in the order in which one outweighs another: the last true one counts. */
const outcomeMeans = {
  skipped: 'the letters were not needed any more before one was sent',
  queued: 'no letter was sent yet',
  failed: 'a letter could not be sent',
  held: 'a letter waits because the letters to the person are held',
  sent: 'a letter was sent',
  replied: 'the person has replied since the first letter, not automatically',
  interested: 'the person has replied, and is interested or wants to meet',
  declined: 'the person has replied that they are not interested, or unsubscribed after a letter',
  bounced: 'a letter bounced, or none is sent because another one did',
  unsubscribed: 'the person has unsubscribed',
}
type AnyOutcome = keyof typeof outcomeMeans
const order = Object.keys(outcomeMeans).reverse() as AnyOutcome[]

const OutcomeOf = z
  .object({
    person: z.string().describe('The id of the person.'),
    name: z.string().describe('The name; empty if it is not known.'),
    outcome: z
      .string()
      .describe(
        withValues('The outcome that was asked for, or the one that went furthest.', outcomeMeans),
      ),
    place: z
      .number()
      .describe('The place of the letter that it is about: for a reply, the last one before it.'),
    at: z
      .string()
      .describe(
        'When it came about: when the letter was sent, or the first reply or report was received. For a held or queued letter, when it is or was due.',
      ),
    conversation: z
      .string()
      .nullable()
      .describe('The id of the conversation with the reply or the letter; null if there is none.'),
  })
  .meta({ id: 'CampaignPerson' })

const { queued: _, skipped: __, ...filters } = outcomeMeans

// Each looks at a thousand people at least, where few have replied and others write much.
const rounds = 10

/** The order of the list, so that a cursor of another one is recognised. */
const byPerson = 1

export const routes = [
  read({
    path: '/campaigns/{id}/people',
    operationId: 'listCampaignPeople',
    summary: 'List the people of a campaign by outcome',
    description:
      'With `outcome`, everybody of whom it is true: somebody who is interested has also replied, and was sent a letter. Without it, everybody who has a letter of the campaign, once, with what went furthest. In a very large campaign a page may hold fewer people than `limit`: read on until `next` is null.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging.extend({
      outcome: z
        .enum(outcomes)
        .optional()
        .describe(withValues('Only people with this outcome.', filters)),
    }),
    response: z
      .object({
        people: z.array(OutcomeOf).describe('The people, in order of their ids.'),
        next,
      })
      .meta({ id: 'CampaignPersonList' }),
    async handler({ params, query: { cursor, limit, outcome } }, { db, workspace, clock }) {
      const campaign = found(await findCampaign(db, workspace.id, params.id), 'campaign')
      const [, after = ''] = readCursor(cursor, 'number', 'text') ?? []
      const now = clock.now()
      const people: string[] = []
      let last: string | undefined = after
      for (let round = 0; round < rounds && last !== undefined && people.length <= limit; round++) {
        const page = { after: last, limit: limit + 1 - people.length, now }
        const found = await findPeopleWith(db, campaign, outcome, page)
        people.push(...found.people)
        last = found.last
      }
      const shown = people.slice(0, limit)
      const known = shown.length > 0 ? await findReactions(db, campaign, shown) : []
      const end = people.length > limit ? shown.at(-1) : last
      return {
        // What has changed since the people were found is not shown under an outcome that is over.
        people: known.flatMap((person) => presentOutcome(person, outcome, now) ?? []),
        next: end === undefined ? null : cursorOf(byPerson, end),
      }
    },
  }),
]

type Shown = { place: number; at: Date; conversation: string | null }
type Letter = Reactions['letters'][number]

/** A person of a campaign with an outcome or, without one, with what went furthest; undefined if it is not theirs. */
function presentOutcome(
  known: Reactions,
  asked: PersonOutcome | undefined,
  now: Date,
): z.input<typeof OutcomeOf> | undefined {
  const all = outcomesOf(known, now)
  const outcome = asked ?? order.find((one) => all[one])
  const shown = outcome && all[outcome]
  if (!shown) return undefined
  const { place, at, conversation } = shown
  return { person: known.person, name: known.name, outcome, place, at: iso(at), conversation }
}

function outcomesOf(known: Reactions, now: Date): Record<AnyOutcome, Shown | undefined> {
  const { letters, unsubscribedAt } = known
  const that = (what: Says) => letters.filter(({ says }) => says === what)
  const shown = (letter: Letter | undefined, at?: Date | null): Shown | undefined =>
    letter && {
      place: placeOf(letter.place),
      at: at ?? letter.sentAt ?? letter.firstClaimedAt ?? letter.createdAt,
      conversation: letter.conversation,
    }
  const due = (letter: Letter | undefined) =>
    shown(letter, letter && (letter.heldFrom ?? letter.dueAt))
  /** The letter that somebody reacted to: the last one sent before. */
  const reacted = (at: Date | null, conversation: string | null): Shown | undefined => {
    const letter = at && letters.findLast(({ sentAt }) => sentAt && sentAt <= at)
    return letter ? { place: placeOf(letter.place), at, conversation } : undefined
  }
  const refused = that('unsubscribed')
  const later = refused.find(({ place }) => place > 1)
  const failed = that('failed').at(0)
  return {
    skipped: shown(that('ended').at(0)),
    failed: shown(failed, failed?.reason === 'suppressed' ? known.suppressedAt : null),
    held: due(that('held').find(({ dueAt }) => dueAt > now)),
    queued: due([...that('waiting'), ...that('held')].at(0)),
    sent: shown(that('sent').at(-1)),
    replied: reacted(known.repliedAt, known.repliedIn),
    interested: reacted(known.interestedAt, known.interestedIn),
    declined: reacted(known.declinedAt, known.declinedIn) ?? shown(later, unsubscribedAt),
    bounced: shown(that('bounced').at(0), known.bouncedAt),
    unsubscribed: shown(refused.at(0), unsubscribedAt) ?? reacted(unsubscribedAt, null),
  }
}
