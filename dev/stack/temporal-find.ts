import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Log, step } from '../operator/progress.ts'
import { declared } from '../operator/temporal-declared.ts'
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
export async function findUiServer(temporal: string, say: Log): Promise<string | undefined> {
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

// node dev/stack/temporal-find.ts: prepares everything before something with a time limit needs it.
if (import.meta.main) {
  const { notice } = await import('../operator/progress.ts')
  const temporal = await findTemporal(notice)
  notice([temporal, await findUiServer(temporal, notice)].filter(Boolean).join('\n'))
}
