import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createToken } from '../../db/workspace/tokens.ts'
import { notice } from '../../dev/operator/progress.ts'
import { startMailboxes } from '../../dev/stack/mailboxes.ts'
import { reap } from '../../dev/stack/processes.ts'
import { root } from '../../dev/stack/services.ts'
import { faultClient } from '../faults/client.ts'
import { startStack } from '../faults/stack.ts'
import { scriptedSmtp } from '../support/smtp-server/server.ts'
import { attacks } from './attacks.ts'
import { kinds, type Measured, type Quiet } from './quiet.ts'
import type { Target } from './target.ts'

// npm run neighbours -- [--seconds 30] [--size 1] [--only WORDS,WORDS]: what one tenant feels of the attacks of another. The service
// runs in real processes; a quiet tenant reads, awaits answers, sends, gets letters and mail and is told of it, first alone and then
// beside each attack. `--size 0.1` makes a tenth of what an attack prepares before it begins. Ends with 1 where something takes more
// than twice its p99 at rest and is felt at all, where the quiet tenant is refused anything, or a process takes more than 700 MB.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    size: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const size = Number(values.size)
const slowAccounts = 50
const slowMs = 55_000
const bounds = { times: 2, memoryMb: 700 }
// What a person or a program does not notice, even where it is more than twice as long as on an idle machine.
const unfeltMs = {
  reads: 100,
  awaited: 500,
  messages: 500,
  letters: 1_000,
  replies: 1_000,
  webhooks: 500,
}

const env: Record<string, string> = {
  ...{ WEBHOOK_ALLOW_PRIVATE: 'true', RATE_READS: '', RATE_CHANGES: '', RATE_SENDS: '' },
}
const stack = await startStack('neighbours', { env })
let violated = 0
try {
  const mailboxes = await startMailboxes({
    store: stack.mail.store,
    folder: stack.folder,
    say: notice,
  })
  try {
    violated = await compare(mailboxes.imapPort)
  } finally {
    await mailboxes.stop()
  }
} finally {
  await stack.stop({ keep: values.keep })
  if (values.keep) console.log(`logs and data: ${stack.folder}`)
}
process.exit(violated === 0 ? 0 : 1)

async function compare(imapPort: number): Promise<number> {
  const quietToken = await stack.workspace(workspaceOf('quiet', imapPort))
  const slow = await scriptedSmtp([{ stage: 'dot', answer: { lateMs: slowMs } }])
  const noisy = workspaceOf('noisy', imapPort, slow.port)
  const noisyToken = await stack.workspace(noisy)
  const target = await targetOf(noisyToken)
  const quiet: Quiet = {
    ...{ url: stack.url, token: quietToken, seconds, conversations: ids('quiet') },
    ...{ segment: await runningSegment(quietToken), smtpPort: stack.mail.smtpPort },
    account: 'quiet@us.example',
  }

  // What a process does for the first time is not what it does at rest.
  await measure({ ...quiet, seconds: 5 })
  const rest = await measure(quiet)
  report('at rest', rest, await memory(async () => {}), '')
  let worse = 0
  for (const { name, given } of chosen()) {
    const set = await given?.({ stack, workspace: noisy, size, env })
    if (set?.isRestarted) await untilWarm(quiet)
    const attack = child('noise.ts', { ...target, seconds, size }, name)
    // What it does in advance is done, and the attack is under way.
    await attack.ready
    await sleep(1_000)
    let beside = rest
    const most = await memory(async () => {
      beside = await measure(quiet)
    })
    const answers = await attack.said
    const wrong = [
      ...kinds.filter((kind) => {
        const [now, alone] = [quantile(beside[kind], 0.99), quantile(rest[kind], 0.99)]
        return now > Math.max(bounds.times * alone, unfeltMs[kind])
      }),
      Math.max(most.api, most.worker) > bounds.memoryMb && 'memory',
      Object.keys(beside.refused).length > 0 && 'refusals',
    ].filter(Boolean)
    if (wrong.length > 0) worse++
    report(name, beside, most, `${answers}${wrong.length > 0 ? `  VIOLATED: ${wrong}` : ''}`)
    await set?.after()
    // The backlog of one attack is worked off before the next.
    await sleep(5_000)
  }
  console.log(`${worse} violated`)
  return worse
}

/** A worker that starts takes over mailboxes once their leases have ended, and does everything for the first time. */
async function untilWarm(quiet: Quiet) {
  const [warmReplyMs, mostLooks] = [2_000, 10]
  for (let look = 0; look < mostLooks; look++) {
    const { replies } = await measure({ ...quiet, seconds: 5 })
    if (quantile(replies, 1) < warmReplyMs) return
  }
}

/** A campaign of the quiet tenant that is running: who joins its segment gets a letter. */
async function runningSegment(token: string): Promise<string> {
  const client = faultClient(stack.url, token)
  const { id: segment } = await client.change('POST', '/segments', { query: 'nobody yet' })
  const { id } = await client.change('POST', '/campaigns', {
    goal: 'Book a demo',
    segment,
    agent: 'agt_quiet',
  })
  const templates = [{ place: 1, subject: 'Hello', text: 'Hello.' }]
  await client.change('POST', `/campaigns/${id}/letters`, { templates, agree: [1] })
  await client.change('POST', `/campaigns/${id}/state`, { to: 'running' })
  return segment
}

/** The attacks whose names have one of the words that were asked for. */
function chosen() {
  const words = values.only.split(',')
  return attacks.filter(({ name }) => words.some((word) => name.includes(word)))
}

function ids(workspace: string) {
  return Array.from({ length: 10 }, (_, i) => `cnv_${workspace}${i}`)
}

