import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { hasJava, hasMaven, maven } from '../../dev/stack/greenmail.ts'
import { TemporalMissing } from '../../dev/stack/temporal.ts'
import { cached, cacheFolder } from '../../dev/stack/tools.ts'

const version = declared.versions.timeSkippingServer
const name = `time-skipping-${version}`
const oldestJava = 17

/**
 * What Java starts the time-skipping server with: the class path of its jars, which are from Maven Central, and its class.
 * @throws TemporalMissing saying what to install.
 */
export async function findTimeSkippingServer(say: Log): Promise<string[]> {
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
  return ['-cp', join(folder, 'jars', '*'), 'io.temporal.testserver.TestServer']
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
