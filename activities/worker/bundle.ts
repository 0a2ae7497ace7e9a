import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
const interceptorsPath = fileURLToPath(new URL('../../workflows/interceptors.ts', import.meta.url))
const mostBytes = 64 * 1024 * 1024

/** Bundles the workflows. This takes about a second, so it is done once per process. */
export const bundleWorkflows = (path = workflowsPath): Promise<WorkflowBundle> =>
  bundleWorkflowCode({
    workflowsPath: path,
    workflowInterceptorModules: [interceptorsPath],
    // Our modules keep nothing between two calls (a test holds them to it), so all workflows of a thread share one set of them. By
    // default each workflow loads a set of its own, which its memory holds for as long as it is cached.
    preloadModules: [path, interceptorsPath],
    logger: {
      log() {},
      trace() {},
      debug() {},
      info() {},
      // Only our own sources.
      warn: (line) => void process.stderr.write(`${line}\n`),
      error: (line) => void process.stderr.write(`${line}\n`),
    },
  })

/**
 * Bundles the workflows in a child process. The bundler leaves 150 MB behind, which a worker would hold for as long as it lives.
 * @throws Error with what the child printed.
 */
export async function bundleAside(): Promise<WorkflowBundle> {
  const { stdout: code } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(import.meta.url)],
    { maxBuffer: mostBytes },
  )
  return { code }
}

const mapMark = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,'

/**
 * The bundle without the text of its sources, which is a third of it: every thread that runs workflows would hold it several
 * times. Errors name the same files and lines as with it.
 */
export function withoutSources(code: string): string {
  const at = code.lastIndexOf(mapMark)
  if (at < 0) return code
  const map = JSON.parse(Buffer.from(code.slice(at + mapMark.length), 'base64').toString())
  const { sourcesContent: _, ...smaller } = map
  return `${code.slice(0, at)}${mapMark}${Buffer.from(JSON.stringify(smaller)).toString('base64')}`
}

if (import.meta.main) {
  const bundle = await bundleWorkflows()
  if ('code' in bundle) process.stdout.write(withoutSources(bundle.code))
}
