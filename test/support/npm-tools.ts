import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notice, step } from '../../dev/operator/progress.ts'
import { cached, output, succeed } from '../../dev/stack/tools.ts'

/**
 * The folder of an environment with these packages of npm, such as `orval@7.13.2`, made once for this user; their commands stand in
 * `node_modules/.bin`. They are no dependencies of ours, whose tree they would double. Allow the hook some minutes: the first time
 * they are fetched. Makes the suite of the context pending where there is no npm.
 */
export async function npmTools(name: string, packages: string[], context: Context) {
  if ((await output('npm', ['--version'])) === undefined) context.skip()
  const folder = `npm-${name}-${packages.map((one) => one.split('@').at(-1)).join('-')}`
  return cached(folder, (draft) =>
    step(
      `${packages.join(', ')} from npm, once for this user`,
      async () => {
        const place = join(draft, folder)
        mkdirSync(place)
        const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save']
        await succeed(
          spawn('npm', ['install', '--prefix', place, ...quiet, ...packages], {
            cwd: place,
            stdio: ['ignore', 'ignore', 'pipe'],
          }),
        )
        return place
      },
      notice,
    ),
  )
}
