import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { CampaignDetails } from '../../../typescript/src/index.ts'
import { usage } from '../failure.ts'
import { findCampaign } from '../find-campaign.ts'
import { type Add, helped } from '../helped.ts'
import type { Session } from '../session.ts'
import { cut, facts, plain, type Terminal, table } from '../terminal.ts'
import { timeIn } from '../times.ts'
import { type Seen, whyOf } from '../why.ts'

export const addCampaigns: Add = (program, run) => {
  helped(
    program
      .command('why')
      .argument('<campaign>', 'the id of the campaign, or its name')
      .summary('say why a campaign does not send')
      .description('Says what holds the letters of a campaign, who has to act, and until when.'),
    'postroom why cmp_…',
    "postroom why 'Autumn letters'",
  ).action((named: string, _: unknown, command: Command) =>
    run(command, async (session) => {
      const { terminal } = session
      const seen = await look(session, named)
      const { campaign } = seen.details
      const { now, blockedBy, nextAt } = campaign.sending
      const why = whyOf(seen)
      if (terminal.json)
        return terminal.object({
          ...{ campaign: campaign.id, name: campaign.name, state: campaign.state },
          ...{ now, blockedBy, nextAt, ...why, todo: why.todo ?? null },
        })
      terminal.line(titleOf(terminal, seen.details))
      const rows: [string, string][] = [
        ['why', `${why.what}${blockedBy ? ` [${blockedBy}]` : ''}`],
        ['who', why.who],
        ['until', why.until],
      ]
      if (why.todo) rows.push(['how', why.todo])
      for (const line of facts(rows, terminal)) terminal.line(line)
    }),
  )

  const campaign = program
    .command('campaign')
    .summary('list campaigns, or watch one')
    .description('Lists campaigns, or shows how one goes on.')

  helped(
    campaign
      .command('list')
      .summary('list the campaigns and what holds them')
      .description('Lists the campaigns of the workspace, with what holds each.'),
    'postroom campaign list',
  ).action((_: unknown, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const client = await session.client()
      const rows: string[][] = []
      for await (const one of client.listCampaigns({}, { signal })) {
        if (terminal.json) terminal.object(one)
        const { now, blockedBy } = one.sending
        rows.push([one.id, one.name, one.state, now ? 'sends' : (blockedBy ?? '')])
      }
      if (terminal.json) return
      if (rows.length === 0) return terminal.line('The workspace has no campaign.')
      const columns = [
        { head: 'ID' },
        { head: 'NAME', flexible: true },
        { head: 'STATE' },
        { head: 'HELD BY' },
      ]
      for (const line of table(columns, rows, terminal)) terminal.line(line)
    }),
  )

  helped(
    campaign
      .command('watch')
      .argument('<campaign>', 'the id of the campaign, or its name')
      .option('--every <seconds>', 'how often it is read', '2')
      .option('--once', 'show it once')
      .summary('watch how many letters have gone')
      .description(
        'Draws the letters of a campaign and what became of them, until it has ended or you press Ctrl-C. Without a terminal it writes a line wherever something changes.',
      ),
    'postroom campaign watch cmp_…',
  ).action((named: string, given: { every: string; once?: boolean }, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const everyMs = Number(given.every) * 1000
      if (!(everyMs >= 500 && everyMs <= 3_600_000))
        throw usage('--every takes seconds, from 0.5 to 3600.')
      const client = await session.client()
      const id = await findCampaign(client, named, signal)
      const { zone } = await session.place()
      let last = ''
      for (;;) {
        const details = await client.getCampaign(id, { signal })
        const { funnel } = details
        const { state, sending } = details.campaign
        const shown = JSON.stringify([funnel, state, sending.blockedBy])
        if (shown !== last) {
          if (terminal.json)
            terminal.object({ campaign: id, state, blockedBy: sending.blockedBy, funnel })
          else if (terminal.isTerminal) terminal.draw(drawn(terminal, details, zone))
          else if (given.once) terminal.line(drawn(terminal, details, zone).join('\n'))
          else terminal.line(inOneLine(details))
        }
        last = shown
        if (given.once || state === 'done') return
        await sleep(everyMs, undefined, { signal })
      }
    }),
  )
}

/** The campaign and what explains it, as far as the token may read it. */
async function look(session: Session, named: string): Promise<Seen> {
  const { signal } = session
  const client = await session.client()
  const id = await findCampaign(client, named, signal)
  const details = await client.getCampaign(id, { signal })
  const optional = async <T>(read: Promise<T[]>): Promise<T[]> =>
    read.catch(() => {
      signal.throwIfAborted()
      return []
    })
  const by = details.campaign.sending.blockedBy ?? ''
  const wants = (...all: string[]) => all.includes(by)
  const [{ zone }, channels, accounts] = await Promise.all([
    session.place(),
    wants('provider', 'no_sender')
      ? optional(client.listChannels({}, { signal }).then(({ channels }) => channels))
      : [],
    wants('health', 'day_limit', 'week_limit')
      ? optional(client.getSendersHealth({ signal }).then(({ accounts }) => accounts))
      : [],
  ])
  return { details, zone, channels, accounts }
}

function titleOf({ paint, width }: Terminal, { campaign: { name, id, state } }: CampaignDetails) {
  const rest = `${id}, ${state}`
  const room = Math.max(12, width - rest.length - 1)
  return `${paint('bold', cut(plain(name), room))} ${paint('dim', rest)}`
}

const stages = ['sent', 'sending', 'review', 'queued', 'failed', 'skipped'] as const
const answers = ['replied', 'interested', 'meetings', 'declined'] as const

/** The letters above, the people below, each as long as its share. */
function drawn(terminal: Terminal, details: CampaignDetails, zone: string | undefined): string[] {
  const { campaign, funnel } = details
  const { paint } = terminal
  const all = Math.max(1, ...stages.map((stage) => funnel[stage]), funnel.people)
  const room = Math.min(40, Math.max(8, terminal.width - 22))
  const bar = (name: string, n: number, style: 'green' | 'red' | 'yellow' | 'dim') => {
    const long = n === 0 ? 0 : Math.max(1, Math.round((n / all) * room))
    return `  ${name.padEnd(11)}${String(n).padStart(6)} ${paint(style, '█'.repeat(long))}`.trimEnd()
  }
  const styles = { sent: 'green', failed: 'red', skipped: 'dim', review: 'yellow' } as const
  const { now, blockedBy, nextAt } = campaign.sending
  const until = nextAt && !now ? ` until ${timeIn(zone, nextAt)}` : ''
  const status = now
    ? 'letters go now'
    : blockedBy === 'draft' || blockedBy === campaign.state
      ? 'no letters go: `postroom why` says more'
      : `held by ${blockedBy}${until}`
  return [
    titleOf(terminal, details),
    cut(status, terminal.width),
    paint('dim', 'letters'),
    ...stages.map((stage) =>
      bar(stage, funnel[stage], stage in styles ? styles[stage as keyof typeof styles] : 'yellow'),
    ),
    paint('dim', 'people'),
    bar('in segment', funnel.people, 'dim'),
    ...answers.map((answer) =>
      bar(answer, funnel[answer], answer === 'declined' ? 'dim' : 'green'),
    ),
  ]
}

const inOneLine = ({ campaign, funnel }: CampaignDetails) =>
  [
    `${campaign.state}${campaign.sending.blockedBy ? ` (${campaign.sending.blockedBy})` : ''}`,
    ...[...stages, ...answers].map((name) => `${name} ${funnel[name]}`),
  ].join('  ')
