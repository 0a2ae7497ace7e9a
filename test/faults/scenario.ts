import { randomUUID } from 'node:crypto'
import type { Message } from '../../dev/stack/mail-store.ts'
import type { ImapServer } from '../support/imap-server/server.ts'
import { type FaultClient, faultClient } from './client.ts'
import { correspondence } from './lies.ts'
import { conversations, mailFates, type Plan, people } from './plan.ts'
import type { Stack } from './stack.ts'

// One day of a workspace under faults: a campaign of 40 people that is paused and resumed, and 40 replies in ten
// conversations. Everything enters as clients and operators would enter it.

/** A campaign letter, which can be unsubscribed from; replies cannot. */
export const isLetter = ({ headers }: Message) =>
  headers.some(({ name }) => name === 'list-unsubscribe')

// Letters may have stopped: at the limit of the day, or after a worker's death.
const longestMs = 12_000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)))

export type Pause = {
  inFlight: number
  answeredAt: number
  /** When the next move was asked for; letters that arrive between were claimed before the pause. */
  until: number
}
export type Outcome = Awaited<ReturnType<typeof runScenario>>

export async function runScenario(stack: Stack, plan: Plan, imap: ImapServer) {
  // Everything private contains this word, and no id does.
  const secret = `q${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const workspace = `wsp_${plan.seed}`
  const token = await stack.workspace(
    workspaceFile(workspace, secret, stack.mail.smtpPort, plan.limitDay, imap.port),
  )
  const client = faultClient(stack.url, token, () => plan.random.chance(0.1))
  const fates = mailFates(plan.random, plan.slow)
  if (plan.workers === 2) await stack.up('second')
  const campaign = await setUp(client, stack, plan, secret)

  const { laid, after } = correspondence(imap, plan.mailboxes.random, secret)
  const { onAccepted } = fates.script
  stack.mail.script({
    ...fates.script,
    async onAccepted(message) {
      if (isLetter(message)) after(message)
      return onAccepted(message)
    },
  })
  imap.rows.set(plan.mailboxes.rows)
  const started = Date.now()
  const pauses: Pause[] = []
  await Promise.all([
    cause(stack, plan, started),
    runCampaign(client, stack, campaign, plan, pauses),
    ...plan.messages.map((messages, i) => talk(client, stack, messages, `cnv_${i}`, secret, i)),
  ])
  stack.mail.script({})
  imap.rows.set([])
  return { workspace, campaign, client, secret, pauses, mail: fates.happened, laid }
}

async function setUp(client: FaultClient, stack: Stack, plan: Plan, secret: string) {
  const rows = Array.from({ length: people - conversations }, (_, i) => person(secret, i + 10))
  const csv = ['name,email', ...rows.map(({ name, email }) => `${name},${email}`)].join('\n')
  const file = { name: 'people.csv', content: Buffer.from(csv).toString('base64') }
  const importing = client.change('POST', '/people/import', { file, commit: true })
  if (plan.apiDiesWhileSettingUp) {
    await sleep(100)
    stack.kill('api')
  }
  const { operation } = await importing
  for (let state = ''; state !== 'done'; await sleep(50)) {
    state = (await client.read(`/operations/${operation}`)).state
    if (state === 'failed' || state === 'cancelled') throw new Error(`the import ${state}`)
  }
  let segment = await client.change('POST', '/segments', { query: 'everyone' })
  while (segment.remaining > 0)
    segment = await client.change('POST', '/segments', { query: 'everyone', segment: segment.id })
  const goal = `Book a demo of ${secret}`
  const { id } = await client.change('POST', '/campaigns', {
    goal,
    segment: segment.id,
    agent: 'agt_eva',
  })
  await client.change('POST', `/campaigns/${id}/letters`, { write: [1, 2, 3], agree: [1, 2, 3] })
  return id as string
}

async function runCampaign(
  client: FaultClient,
  stack: Stack,
  campaign: string,
  plan: Plan,
  pauses: Pause[],
) {
  const move = (to: string) => client.change('POST', `/campaigns/${campaign}/state`, { to })
  const stop = async (to: 'paused' | 'done') => {
    const { inFlight } = await move(to)
    const pause = { inFlight, answeredAt: Date.now(), until: Number.POSITIVE_INFINITY }
    pauses.push(pause)
    return pause
  }
  await move('running')
  const more = async (letters: number) => {
    const [sent, deadline] = [
      () => stack.mail.messages().filter(isLetter).length,
      Date.now() + longestMs,
    ]
    for (const before = sent(); sent() < before + letters && Date.now() < deadline; )
      await sleep(10)
  }
  for (const { afterLetters, andMs, forMs } of plan.pauses) {
    await more(afterLetters)
    await sleep(andMs)
    const pause = await stop('paused')
    await sleep(forMs)
    pause.until = Date.now()
    await move('running')
  }
  if (plan.ending === 'done') {
    await more(3)
    await stop('done')
  }
}

async function talk(
  client: FaultClient,
  stack: Stack,
  messages: Plan['messages'][number],
  conversation: string,
  secret: string,
  index: number,
) {
  for (const [n, { afterMs, sendInMs }] of messages.entries()) {
    await sleep(afterMs)
    const text = `Message ${index}-${n} of ${secret}`
    const sendAt = sendInMs && new Date(stack.clock.now().getTime() + sendInMs).toISOString()
    await client.change('POST', `/conversations/${conversation}/messages`, {
      text,
      ...(sendAt && { sendAt }),
    })
  }
}

async function cause(stack: Stack, plan: Plan, started: number) {
  for (const fault of plan.faults) {
    await sleep(started + fault.atMs - Date.now())
    stack.say(`fault: ${JSON.stringify(fault)}`)
    if (fault.do === 'kill') stack.kill(fault.part)
    else if (fault.do === 'crash') stack.crashWorkerAt(fault.point)
    else if (fault.do === 'freeze') {
      stack.kill('worker', 'SIGSTOP')
      await sleep(fault.forMs)
      stack.kill('worker', 'SIGCONT')
    } else if (fault.part === 'mail') {
      await stack.mail.stop()
      await sleep(fault.forMs)
      await stack.mail.restart()
    } else {
      await stack.down(fault.part)
      await sleep(fault.forMs)
      await stack.up(fault.part)
    }
  }
}

const person = (secret: string, i: number) => ({
  name: `Person${i} ${secret}`,
  email: `p${i}@${secret}.example`,
})

/** A workspace of two accounts, an agent and ten people with a conversation each, `cnv_0` to `cnv_9`. */
export function workspaceFile(
  id: string,
  secret: string,
  port: number,
  limitDay: number,
  imapPort?: number,
) {
  const server = { host: '127.0.0.1', secure: false, password: `the password ${secret}` }
  const connection = (name: 'ana' | 'ben') => ({
    id: `con_${name}`,
    kind: 'email',
    name: `${name} ${secret}`,
    account: `${name}@us-${secret}.example`,
    member: 'mem_ana',
    limits: { day: limitDay, week: 1_000, gapSeconds: 0 },
    smtp: { ...server, port, user: name },
    ...(imapPort && { imap: { ...server, port: imapPort, user: `${name}@us-${secret}.example` } }),
  })
  const known = Array.from({ length: conversations }, (_, i) => ({
    ...person(secret, i),
    id: `per_${i}`,
  }))
  return {
    workspace: { id, name: `Faults ${secret}`, timezone: 'Europe/Berlin' },
    members: [{ id: 'mem_ana', name: `Ana ${secret}`, email: `ana@us-${secret}.example` }],
    connections: [connection('ana'), connection('ben')],
    companies: [{ id: 'com_us', name: `Us ${secret}`, pitch: `We like ${secret}.` }],
    agents: [
      {
        id: 'agt_eva',
        name: 'Eva',
        company: 'com_us',
        goal: `Show ${secret}`,
        enabled: true,
        channels: ['con_ana', 'con_ben'],
        hours: { zone: 'Europe/Berlin', from: '00:00', to: '24:00', daysOff: [] },
      },
    ],
    people: known,
    conversations: known.map(({ id: person }, i) => ({
      id: `cnv_${i}`,
      person,
      connection: i % 2 ? 'con_ben' : 'con_ana',
      subject: `About ${secret}`,
      messages: [{ direction: 'inbound', text: `What does ${secret} cost?`, at: '-1d' }],
    })),
  }
}