async function targetOf(token: string): Promise<Omit<Target, 'seconds' | 'size'>> {
  const client = faultClient(stack.url, token)
  const { id: segment } = await client.change('POST', '/segments', { query: 'everyone' })
  const campaign = await client.change('POST', '/campaigns', {
    goal: 'Book a demo',
    segment,
    agent: 'agt_noisy',
  })
  const reader = await createToken(stack.db, {
    workspace: 'wsp_noisy',
    member: 'mem_noisy',
    client: 'reader',
    scopes: ['inbox:read'],
  })
  return {
    url: stack.url,
    token,
    reader: reader.token,
    smtpPort: stack.mail.smtpPort,
    account: 'noisy@us.example',
    agent: 'agt_noisy',
    company: 'com_noisy',
    campaign: campaign.id,
    people: Array.from({ length: slowAccounts }, (_, i) => `per_noisy${i}`),
    connection: 'con_noisy',
    slow: Array.from({ length: slowAccounts }, (_, i) => ({
      account: `con_slow${i}`,
      conversation: `cnv_noisy${i}`,
    })),
  }
}

function quantile(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0
}

async function measure(quiet: Quiet): Promise<Measured> {
  return JSON.parse(await child('calm.ts', quiet).said)
}

/**
 * Runs a file beside this one with its input in a file, since tokens do not belong on command lines. It says when it is ready, with
 * a first line, and what came of it, with the last.
 */
function child(file: string, input: unknown, ...more: string[]) {
  const path = join(stack.folder, `${file}.json`)
  writeFileSync(path, JSON.stringify(input), { mode: 0o600 })
  const stranger = file === 'noise.ts'
  const running = spawn(process.execPath, [`test/neighbours/${file}`, path, ...more], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'] as const,
    detached: stranger,
  })
  if (stranger) giveWay(running.pid as number)
  reap(running)
  const closed = new Promise<number | null>((resolve) => running.once('close', resolve))
  const lines: string[] = []
  const reader = createInterface(running.stdout).on('line', (line) => lines.push(line))
  const ready = Promise.race([once(reader, 'line'), closed])
  const said = closed.then((code) => {
    if (code !== 0) throw new Error(`${file} ended with ${code}`)
    return lines.at(-1) ?? ''
  })
  return { ready, said }
}

/**
 * Strangers have machines of their own: they take none of the time that the service and its clients need of this one. Where Linux
 * shares its time out among sessions, a process counts for nothing outside its own.
 */
function giveWay(pid: number) {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  const share = `/proc/${pid}/autogroup`
  if (existsSync(share)) writeFileSync(share, '19')
}

/** The most memory that the API and the worker used during the work, in MB. */
async function memory(work: () => Promise<void>) {
  const most = { api: 0, worker: 0 }
  const look = () => {
    for (const part of ['api', 'worker'] as const)
      most[part] = Math.max(most[part], residentMb(stack.pid(part)))
  }
  const timer = setInterval(look, 250)
  look()
  await work().finally(() => clearInterval(timer))
  return most
}

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

function report(
  name: string,
  { refused, slowest, ...measured }: Measured,
  most: { api: number; worker: number },
  more: string,
) {
  const times = kinds.map((kind) => {
    const [half, most99] = [0.5, 0.99].map((share) => Math.round(quantile(measured[kind], share)))
    return `${kind} ${half}/${most99}`.padEnd(20)
  })
  const others = Object.entries(refused).map(([status, n]) => `${n} × ${status}`)
  console.log(
    `${name.padEnd(34)} ${times.join('')} ms  slowest ${slowest}  api ${most.api} worker ${most.worker} MB  ${others} ${more}`,
  )
}

/**
 * A workspace with an account that is read and written from, an agent, and ten people who have each written; with `slowPort`,
 * fifty people, and as many accounts at that server.
 */
function workspaceOf(name: string, imapPort: number, slowPort?: number) {
  const account = `${name}@us.example`
  const server = (port: number) => ({
    host: '127.0.0.1',
    port,
    secure: false,
    user: account,
    password: 'secret',
  })
  const slow = slowPort === undefined ? [] : Array.from({ length: slowAccounts }, (_, i) => i)
  const people = Array.from({ length: Math.max(10, slow.length) }, (_, i) => ({
    id: `per_${name}${i}`,
    name: `Person ${i}`,
    email: `p${i}@client.example`,
  }))
  return {
    workspace: { id: `wsp_${name}`, name, timezone: 'Europe/Berlin' },
    members: [{ id: `mem_${name}`, name, email: account }],
    connections: [
      {
        id: `con_${name}`,
        kind: 'email',
        name,
        account,
        member: `mem_${name}`,
        limits: { day: 10_000, week: 50_000, gapSeconds: 0 },
        smtp: server(stack.mail.smtpPort),
        imap: server(imapPort),
      },
      ...slow.map((i) => ({
        id: `con_slow${i}`,
        kind: 'email',
        name: `slow${i}`,
        account: `slow${i}@us.example`,
        member: `mem_${name}`,
        limits: { day: 1_000, week: 5_000, gapSeconds: 0 },
        smtp: { ...server(slowPort ?? 0), user: `slow${i}@us.example` },
      })),
    ],
    companies: [{ id: `com_${name}`, name, pitch: 'We like calm.' }],
    agents: [
      {
        id: `agt_${name}`,
        name: 'Eva',
        company: `com_${name}`,
        goal: 'Book a demo',
        enabled: true,
        channels: [`con_${name}`],
      },
    ],
    people,
    conversations: people.map(({ id: person }, i) => ({
      id: `cnv_${name}${i}`,
      person,
      connection: `con_${name}`,
      subject: 'Hello',
      messages: [{ direction: 'inbound', text: 'What does it cost?', at: '-1d' }],
    })),
  }
}
