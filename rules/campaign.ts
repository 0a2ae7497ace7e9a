// The states of a campaign, the places of its letters, and what may hold them. This file imports nothing, because workflow code
// is bundled with it.

export type CampaignState = 'draft' | 'running' | 'paused' | 'done'

/** The moves in the interface's table. Staying in the same state is not a move. */
export const moves: Record<CampaignState, readonly CampaignState[]> = {
  draft: ['running'],
  running: ['paused', 'done'],
  paused: ['running', 'done'],
  done: [],
}

/** The states of a campaign that has started and has not ended: it needs its segment, and letters may still go. */
export const begunStates = ['running', 'paused'] as const satisfies CampaignState[]

export const hasBegun = (state: CampaignState): boolean =>
  begunStates.some((begun) => begun === state)

/** The letters of a campaign to one person, in order. */
export const places = [1, 2, 3] as const
export type Place = (typeof places)[number]
export const lastPlace = 3 satisfies Place

/** The place of a letter, also of one that has given its place up to a new one (db/campaigns/touch-again.ts). */
export const placeOf = (place: number): number =>
  ((((place - 1) % lastPlace) + lastPlace) % lastPlace) + 1

/** How many letters a campaign has for each person, and the weekdays between each letter after the first and the one before it. */
export type Plan = { places: number; waitDays: number[] }

/** What a campaign has if nothing is said: the second letter after three weekdays, the third after five more. */
export const usualPlan: Plan = { places: lastPlace, waitDays: [3, 5] }

/** A plan with other members. Letters that it had no entry for wait as usual. */
export function planWith(
  plan: Plan,
  { places = plan.places, waitDays }: { [name in keyof Plan]?: Plan[name] | undefined },
): Plan {
  const kept = usualPlan.waitDays.map((usual, i) => plan.waitDays[i] ?? usual)
  return { places, waitDays: waitDays ?? kept.slice(0, places - 1) }
}

/** The weekdays between the letter of a place and the one before it; undefined if the campaign has no such letter. */
export const weekdaysBefore = (
  place: number,
  { waitDays }: Pick<Plan, 'waitDays'>,
): number | undefined => waitDays[place - 2]

/** Why a letter ends that was not wanted any more. Whatever else ends one is a failure to deliver it. */
export const unwanted = ['done', 'skipped', 'left_segment', 'replied', 'unsubscribed'] as const

/** Whether a letter has ended because it was not wanted any more. */
export const isStopped = ({ state, reason }: { state: string; reason: string | null }): boolean =>
  state === 'failed' && unwanted.some((one) => one === reason)

/** Which places have not been agreed, also of those that a campaign does not have. */
export const unagreedOf = (agreed: number[]): Place[] =>
  places.filter((place) => !agreed.includes(place))

type Letter = { place: number; subject: string; text: string; agreed: boolean; writtenAt: Date }

/** An example letter as every answer shows it. */
export const presentLetter = ({ place, subject, text, agreed, writtenAt }: Letter) => ({
  place,
  subject,
  text,
  agreed,
  writtenAt: writtenAt.toISOString(),
})

type Template = {
  place: number
  variant: string
  weight: number
  subject: string
  text: string
  html: string | null
}

/** A template as every answer shows it. */
export const presentTemplate = ({ place, variant, weight, subject, text, html }: Template) => ({
  place,
  variant,
  weight,
  subject,
  text,
  html,
})

/** Everything that may hold the letters of a campaign; docs/operating.md says what to do about each. */
export const blockedBys = [
  'draft',
  'paused',
  'done',
  'held',
  'weekend',
  'hours',
  'day_limit',
  'week_limit',
  'gap',
  'review',
  'letter_not_agreed',
  'health',
  'no_sender',
  'no_agent',
  'provider',
  'nobody_left',
] as const
export type BlockedBy = (typeof blockedBys)[number]

/** What holds up the letters of a campaign, in the words of the reference. */
export const blockedBySays: Record<BlockedBy, string> = {
  draft: 'the campaign has not started',
  paused: 'it is paused',
  done: 'it has ended',
  held: 'an operator or the administration holds the workspace, or the accounts: `held` says why',
  weekend: 'it is the weekend, and letters go on weekdays only',
  hours: "it is outside the agent's hours",
  day_limit: "the accounts have reached the day's limit",
  week_limit: "the accounts have reached the week's limit",
  gap: 'the gap between two letters of an account has not passed yet',
  review: 'letters wait until their place is agreed',
  letter_not_agreed: 'the letters that follow are of a place that is not agreed',
  health: 'the health of the accounts does not allow campaign letters',
  no_sender: 'there is no working account to send from',
  no_agent: 'there is no enabled agent',
  provider: "the account's server cannot be reached, or its mailbox has not been read completely",
  nobody_left: 'everybody has been written to',
}

/** What a runner waits for: whatever holds up the letters, or the end of a letter that is being sent. */
export type WaitsFor = BlockedBy | 'in_flight'

/** What a runner waits for, as its workflow shows it to operators. */
export const waitingSentences: Record<WaitsFor, string> = {
  draft: 'The campaign has not started.',
  paused: 'The campaign is paused.',
  done: 'The campaign has ended.',
  held: 'Its workspace or its accounts are held: npm run hold says why.',
  weekend: 'It is the weekend; letters are sent on weekdays only.',
  hours: "It is outside the agent's hours.",
  day_limit: "The accounts have reached today's limit.",
  week_limit: "The accounts have reached this week's limit.",
  gap: 'The gap between two letters of an account has not passed yet.',
  review: 'Letters wait for review: agree them through the API.',
  letter_not_agreed:
    'The letters that follow are of a place that is not agreed: agree it through the API.',
  health: 'The health of the accounts does not allow campaign letters.',
  no_sender: 'There is no working account to send from.',
  no_agent: 'There is no enabled agent.',
  provider:
    'The accounts rest because of what their providers have said, their mail servers cannot be reached or do not answer, or a mailbox has not been read yet and may hold a reply: GET /channels says which (problem, restsUntil).',
  nobody_left: 'Nobody is left to write to for now.',
  in_flight: 'A letter is being sent.',
}

/** The same where nobody is left, but letters did not arrive: what went wrong is read at the campaign. */
export const returnedSentence = (letters: number): string =>
  `${letters === 1 ? 'One letter' : `${letters} letters`} did not arrive: GET /campaigns/{id} says why (sending.failed). Nobody else is left to write to for now.`
