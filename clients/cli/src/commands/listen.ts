import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { KeptEvent } from '../../../typescript/src/index.ts'
import { CommandFailure, exits, usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import { fileName, home, readKept, writeKept } from '../kept.ts'
import { facts } from '../terminal.ts'
import { kindsOf } from './events.ts'

// Events to a program on this machine, in the form and with the signature of webhooks (https://www.standardwebhooks.com), without
// an address that the service could reach.

type Kept = { forward: string; secret: string; cursor: string }
type Given = {
  forward: string
  kinds?: string
  tries?: string
  newSecret?: boolean
  fromNow?: boolean
}

const timeoutMs = 15_000
const longestPauseMs = 30_000

export const addListen: Add = (program, run) => {
  helped(
    program
      .command('listen')
      .requiredOption('--forward <url>', 'where your program takes webhooks')
      .option('--kinds <kinds>', 'these kinds alone, with commas: touch.*,message.received')
      .option(
        '--tries <number>',
        'leave an event out after so many tries; by default it is tried until it is taken',
      )
      .option('--from-now', 'leave out what has happened since the last time')
      .option('--new-secret', 'make another secret')
      .summary('bring events to the program you work on, signed as webhooks are')
      .description(
        'Posts each event to your program, in order and signed, as a webhook would be. It shows the secret that it signs with, and keeps it. An event that your program does not answer with 2xx is sent again. Started again, it goes on where it was. It runs for long, so it takes no token that may send: log in with one for reading under a name of its own.',
      ),
    'postroom login --profile reader',
    'postroom listen --profile reader --forward http://127.0.0.1:3000/webhooks',
  ).action((given: Given, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const forward = targetOf(given.forward)
      const tries = given.tries === undefined ? Number.POSITIVE_INFINITY : Number(given.tries)
      if (!(tries >= 1)) throw usage('--tries takes a number from 1 on.')
      const { url } = await session.login()
      const client = await session.client()
      const { scopes, workspace } = await client.getIdentity({ signal })
      if (scopes.includes('send'))
        throw new CommandFailure({
          exit: exits.login,
          code: 'token_may_send',
          message: 'This token may send letters, which a listener does not need.',
          hint: 'Ask the operator for a token with inbox:read alone (`npm run -s token -- create … --scopes inbox:read`), run `postroom login --profile reader`, then `postroom listen --profile reader`.',
        })
      const file = join(home(), 'listen', `${fileName(url, workspace, forward)}.json`)
      const known = await readKept<Kept>(file)
      const state: Kept = {
        forward,
        secret:
          known && !given.newSecret ? known.secret : `whsec_${randomBytes(32).toString('base64')}`,
        cursor:
          known && !given.fromNow
            ? known.cursor
            : (await client.listEvents({ from: 'now', limit: 1 }, { signal })).cursor,
      }
      await writeKept(file, state)
      if (terminal.json)
        terminal.object({
          listening: workspace,
          forward,
          secret: state.secret,
          after: state.cursor,
        })
      else {
        const rows: [string, string][] = [
          ['listening', workspace],
          ['forward', forward],
          ['secret', state.secret],
        ]
        for (const line of facts(rows, terminal)) terminal.line(line)
        terminal.say(
          known && !given.fromNow ? 'It goes on where it was; Ctrl-C ends it.' : 'Ctrl-C ends it.',
        )
      }

      const kinds = kindsOf(given.kinds)
      for await (const event of client.followEvents({ after: state.cursor, kinds, signal })) {
        await deliver(event)
        // Kept once the program has it: what dies in between is sent again, with the same id.
        state.cursor = event.cursor
        await writeKept(file, state)
      }

      async function deliver(event: KeptEvent) {
        for (let attempt = 1; ; attempt++) {
          const began = Date.now()
          const outcome = await post(event)
          const ms = Date.now() - began
          const isTaken = outcome.status >= 200 && outcome.status < 300
          const isLast = isTaken || attempt >= tries
          if (terminal.json)
            terminal.object({
              ...{ event: event.id, kind: event.kind, resource: event.resource, attempt },
              ...{ status: outcome.status || null, problem: outcome.problem ?? null, ms },
            })
          else {
            const what = `${event.kind.padEnd(22)}  ${event.id}`
            const answer = outcome.problem ?? String(outcome.status)
            const more = isTaken ? '' : isLast ? '  left out' : '  will be tried again'
            const shown = terminal.paint(isTaken ? 'green' : 'red', answer)
            // Told at first and then ever more rarely, so that a program which is down does not fill the terminal.
            if (isLast || (attempt & (attempt - 1)) === 0)
              terminal.line(`${shown}  ${what}  ${ms} ms${more}`)
          }
          if (isLast) return
          await sleep(Math.min(longestPauseMs, 500 * 2 ** Math.min(attempt, 10)), undefined, {
            signal,
          })
        }
      }

      async function post({ id, kind, at, resource, data }: KeptEvent) {
        const body = JSON.stringify({
          type: kind,
          timestamp: at,
          data: { ...data, workspace, resource, id },
        })
        try {
          const response = await fetch(forward, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'user-agent': 'Postroom',
              ...signed(state.secret, id, body),
            },
            body,
            redirect: 'manual',
            signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          })
          await response.body?.cancel()
          return { status: response.status, problem: undefined }
        } catch (error) {
          signal.throwIfAborted()
          const { name, cause } = error as Error & { cause?: { code?: string } }
          const problem =
            name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? 'no answer')
          return { status: 0, problem }
        }
      }
    }),
  )
}

/** HMAC-SHA256 over id, seconds and body. The time is that of each attempt, because receivers compare it with theirs. */
export function signed(secret: string, id: string, body: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
}

/** Events hold what clients are and do, so that they leave this machine encrypted only. */
function targetOf(given: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw usage(`${given} is not an address.`, 'It looks like http://127.0.0.1:3000/webhooks.')
  const { protocol, hostname } = new URL(given)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  if (protocol === 'http:' && !isHere)
    throw usage('To another machine, the address has to begin with https:.')
  return new URL(given).href
}
