import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../operator/progress.ts'
import { cached, output, succeed } from './tools.ts'

/** Whether a Java of at least this version is on the PATH. */
export async function hasJava(oldest: number): Promise<boolean> {
  const printed = (await output('java', ['-version'])) ?? ''
  return Number(/version "(\d+)/.exec(printed)?.[1] ?? 0) >= oldest
}

export const hasMaven = async () => (await output('mvn', ['--version'])) !== undefined

/** Runs Maven quietly. @throws Error with what it printed. */
export const maven = (args: string[]) =>
  succeed(spawn('mvn', ['-B', '-q', ...args], { stdio: ['ignore', 'ignore', 'pipe'] }))

/** A jar from Maven Central in the user's cache, named as group:artifact:version. */
export function jar(coordinates: string, say: Log): Promise<string> {
  const [, artifact, version] = coordinates.split(':')
  const name = `${artifact}-${version}.jar`
  return cached(name, (draft) =>
    step(
      `${name} from Maven, once for this user`,
      async () => {
        const folder = join(draft, 'jar')
        mkdirSync(folder)
        await maven(['dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`])
        return join(folder, name)
      },
      say,
    ),
  )
}
