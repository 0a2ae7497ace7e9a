import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Campaign, Client } from './client.ts'

// What the demo shows: lines that stay and, on a terminal, one block at the end that is redrawn. Where the output is
// not a terminal, the block becomes a plain line whenever it changes.

const out = process.stdout
const longest = 100
let block: string[] = []
let drawn = 0
let lastLine = ''
let silent = false

/** A line that stays. */
export function say(line = '') {
  if (silent) return
  clear()
  out.write(`${line}\n`)
}

export const title = (text: string) => say(`\n${styleText('bold', text)}`)
export const detail = (text: string) => say(`   ${text}`)
let linking = false
/** Links are shown only if they still work after the demo. */
export function showLinks(shown: boolean) {
  linking = shown
}
/** Where an operator finds the workflow behind the line before. */
export function link(url: string, words?: string) {
  if (!linking) return
  if (words) detail(words)
  detail(styleText('dim', url))
}

/** A quoted text, wrapped to the width. */
export function quote(text: string) {
  for (const paragraph of text.split('\n').filter(Boolean)) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line.length + word.length > longest - 10) {
        detail(`  | ${line.trimEnd()}`)
        line = ''
      }
      line += `${word} `
    }
    detail(`  | ${line.trimEnd()}`)
  }
}

/** Redraws the block; `plain` is its content in one line. */
export function live(lines: string[], plain: string) {
  if (silent) return
  block = lines
  if (!out.isTTY) {
    if (plain !== lastLine) detail(plain)
    lastLine = plain
    return
  }
  clear()
  const width = (out.columns || 80) - 1
  for (const line of lines) out.write(`${cut(`   ${line}`, width)}\n`)
  drawn = lines.length
}

/** Leaves the block as it is; later output goes below it. */
export function settle() {
  if (!out.isTTY) for (const line of block) detail(line)
  drawn = 0
}

/** Shows nothing from now on. */
export function hush() {
  silent = true
}

function clear() {
  if (drawn > 0) out.write(`\x1b[${drawn}A\x1b[J`)
  drawn = 0
}

// A line that wraps would take two rows, and the next drawing would begin too low.
const cut = (line: string, width: number) =>
  stripVTControlCharacters(line).length > width ? `${line.slice(0, width - 1)}…` : line

/** A bar of `width` characters. */
function bar(done: number, total: number, width = 26): string {
  const filled = total > 0 ? Math.round((done / total) * width) : 0
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
}

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
  letter_not_agreed: 'a person to agree the letters that follow',
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
