import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { Log } from '../operator/progress.ts'
import { declared } from '../operator/temporal-declared.ts'
import { type Child, startChild } from './children.ts'
import { openLog } from './logs.ts'
import { freePort, loopback, waitForPort } from './ports.ts'
import { findTemporal, findUiServer } from './temporal-find.ts'

// A rollback journal costs two fsyncs for each step of a workflow. A write-ahead log costs none until it is copied into the
// file: only a machine that loses its power loses the last steps, and Postgres has every accepted call (docs/operating.md).
const journal = { journal_mode: 'WAL', synchronous: 'NORMAL' }

export type TemporalOptions = {
  /** Where logs and the settings of the Web UI go. */
  folder: string
  port?: number
  /** Without it there is no Web UI. */
  uiPort?: number
  /** Where its own metrics are served. */
  metricsPort?: number
  /** The SQLite file; without it everything is lost at a stop. */
  database?: string
  namespace?: string
  say: Log
  onPid?: (name: string, pid: number) => void
  /** Resolves when the server knows the namespace; without it, this process asks, and loads Temporal's client for that. */
  answers?: (address: string, namespace: string, end: AbortSignal) => Promise<void>
}

export type Temporal = Child & { address: string; uiUrl?: string }

/** Runs a dev server on the loopback address with what temporal-dev.yml declares, and keeps it running. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { folder, uiPort, metricsPort, database, say, namespace = declared.namespace } = options
  const answers = options.answers ?? (await import('./temporal-answers.ts')).untilTemporalAnswers
  const port = options.port ?? (await freePort())
  const command = await findTemporal(say)
  const uiServer = uiPort ? await findUiServer(command, say) : undefined
  const address = `${loopback}:${port}`
  if (database) mkdirSync(dirname(database), { recursive: true })

  const ui = uiPort && !uiServer ? ['--ui-port', String(uiPort)] : ['--headless']
  const args = [
    ...['server', 'start-dev', '--ip', loopback, '--port', String(port), ...ui],
    ...['--namespace', namespace, '--log-level', 'warn'],
    ...(metricsPort ? ['--metrics-port', String(metricsPort)] : []),
    ...(database ? ['--db-filename', database, ...pairs('--sqlite-pragma', journal)] : []),
    ...pairs('--search-attribute', declared.searchAttributes),
    ...pairs('--dynamic-config-value', declared.dynamicConfig),
  ]
  const server = await startChild({
    name: 'temporal',
    prepare: async () => ({ command, args, cwd: folder }),
    async ready(signal) {
      await waitForPort(port, { signal })
      await answers(address, namespace, signal)
    },
    stopSignal: 'SIGINT',
    log: openLog(join(folder, 'logs', 'temporal.log'), 'temporal', say),
    say,
    onPid: (pid) => options.onPid?.('temporal', pid),
  })
  if (!uiPort) return { ...server, address }

  const uiUrl = `http://${loopback}:${uiPort}`
  if (!uiServer) return { ...server, address, uiUrl }
  const web = await startUi(uiServer, { ...options, namespace, uiPort, address })
  return {
    ...server,
    address,
    uiUrl,
    async stop() {
      await web.stop()
      await server.stop()
    },
  }
}

type UiOptions = TemporalOptions & { uiPort: number; address: string }

async function startUi(
  command: string,
  { folder, uiPort, address, namespace, say, onPid }: UiOptions,
) {
  const root = join(folder, 'temporal-ui')
  mkdirSync(join(root, 'config'), { recursive: true })
  writeFileSync(
    join(root, 'config', 'development.yaml'),
    stringify({
      temporalGrpcAddress: address,
      host: loopback,
      port: uiPort,
      enableUi: true,
      defaultNamespace: namespace,
      disableNewsFetch: true,
      hideLogs: true,
      // Plain http: otherwise a browser would drop the cookie that guards the buttons.
      cors: { cookieInsecure: true, allowOrigins: [`http://${loopback}:${uiPort}`] },
    }),
  )
  return startChild({
    name: 'temporal-ui',
    prepare: async () => ({ command, args: ['--root', root, 'start'], cwd: root }),
    ready: (signal) => waitForPort(uiPort, { signal }),
    log: openLog(join(folder, 'logs', 'temporal-ui.log'), 'temporal-ui', say),
    say,
    onPid: (pid) => onPid?.('temporal-ui', pid),
  })
}

const pairs = (flag: string, values: Record<string, unknown>) =>
  Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
