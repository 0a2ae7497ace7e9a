import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { type Log, notice, step } from '../operator/progress.ts'
import { declared } from '../operator/temporal-declared.ts'
import { type Child, startChild } from './children.ts'
import { openLog } from './logs.ts'
import { freePort, loopback, waitForPort } from './ports.ts'
import { cached, cacheFolder, goInstall, onlyFile, output, sizeOf, succeed } from './tools.ts'

const { cli, uiServer } = declared.versions
const cliName = `temporal-${cli}`
const uiName = `temporal-ui-${uiServer}`
// In older versions the Web UI lacks buttons that operators of this service need.
const oldestUi = [2, 47] as const
const silentDownloadMs = 10_000

/** There is no dev server, and no way to get one here. */
export class TemporalMissing extends Error {}

/**
 * The dev server: from PATH or the user's cache, otherwise downloaded by the SDK or built from the Go module proxy,
 * which takes about three minutes once.
 * @throws TemporalMissing saying what to install.
 */
export async function findTemporal(say: Log): Promise<string> {
  if (await output('temporal', ['--version'])) return 'temporal'
  for (const name of [downloadedName, cliName]) {
    const place = join(cacheFolder, 'bin', name)
    if (existsSync(place)) return place
  }
  const downloaded = await download(say).catch(() => undefined)
  if (downloaded) return downloaded
  if (!(await output('go', ['version']))) {
    throw new TemporalMissing(
      'No Temporal dev server: install the temporal CLI, install Go to build one, or set TEMPORAL_ADDRESS.',
    )
  }
  say(`building the Temporal dev server ${cli} with Go, which takes about three minutes`)
  return goInstall(`github.com/temporalio/cli/cmd/temporal@${cli}`, cliName, say)
}

/** A newer Web UI to run beside a dev server whose own is too old, if Go is available to build it. */
async function findUiServer(temporal: string, say: Log): Promise<string | undefined> {
  if (hasNewUi((await output(temporal, ['--version'])) ?? '')) return undefined
  const place = join(cacheFolder, 'bin', uiName)
  if (existsSync(place)) return place
  if (!(await output('go', ['version']))) return undefined
  const module = `github.com/temporalio/ui-server/v2/cmd/server@${uiServer}`
  return goInstall(module, uiName, say).catch((error: Error) => {
    say(`the newer Web UI could not be built (${error.message}); the dev server's own is used`)
    return undefined
  })
}

function hasNewUi(version: string): boolean {
  const [, major, minor] = (/UI (\d+)\.(\d+)/.exec(version) ?? []).map(Number)
  if (major === undefined || minor === undefined) return true
  return major > oldestUi[0] || (major === oldestUi[0] && minor >= oldestUi[1])
}

const downloadedName = 'temporal-downloaded'

function download(say: Log): Promise<string> {
  return cached(join('bin', downloadedName), (draft) =>
    step(
      'download of the Temporal dev server',
      async () => {
        const script = fileURLToPath(new URL('./temporal-download.ts', import.meta.url))
        const child = spawn(process.execPath, [script, draft], { stdio: 'ignore' })
        let [size, movedAt] = [0, Date.now()]
        const watch = setInterval(() => {
          const now = sizeOf(draft)
          if (now !== size) [size, movedAt] = [now, Date.now()]
          else if (Date.now() - movedAt > silentDownloadMs) child.kill('SIGKILL')
        }, 500)
        try {
          await succeed(child)
        } finally {
          clearInterval(watch)
        }
        return join(draft, onlyFile(draft))
      },
      say,
    ),
  )
}

// A rollback journal costs two fsyncs for each step of a workflow. A write-ahead log costs none until it is copied into the
// file: only a machine that loses its power loses the last steps, and Postgres has every accepted call (docs/operating.md).
const journal = { journal_mode: 'WAL', synchronous: 'NORMAL' }

type TemporalOptions = {
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

// node dev/stack/temporal.ts: gets the dev server and the Web UI, before something with a time limit needs them.
if (import.meta.main) {
  const temporal = await findTemporal(notice)
  notice([temporal, await findUiServer(temporal, notice)].filter(Boolean).join('\n'))
}
