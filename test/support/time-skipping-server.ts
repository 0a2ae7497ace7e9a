import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { hasJava, hasMaven, maven } from '../../dev/stack/java.ts'
import { TemporalMissing } from '../../dev/stack/temporal-find.ts'
import { cached, cacheFolder } from '../../dev/stack/tools.ts'

const version = declared.versions.timeSkippingServer
const name = `time-skipping-${version}`
const oldestJava = 17

/**
 * A launcher of the time-skipping server: its jars from Maven Central, run by Java.
 * @throws TemporalMissing saying what to install.
 */
export async function findTimeSkippingServer(say: Log): Promise<string> {
  if (!(await hasJava(oldestJava))) {
    throw new TemporalMissing(`Time-skipping tests need Java ${oldestJava} or later.`)
  }
  const place = join(cacheFolder, name)
  if (!existsSync(place) && !(await hasMaven())) {
    throw new TemporalMissing('Time-skipping tests need mvn once, to fetch their server.')
  }
  const folder = await cached(name, (draft) =>
    step(`${name} from Maven, once for this user`, () => fetchJars(join(draft, name)), say),
  )
  return writeLauncher(folder)
}

async function fetchJars(folder: string): Promise<string> {
  mkdirSync(folder)
  const pom = join(folder, 'pom.xml')
  writeFileSync(pom, project)
  await maven([
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${join(folder, 'jars')}`,
  ])
  return folder
}

// Written again each time, and never half written: the cache may have been made by an older version.
function writeLauncher(folder: string): string {
  const path = join(folder, 'launch')
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, launcher, { mode: 0o755 })
  renameSync(draft, path)
  return path
}

const project = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>postroom</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`

// The SDK calls it with the port as its only argument, gives it five seconds to listen (hence Java's
// options), and leaves it running when the tests are killed: the watcher beside it does not.
const launcher = `#!/bin/sh
parent=$PPID server=$$
{
  while kill -0 $parent; do
    kill -0 $server || exit 0
    sleep 1
  done
  kill -KILL $server
} >/dev/null 2>&1 &
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$@"
`
