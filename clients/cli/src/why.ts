import type { CampaignDetails, Channel, SendingAccount } from '../../typescript/src/index.ts'
import { plain } from './terminal.ts'
import { timeIn } from './times.ts'

// Why a campaign sends nothing, in words: what holds it, who has to act, and until when. docs/operating.md has the same values.

/** What a campaign shows beside itself, as far as the token may read it. */
export type Seen = {
  details: CampaignDetails
  zone: string | undefined
  channels: Channel[]
  accounts: SendingAccount[]
}

export type Why = {
  /** What holds the letters. */
  what: string
  /** Who has to act, or that nobody has to. */
  who: string
  /** When it goes on by itself, or after what. */
  until: string
  /** Commands or calls that help. */
  todo?: string | undefined
}

const nobody = 'Nobody has to act.'

export function whyOf(seen: Seen): Why {
  const { campaign } = seen.details
  const { sending } = campaign
  if (sending.now)
    return {
      what: 'Nothing holds it: letters go now.',
      who: nobody,
      until: sending.endsAt
        ? `Today's hours end ${timeIn(seen.zone, sending.endsAt)}.`
        : 'It goes on until everybody has been written to.',
    }
  const explain = reasons[sending.blockedBy ?? '']
  if (explain) return explain(seen)
  return {
    what: `It is held by ${plain(sending.blockedBy)}, which this version of the command does not know.`,
    who: sending.nextAt ? nobody : 'Somebody has to act: see docs/operating.md.',
    until: byItself(seen),
  }
}

const reasons: Record<string, (seen: Seen) => Why> = {
  draft: ({ details: { campaign } }) => {
    const missing = campaign.missing.map(({ message }) => plain(message))
    return {
      what: 'It has not been started.',
      who: missing.length
        ? `You: complete it first. ${missing.join(' ')}`
        : 'You: start it. It is complete.',
      until: 'It waits until somebody starts it.',
      todo: missing.length ? undefined : `POST /campaigns/${campaign.id}/state {"to": "running"}`,
    }
  },
  paused: ({ details: { campaign } }) => ({
    what: 'It is paused, by a call or by an operator.',
    who: 'You: resume it.',
    until: 'It waits until somebody resumes it.',
    todo: `POST /campaigns/${campaign.id}/state {"to": "running"}`,
  }),
  done: () => ({
    what: 'It has ended.',
    who: nobody,
    until: 'For good: a campaign that is done cannot be resumed.',
  }),
  held: ({ details: { campaign } }) => ({
    what: `An operator or the administration holds it: ${plain(campaign.sending.held?.why) || 'no reason was given'}`.replace(
      /([^.!?])$/,
      '$1.',
    ),
    who: 'Whoever holds it: your operator knows (`npm run hold`).',
    until: 'It goes on by itself as soon as the hold ends.',
  }),
  weekend: (seen) => ({
    what: 'It is the weekend, and letters go on weekdays only.',
    who: nobody,
    until: byItself(seen),
  }),
  hours: (seen) => ({
    what: "It is outside the agent's hours, or a day off.",
    who: 'Nobody has to act; whoever cares for the agent can change its hours.',
    until: byItself(seen),
    todo: `PATCH /agents/${seen.details.campaign.agent} with hours`,
  }),
  day_limit: (seen) => ({
    what: `The accounts have used up the day's limit${used(seen, 'day')}.`,
    who: 'Nobody has to act; the limits stand in the workspace file.',
    until: byItself(seen),
  }),
  week_limit: (seen) => ({
    what: `The accounts have used up the week's limit${used(seen, 'week')}.`,
    who: 'Nobody has to act; the limits stand in the workspace file.',
    until: byItself(seen),
  }),
  gap: (seen) => ({
    what: 'The accounts keep their gap between two letters.',
    who: nobody,
    until: byItself(seen),
  }),
  review: (seen) => {
    const { campaign, funnel } = seen.details
    return {
      // Due letters are written one after the other; until then none waits to be read.
      what: funnel.review
        ? `${letters(funnel.review)} written and ${funnel.review === 1 ? 'waits' : 'wait'} until ${funnel.review === 1 ? 'its' : 'their'} place is agreed.`
        : 'Letters are due whose place nobody has agreed to.',
      who: 'You: read the letters, and agree their places.',
      until: campaign.sending.nextAt
        ? `Other letters go ${timeIn(seen.zone, campaign.sending.nextAt)}; these wait until somebody agrees.`
        : 'They wait until somebody agrees.',
      todo: `GET /campaigns/${campaign.id}/touches, then POST /campaigns/${campaign.id}/letters {"agree": [1]}`,
    }
  },
  letter_not_agreed: ({ details: { campaign, letters } }) => {
    const places = Array.from({ length: campaign.places }, (_, i) => i + 1).filter(
      (place) => !letters.some((letter) => letter.place === place && letter.agreed),
    )
    const named = places.length ? places : [campaign.places]
    return {
      what: `The letters that come next are of ${named.length > 1 ? 'places' : 'place'} ${named.join(' and ')}, and nobody has agreed to ${named.length > 1 ? 'them' : 'it'}.`,
      who: 'You: have them written, read them, and agree.',
      until: 'It waits until somebody agrees.',
      todo: `POST /campaigns/${campaign.id}/letters {"write": [${named}]}, then {"agree": [${named}]}`,
    }
  },
  health: ({ accounts, details: { campaign } }) => {
    const bad = accounts
      .filter(({ connection }) => isOf(campaign.senders, connection))
      .map(
        ({ account, health }) =>
          `${plain(account)} is ${plain(health.level)}${health.weakest.length ? ` (${health.weakest.map(plain).join(', ')})` : ''}`,
      )
    return {
      what: `The health of the accounts does not allow campaign letters${bad.length ? `: ${bad.join('; ')}` : ''}.`,
      who: 'Whoever cares for the accounts: improve the weakest signals.',
      until: 'It goes on by itself once one account is well.',
      todo: 'GET /senders/health has the signals',
    }
  },
  no_sender: (seen) => ({
    what: `There is no working account to send from${troubles(seen)}.`,
    who: 'Whoever cares for the accounts, or the operator: correct the account, then have it checked.',
    until: 'It goes on by itself once an account works.',
    todo: 'GET /channels, then POST /senders/health/check',
  }),
  no_agent: ({ details: { campaign } }) => ({
    what: campaign.agent ? 'Its agent is disabled.' : 'It has no agent.',
    who: campaign.agent ? 'Whoever cares for the agent: enable it.' : 'You: give it an agent.',
    until: 'It goes on by itself once the agent is enabled.',
    todo: campaign.agent
      ? `PATCH /agents/${campaign.agent} {"enabled": true}`
      : `PATCH /campaigns/${campaign.id} with agent`,
  }),
  provider: (seen) => ({
    what: `The accounts rest or cannot be reached, or a mailbox that may hold an answer has not been read${troubles(seen)}.`,
    who: seen.channels.some(({ problem }) => problem === 'consent_needed')
      ? 'The owner of the account: agree again (POST /channels/{id}/connect makes a link).'
      : 'Nobody has to act as long as it passes; the operator, if it stays.',
    until: untilRested(seen),
    todo: 'GET /channels has problem and restsUntil of each account',
  }),
  nobody_left: (seen) => {
    const { campaign, funnel } = seen.details
    const { failed, nextAt } = campaign.sending
    return {
      what:
        campaign.people === 0
          ? 'Its segment is empty.'
          : `Everybody who is due has been written to (${funnel.sent} sent)${failed ? `; ${letters(failed.letters)} not delivered: ${plain(failed.why)}` : ''}`.replace(
              /([^.!?])$/,
              '$1.',
            ),
      who: failed ? 'You, if the letters that failed are to go again.' : nobody,
      until: nextAt
        ? `The next letters go ${timeIn(seen.zone, nextAt)}.`
        : 'It goes on by itself when somebody joins the segment.',
      todo: failed ? `POST /campaigns/${campaign.id}/touches/{touch}/again` : undefined,
    }
  },
}

