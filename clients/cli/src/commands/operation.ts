import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Client, type Operation, problemOf } from '../../../typescript/src/index.ts'
import { CommandFailure, exits, usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import type { Session } from '../session.ts'
import { facts, plain } from '../terminal.ts'
import { timeIn } from '../times.ts'

export const addOperation: Add = (program, run) => {
  helped(
    program
      .command('operation')
      .argument('<key>', 'the key of the call, as `send` and `import` show it')
      .option('--wait', 'wait until it has ended')
      .option('--for <seconds>', 'how long to wait', '600')
      .summary('show what became of a call, or wait for it')
      .description(
        'Shows the work that a call has started; with --wait, until it has ended, with a line of its progress. It ends with 1 if the work had no effect, and with 5 if the time is over.',
      ),
    'postroom operation 0b9f… --wait',
  ).action((key: string, given: { wait?: boolean; for: string }, command: Command) =>
    run(command, async (session) => {
      const forMs = Number(given.for) * 1000
      if (!(forMs > 0)) throw usage('--for takes seconds.')
      if (given.wait) return follow(session, key, { forMs })
      const client = await session.client()
      show(session, await read(client, key, 0, session.signal), (await session.place()).zone)
    }),
  )
}

/** Operations are shown as `<workspace>:<key>`; both that and the key are taken. */
async function read(client: Client, key: string, wait: number, signal: AbortSignal) {
  try {
    return await client.getOperation(key, { wait }, { signal })
  } catch (error) {
    const rest = /^[^:]+:(.+)$/.exec(key)?.[1]
    if (problemOf(error)?.code !== 'not_found' || !rest) throw error
    return client.getOperation(rest, { wait }, { signal })
  }
}

/** Waits for an operation, and shows how it ended. @throws CommandFailure where it had no effect, or has not ended in time. */
export async function follow(
  session: Session,
  key: string,
  given: { forMs: number; with?: Record<string, unknown> },
): Promise<void> {
  const { terminal, signal } = session
  const client = await session.client()
  const { zone } = await session.place()
  const until = Date.now() + given.forMs
  for (;;) {
    const began = Date.now()
    const left = Math.ceil((until - began) / 1000)
    // A progress that is counted changes meanwhile, so it is asked for more often.
    const operation = await read(client, key, Math.max(0, Math.min(2, left)), signal)
    if (operation.endedAt !== null) {
      terminal.settle()
      show(session, operation, zone, given.with)
      if (operation.state === 'done') return
      throw new CommandFailure({
        exit: exits.refused,
        code: `operation_${operation.state}`,
        message: `${operation.kind} is ${operation.state}${reasonOf(operation)}.`,
      })
    }
    if (!terminal.json) terminal.progress(progressOf(operation, zone))
    if (Date.now() >= until) {
      terminal.settle()
      throw new CommandFailure({
        exit: exits.notEnded,
        code: 'not_ended',
        message: `It has not ended yet: ${progressOf(operation, zone)}.`,
        hint: `It goes on. \`postroom operation ${key} --wait\` waits again.`,
      })
    }
    await sleep(Math.max(0, 500 - (Date.now() - began)), undefined, { signal })
  }
}

function reasonOf({ result }: Operation): string {
  if (typeof result !== 'object' || result === null) return ''
  const { reason, detail, code } = result as Record<string, unknown>
  const said = [detail, reason, code].find((one) => typeof one === 'string' && one)
  return said ? `: ${plain(String(said)).replace(/\.$/, '')}` : ''
}

export function progressOf(operation: Operation, zone: string | undefined): string {
  const { kind, state, waitingFor, until, progress, why } = operation
  const waits = waitingFor ? ` for ${waitingFor}${why ? ` (${plain(why)})` : ''}` : ''
  const when = until ? ` until ${timeIn(zone, until)}` : ''
  const share = progress
    ? `  ${'█'.repeat(Math.round((progress.done / Math.max(1, progress.total)) * 20)).padEnd(20, '·')} ${progress.done} of ${progress.total}`
    : ''
  return `${kind}: ${state}${waits}${when}${share}`
}

function show(
  { terminal }: Session,
  operation: Operation,
  zone: string | undefined,
  more: Record<string, unknown> = {},
) {
  if (terminal.json)
    return terminal.object(Object.keys(more).length ? { ...more, ended: operation } : operation)
  const { state, waitingFor, acceptedAt, endedAt, why, until } = operation
  const style = state === 'done' ? 'green' : state === 'failed' ? 'red' : 'yellow'
  terminal.line(`${terminal.paint('bold', operation.kind)} ${terminal.paint(style, state)}`)
  const rows: [string, string][] = [['accepted', timeIn(zone, acceptedAt)]]
  if (waitingFor) rows.push(['waits for', `${waitingFor}${why ? `: ${why}` : ''}`])
  if (until) rows.push(['until', timeIn(zone, until)])
  if (endedAt) rows.push(['ended', timeIn(zone, endedAt)])
  const reason = reasonOf(operation)
  if (reason && state !== 'done') rows.push(['reason', reason.slice(2)])
  if (operation.progress)
    rows.push(['progress', `${operation.progress.done} of ${operation.progress.total}`])
  for (const line of facts(rows, terminal)) terminal.line(line)
}
