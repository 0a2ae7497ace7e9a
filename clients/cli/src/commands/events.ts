import type { Command } from 'commander'
import { usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import { cut, plain, type Terminal } from '../terminal.ts'

type Given = { follow?: boolean; after?: string; from?: string; kinds?: string; limit: string }

/** An event of whatever kind: those of later versions too. */
type Shown = { at: string; kind: string; resource: string; data: object }

const hourMs = 3_600_000

export const addEvents: Add = (program, run) => {
  helped(
    program
      .command('events')
      .option('-f, --follow', 'go on with what happens from now, until Ctrl-C')
      .option('--after <cursor>', 'begin after this event')
      .option('--from <time>', 'begin at this time; by default an hour ago, with --follow now')
      .option('--kinds <kinds>', 'these kinds alone, with commas: touch.*,message.received')
      .option('--limit <number>', 'without --follow, how many at most', '100')
      .summary('show what happens')
      .description(
        'Shows events, each once and in order. With --follow it goes on however long the service is away, and ends with the cursor to begin after. With --json each line is an event with its cursor.',
      ),
    "postroom events --follow --kinds 'message.*,touch.*'",
    'postroom events --from 2026-12-01T08:00:00Z --json',
  ).action((given: Given, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const limit = Number(given.limit)
      if (!(Number.isInteger(limit) && limit > 0)) throw usage('--limit takes a number from 1 on.')
      if (given.after !== undefined && given.from !== undefined)
        throw usage('Give --after or --from, not both.')
      const kinds = kindsOf(given.kinds)
      const client = await session.client()
      const show = (event: Shown) =>
        terminal.json ? terminal.object(event) : terminal.line(lineOf(event, terminal))
      if (!given.follow) {
        const from = given.from ?? new Date(Date.now() - hourMs).toISOString()
        const place = given.after === undefined ? { from } : { cursor: given.after }
        const size = Math.min(200, limit)
        let shown = 0
        const query = { ...place, limit: size, ...(kinds && { kinds }) }
        for await (const event of client.listEvents(query, { signal })) {
          show(event)
          if (++shown >= limit) return
        }
        if (shown === 0 && !terminal.json)
          terminal.say(given.from || given.after ? 'No events.' : 'No events in the last hour.')
        return
      }
      // The cursor of now is known before it begins, so that nothing is passed over while the service is away.
      let cursor = given.after
      if (cursor === undefined) {
        const from = given.from ?? 'now'
        if (from === 'now')
          cursor = (await client.listEvents({ from, limit: 1 }, { signal })).cursor
      }
      if (!terminal.json) terminal.say('Following events; Ctrl-C ends it.')
      const { from } = given
      const place = cursor === undefined ? { from } : { after: cursor }
      try {
        for await (const event of client.followEvents({ ...place, kinds, signal })) {
          show(event)
          cursor = event.cursor
        }
      } finally {
        if (cursor !== undefined && !terminal.json)
          terminal.say(`\nGo on with: postroom events --follow --after ${cursor}`)
      }
    }),
  )
}

export const kindsOf = (given: string | undefined): string[] | undefined =>
  given
    ?.split(',')
    .map((kind) => kind.trim())
    .filter(Boolean)

/** `09:12:03  message.received  msg_…  person per_…`. */
function lineOf({ at, kind, resource, data }: Shown, { paint, width }: Terminal): string {
  const time = new Date(at).toTimeString().slice(0, 8)
  const details = Object.entries(data)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}=${plain(String(value))}`)
    .join(' ')
  const head = `${time}  ${kind.padEnd(22)}  ${resource}`
  const room = width - head.length - 2
  return `${paint('dim', time)}  ${paint('bold', kind.padEnd(22))}  ${resource}${room > 8 ? `  ${paint('dim', cut(details, room))}` : ''}`.trimEnd()
}
