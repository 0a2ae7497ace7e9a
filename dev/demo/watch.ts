import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign, Client } from './client.ts'
import { bar, live } from './screen.ts'

// The campaign while it runs: its numbers, what holds it up, and what has arrived at the mail server.

const everyMs = 300
const longestMs = 90_000

const words: Record<string, string> = {
  draft: 'its start',
  paused: 'being resumed: it is paused',
  done: 'nothing more: it is over',
  weekend: 'a weekday',
  hours: "the agent's hours",
  day_limit: "tomorrow: the accounts have reached today's limit",
  week_limit: "next week: the accounts have reached this week's limit",
  gap: 'the pause between two letters of an account',
  review: 'a person to agree a letter',
  health: 'healthy accounts',
  no_sender: 'a working account to send from',
  no_agent: 'an enabled agent',
  provider: 'the mail server, which cannot be reached',
  nobody_left: 'the day of the follow-ups',
}

/** What holds up the letters and until when, by the workspace's own clock. */
export function holding({ campaign: { sending } }: Campaign, zone: string): string {
  if (sending.now) return 'nothing: letters go'
  const until = sending.nextAt ? `, until ${local(sending.nextAt, zone)}` : ''
  return `${words[sending.blockedBy ?? ''] ?? 'what the docs say'}${until} (blockedBy: ${sending.blockedBy})`
}

/** Reads the campaign until `enough` says so. @throws Error when that takes too long. */
export async function watch(
  { client, campaign, zone }: { client: Client; campaign: string; zone: string },
  enough: (seen: Campaign, arrived: number) => boolean,
): Promise<Campaign> {
  for (const deadline = Date.now() + longestMs; ; await sleep(everyMs)) {
    const seen = await client.get<Campaign>(`/campaigns/${campaign}`)
    const mail = await client.mail()
    const { people, queued, review, sending, sent, failed } = seen.funnel
    const last = mail.at(-1)
    const numbers = `${sent} of ${people} sent`
    const rest = `queued ${queued} (follow-ups too)  review ${review}  sending ${sending}  failed ${failed}`
    const newest = last ? `, the newest to ${last.to.join(', ')}: ${last.subject}` : ''
    live(
      [
        `${bar(sent, people)}  ${numbers}   ${rest}`,
        `waits for  ${holding(seen, zone)}`,
        `mail sink  ${mail.length}${newest}`,
      ],
      numbers,
    )
    if (enough(seen, mail.length)) return seen
    if (Date.now() > deadline)
      throw new Error(`The campaign does not advance; it waits for ${holding(seen, zone)}.`)
  }
}

/** A time in the words of people in the workspace. */
export const local = (at: string | Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
  })
    .format(new Date(at))
    .replace(' at ', ', ')
