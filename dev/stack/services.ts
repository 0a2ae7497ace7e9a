import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../operator/progress.ts'
import { keptSecret } from '../operator/stack-values.ts'
import { type Child, startChild } from './children.ts'
import { GreenMailMissing } from './greenmail.ts'
import { openLog } from './logs.ts'
import { type MailSink, startMailSink } from './mail.ts'
import { startMailboxes } from './mailboxes.ts'
import { loopback, onFreePort, type Ports } from './ports.ts'
import { prepareDatabase, startPostgres } from './postgres.ts'
import { end, pidFiles } from './processes.ts'

// The parts of `npm start`, each prepared for a second start and for the death of an earlier one.

export const root = join(import.meta.dirname, '../..')
const databaseName = 'postroom'

type StackHome = { dataDir: string; say: Log }

/** Distinguishes the processes of a stack from others that have since been given their process ids. */
const marks = {
  api: 'api/server',
  worker: 'activities/worker',
  temporal: 'start-dev',
  'temporal-ui': 'temporal-ui',
  mailboxes: 'greenmail',
}

/** Ends the processes that a killed `npm start` left running on this DATA_DIR, and takes over the folder. */
export async function takeOver({ dataDir, say }: StackHome) {
  const pids = pidFiles(dataDir)
  const other = await pids.running('up', 'dev/up.ts')
  if (other) throw new Error(`npm start runs on ${dataDir} already (process ${other}).`)
  pids.write('up', process.pid)
  for (const [name, mark] of Object.entries(marks)) {
    const pid = await pids.running(name, mark)
    if (!pid) continue
    say(`ending the ${name} that the last start left behind`)
    await end(pid, 'SIGTERM', 3_000)
  }
}

/** Embedded Postgres, on the port of the last start if that is still free. */
export async function startDatabase({ dataDir, say }: StackHome, lastPort?: number) {
  const options = {
    folder: join(dataDir, 'postgres'),
    password: keptSecret(dataDir, 'postgres-password'),
    log: openLog(join(dataDir, 'logs', 'postgres.log'), 'postgres', say),
    say,
  }
  const { postgres, port } = await onFreePort(
    async (port) => ({ port, postgres: await startPostgres({ ...options, port }) }),
    lastPort,
  )
  const urls = await prepareDatabase(postgres, databaseName, {
    owner: keptSecret(dataDir, 'postgres-owner-password'),
    service: keptSecret(dataDir, 'postgres-app-password'),
  })
  return { postgres, port, ...urls }
}

export async function startMail({ dataDir }: StackHome, { smtp, http }: Ports) {
  return startMailSink({ folder: join(dataDir, 'mail'), smtpPort: smtp, httpPort: http })
}

/** Mailboxes behind the sink, where Java is available to run them; otherwise nothing. */
export async function startInboxes({ dataDir, say }: StackHome, sink: MailSink, { imap }: Ports) {
  try {
    return await startMailboxes({
      store: sink.store,
      folder: dataDir,
      imapPort: imap,
      say,
      onPid: (pid) => pidFiles(dataDir).write('mailboxes', pid),
    })
  } catch (error) {
    const { message } = error as Error
    say(
      error instanceof GreenMailMissing
        ? `${message} Mail is kept and shown, but nobody can reply to it.`
        : `no mailboxes: ${message}`,
    )
    return undefined
  }
}

/** Ready when it polls for work, which `polled` waits for. */
export const startWorker = (
  place: StackHome,
  env: NodeJS.ProcessEnv,
  polled: (signal: AbortSignal) => Promise<void>,
): Promise<Child> => startService(place, env, 'worker', 'activities/worker.ts', polled)

/** Ready when it answers: the last part to open. */
export const startApi = (place: StackHome, env: NodeJS.ProcessEnv, url: string): Promise<Child> =>
  startService(place, env, 'api', 'api/server.ts', async (signal) => {
    const deadline = Date.now() + 60_000
    while (!(await answers(`${url}/readyz`))) {
      signal.throwIfAborted()
      if (Date.now() > deadline) throw new Error(`${url}/readyz is not ready`)
      await sleep(100)
    }
  })

// As in package.json. Of what a process has just thrown away, V8 keeps three times as much before it looks; by default three
// times 32 MB. Beside 32, a call costs the API some percent more processor time.
const flags = {
  api: ['--max-semi-space-size=16'],
  // A worker holds some hundred MB that stay: by default V8 would let it grow to a multiple before it looks.
  worker: ['--max-semi-space-size=8', '--heap-growing-percent=30'],
}
/** What Node is started with. */
export const commandOf = (name: 'api' | 'worker', file: string): string[] => [...flags[name], file]

function startService(
  { dataDir, say }: StackHome,
  env: NodeJS.ProcessEnv,
  name: 'api' | 'worker',
  file: string,
  ready: (signal: AbortSignal) => Promise<void>,
) {
  return startChild({
    name,
    prepare: async () => ({
      command: process.execPath,
      args: commandOf(name, file),
      env,
      cwd: root,
    }),
    ready,
    // A worker settles the letters that it is sending, and a mail server may take a minute to answer.
    graceMs: name === 'worker' ? 75_000 : 15_000,
    log: openLog(join(dataDir, 'logs', `${name}.log`), name, say),
    say,
    onPid: (pid) => pidFiles(dataDir).write(name, pid),
  })
}

async function answers(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000)
  return fetch(url, { signal }).then(
    (response) => response.ok,
    () => false,
  )
}

/** Fails as soon as the signal says so; the step ends by itself. */
export function orAborted(signal: AbortSignal, step: Promise<void>): Promise<void> {
  const aborted = Promise.withResolvers<void>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([step, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  )
}

export const reachable = (host: string, port: number) =>
  `http://${['0.0.0.0', '::'].includes(host) ? loopback : host}:${port}`
