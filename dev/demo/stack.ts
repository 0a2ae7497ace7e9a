import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { prefix } from '../../api/http/prefix.ts'
import { readStack } from '../../process/config.ts'
import type { Log } from '../operator/progress.ts'
import { end, ended, pidFiles, reap } from '../stack/processes.ts'
import { root } from '../stack/services.ts'

// A separate stack for the demo: the same `npm start`, on an empty folder and on ports that nobody else uses.

export type Addresses = {
  url: string
  uiUrl: string
  mailUrl: string
  token: string
  /** The port for answers; nothing on a machine without mailboxes. */
  smtpPort: number | undefined
}
export type DemoStack = {
  dataDir: string
  /** Rejects when the stack ends before it is up. */
  up: Promise<Addresses>
  /** A sentence about how the stack ended, on request or not. */
  ended: Promise<string>
  stop: () => Promise<void>
}

const stopMs = 30_000
const lastLines = 12
const mailPorts = { MAIL_SMTP_PORT: '0', MAIL_HTTP_PORT: '0', MAIL_IMAP_PORT: '0' }
// These variables would tie the demo to an existing stack, or send its invented content to an external model or
// finder.
const notOurs =
  /^(DATABASE_URL|DATABASE_ROLE|MIGRATE_DATABASE_URL|SECRET_KEY(?:_PREVIOUS)?|PUBLIC_URL|HOST|VARIANT|WORKSPACE_FILE|CRASH_AT|(?:TEMPORAL|MAIL|MODEL|FINDER)_.*)$/

/**
 * Empties DATA_DIR/demo and starts the service on it, at its own business time and on ports that the system chooses.
 * @throws Error when a demo already runs there.
 */
export async function startDemoStack(options: {
  dataDir: string
  clock: string
  say: Log
}): Promise<DemoStack> {
  const dataDir = resolve(options.dataDir, 'demo')
  const other = await pidFiles(dataDir).running('up', 'dev/up.ts')
  if (other) throw new Error(`A demo already runs on ${dataDir} (process ${other}).`)
  rmSync(dataDir, { recursive: true, force: true })

  const inherited = Object.entries(process.env).filter(([name]) => !notOurs.test(name))
  const ports = { PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0', ...mailPorts }
  // In a session of its own: Ctrl-C reaches only the demo, which ends the stack in order.
  const child = spawn(process.execPath, [join(root, 'dev/up.ts')], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...ports, DATA_DIR: dataDir, CLOCK: options.clock },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  reap(child)
  const how = ended(child)

  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    options.say(line)
  })
  let panel = ''
  const shown = new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text) => {
      panel += text
      if (panel.includes('Ctrl-C stops everything.')) resolve()
    }),
  )
  const early = how.then((sentence) => {
    throw new Error(`${said.slice(-lastLines).join('\n')}\nIt did not start (${sentence}).`)
  })

  return {
    dataDir,
    up: Promise.race([shown, early]).then(() => {
      const stack = readStack(dataDir)
      return {
        url: `${stack['PUBLIC_URL']}${prefix}`,
        uiUrl: `${stack['TEMPORAL_UI_URL']}/namespaces/${stack['TEMPORAL_NAMESPACE']}/workflows`,
        mailUrl: `http://127.0.0.1:${stack['MAIL_HTTP_PORT']}`,
        smtpPort: stack['MAIL_IMAP_PORT'] ? Number(stack['MAIL_SMTP_PORT']) : undefined,
        token: /\bprm_\w+/.exec(panel)?.[0] ?? '',
      }
    }),
    ended: how,
    async stop() {
      if (child.pid) await end(child.pid, 'SIGINT', stopMs)
    },
  }
}