const letters = (n: number) => (n === 1 ? 'One letter is' : `${n} letters are`)

function byItself({ details: { campaign }, zone }: Seen): string {
  const { nextAt } = campaign.sending
  return nextAt ? `It goes on by itself ${timeIn(zone, nextAt)}.` : 'It does not go on by itself.'
}

const isOf = (senders: string[], connection: string) =>
  senders.length === 0 || senders.includes(connection)

function used({ accounts, details: { campaign } }: Seen, of: 'day' | 'week'): string {
  const all = accounts
    .filter(({ connection }) => isOf(campaign.senders, connection))
    .map(({ account, used, health }) => `${plain(account)} ${used[of]} of ${health.limits[of]}`)
  return all.length ? `: ${all.join(', ')}` : ''
}

const inTrouble = ({ channels, details: { campaign } }: Seen) =>
  channels.filter(
    ({ id, kind, problem, restsUntil, alive }) =>
      isOf(campaign.senders, id) && kind === 'email' && (problem || restsUntil || !alive),
  )

function troubles(seen: Seen): string {
  const all = inTrouble(seen).map(
    ({ account, problem, restsUntil }) =>
      `${plain(account)} (${[problem && plain(problem), restsUntil && `rests until ${timeIn(seen.zone, restsUntil)}`].filter(Boolean).join(', ') || 'not working'})`,
  )
  return all.length ? `: ${all.join('; ')}` : ''
}

function untilRested(seen: Seen): string {
  const { nextAt } = seen.details.campaign.sending
  if (nextAt) return byItself(seen)
  const first = inTrouble(seen)
    .flatMap(({ restsUntil }) => restsUntil ?? [])
    .sort()[0]
  return first
    ? `The first account is tried again ${timeIn(seen.zone, first)}.`
    : 'It goes on by itself once the account answers again.'
}
