import { parseArgs } from 'node:util'
import { parseConfig } from '../../process/config.ts'
import { notice } from '../operator/progress.ts'
import { type Client, connect, type Mail, type Person, type Touch } from './client.ts'
import { detail, hush, live, local, say, showLinks, title } from './screen.ts'
import { type DemoStack, startDemoStack } from './stack.ts'
import { type Played, play } from './story.ts'

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

type CheckResult = { kept: boolean; text: string }

/** The promises, compared with the mail that arrived. */
async function verdict(client: Client, played: Played): Promise<CheckResult[]> {
  const mail = await client.mail()
  const people = await client.all<Person>(`/segments/${played.segment}/people`, 'people')
  const touches = await client.all<Touch>(`/campaigns/${played.campaign}/touches`, 'touches')
  const sent = touches.filter(({ state }) => state === 'sent')
  const letters = mail.filter(({ messageId }) =>
    sent.some((touch) => touch.messageId === messageId),
  )
  const { result } = await client.get<{ result: { messageId: string } }>(
    `/operations/${played.message}`,
  )
  const messages = mail.filter(({ messageId }) => messageId === result.messageId)
  const unasked = mail.filter(
    (one) => !letters.includes(one) && !messages.includes(one) && one.messageId !== played.reply,
  )
  const answered = touches.filter(({ reason }) => reason === 'replied')
  const open = touches.filter(({ state }) => state !== 'sent' && state !== 'failed')
  return [
    {
      kept: everyoneOnce(people, letters) && letters.length === sent.length,
      text: `${people.length} people, ${sent.length} letters sent, ${letters.length} arrived, ${distinct(letters)} different Message-IDs`,
    },
    {
      kept: messages.length === 1 && new Set(played.messageAnswers).size === 1,
      text: `the message requested ${played.messageAnswers.length} times arrived ${times(messages.length)}, and the answers are equal`,
    },
    {
      kept: played.paused.before === played.paused.after,
      text: `${played.paused.after - played.paused.before} letters were sent while the campaign was paused`,
    },
    {
      kept: played.ended.before === played.ended.after && open.length === 0,
      text: `${played.ended.after - played.ended.before} letters were sent after its end, ${open.length} are still queued`,
    },
    ...(played.reply
      ? [
          {
            kept: answered.length > 0 && new Set(answered.map(({ person }) => person)).size === 1,
            text: 'one person answered, and no follow-up is sent to them',
          },
        ]
      : []),
    {
      kept: unasked.length === 0,
      text: `${unasked.length} letters arrived that nobody asked for`,
    },
  ]
}

const distinct = (mail: Mail[]) => new Set(mail.map(({ messageId }) => messageId)).size

const everyoneOnce = (people: Person[], letters: Mail[]) =>
  distinct(letters) === letters.length &&
  people.every(({ email }) => letters.filter(({ to }) => to.includes(email)).length === 1)

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

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
