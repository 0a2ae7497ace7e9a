import { parseArgs } from 'node:util'
import { parseConfig } from '../../process/config.ts'
import { notice } from '../operator/progress.ts'
import { connect } from './client.ts'
import { detail, hush, live, say, showLinks, title } from './screen.ts'
import { type DemoStack, startDemoStack } from './stack.ts'
import { play } from './story.ts'
import { verdict } from './verdict.ts'
import { local } from './watch.ts'

// npm run demo [-- --keep]: the main job on a stack of its own, and a check that every promise was kept.

let stack: DemoStack | undefined
const interruptedCode = 130
let outcome = interruptedCode
let interrupted = false

async function demo(keepUp: boolean) {
  showLinks(keepUp)
  const startedAt = Date.now()
  say('Postroom: from a file of people to a finished campaign, in about a minute.')
  say('Every letter goes to a mail sink; nothing leaves this machine.')
  title('0  Start Postgres, Temporal, the worker and the API')
  const clock = mondayMorning(new Date())
  const { dataDir } = parseConfig(process.env)
  const starting = (line: string) => live([line.trim()], line.trim())
  stack = await startDemoStack({ dataDir, clock, say: starting })
  const addresses = await stack.up
  const { uiUrl, mailUrl, url, token, smtpPort } = addresses
  const client = connect(addresses)
  const { timezone: zone } = await client.get<{ timezone: string }>('/workspace')
  if (keepUp) {
    detail(`API     ${url}`)
    detail(`Web UI  ${uiUrl}`)
    detail(`Mail    ${mailUrl}`)
  }
  detail(`Its clock starts on ${local(clock, zone)}: campaign letters go only on weekdays.`)

  const played = await Promise.race([play({ client, zone, smtpPort }), stack.ended.then(stackGone)])
  const promises = await verdict(client, played)
  const kept = promises.every((promise) => promise.kept)
  outcome = kept ? 0 : 1
  title(kept ? 'Every promise was kept' : 'NOT AS PROMISED')
  for (const promise of promises) detail(`${promise.kept ? 'ok ' : 'NOT'}  ${promise.text}`)
  detail(`in ${Math.round((Date.now() - startedAt) / 1000)} seconds`)

  if (keepUp) {
    say(`\nStill up: ${uiUrl}\n          ${mailUrl}`)
    say(`          curl -H 'Authorization: Bearer ${token}' ${url}/campaigns/${played.campaign}`)
    say('Ctrl-C stops everything.')
    await stack.ended
  } else
    say(
      '\nnpm run demo -- --keep leaves it running, with links to its letters and its workflows in Temporal.',
    )
}

/** Today's Monday or the next one, at nine o'clock in much of Europe. */
function mondayMorning(now: Date): string {
  const monday = new Date(now)
  monday.setUTCDate(now.getUTCDate() + ((8 - now.getUTCDay()) % 7))
  monday.setUTCHours(8, 0, 0, 0)
  return monday.toISOString()
}

function stackGone(how: string): never {
  throw new Error(`The service ended (${how}).`)
}

async function leave(code: number): Promise<never> {
  hush()
  await stack?.stop()
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (interrupted) process.exit(interruptedCode)
    interrupted = true
    notice('\nstopping')
    void leave(outcome)
  })

try {
  const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
  await demo(values.keep)
  if (!interrupted) await leave(outcome)
} catch (error) {
  if (!interrupted) {
    say()
    notice(error instanceof Error ? error.message : String(error))
    if (stack) notice(`Logs: ${stack.dataDir}/logs`)
    await leave(1)
  }
}
