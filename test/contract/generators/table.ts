import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from 'mocha'
import { output } from '../../../dev/stack/tools.ts'
import { npmTools } from '../../support/npm-tools.ts'

// The generators of clients that are tried on the documents: how each generates, compiles, and how its program of the main job is
// run. One that generates Python has a test of its own, python-client.test.ts, whose job is longer. docs/generated-clients.md has the results.

/** Where it works: a folder of its own, with the document in it. */
export type Place = { folder: string; document: string; context: Context }

export type Generator = {
  /** Which of the documents it is given, by its version of OpenAPI. */
  reads: '3.0' | '3.1'
  /** In every run of the slow lane; the others, which fetch and compile for minutes, with `npm run clients -- --generators`. */
  always?: true
  /** What it says of itself or of every document, and nothing can be done about; anything else said is a warning. */
  says?: RegExp
  /** The program that it needs. */
  needs?: string
  /** Makes the client and compiles it with the program; answers what was said, and the command that runs the program. */
  make(place: Place): Promise<{ said: string; play: string[] }>
}

const execute = promisify(execFile)
const programs = join(import.meta.dirname, 'programs')
const openapiGenerator = '7.25.0'

/** What it has said, all of it. */
async function run(command: string, args: string[], cwd: string, env: object = {}) {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout, stderr } = await execute(command, args, options).catch((error) => {
    throw new Error(
      `${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`.slice(0, 20_000),
    )
  })
  return `${stdout}\n${stderr}`
}

const npmPackages = [
  '@hey-api/openapi-ts@0.95.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'orval@7.13.2',
  'axios@1.21.1',
  '@types/node@24.19.2',
  'typescript@5.9.3',
]

/** One from npm: generates by a command of a package, and is compiled by the compiler of TypeScript, strictly. */
function fromNpm(
  name: string,
  generate: (at: Place & { command: (name: string) => string }) => Promise<string>,
  modules: 'esm' | 'commonjs' = 'commonjs',
): Generator['make'] {
  return async (place) => {
    const { folder } = place
    const tools = await npmTools('generators', npmPackages, place.context)
    const command = (tool: string) => join(tools, 'node_modules', '.bin', tool)
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
    const generated = await generate({ ...place, command })
    await copyFile(join(programs, `${name}.ts.txt`), join(folder, 'play.ts'))
    const isEsm = modules === 'esm'
    const compilerOptions = {
      ...{ strict: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
      ...{ types: ['node'], outDir: 'out', rootDir: '.', skipLibCheck: true },
      ...(isEsm
        ? { module: 'nodenext', moduleResolution: 'nodenext' }
        : { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }),
    }
    const config = join(folder, 'tsconfig.json')
    await writeFile(config, JSON.stringify({ compilerOptions, files: ['play.ts'] }))
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ type: isEsm ? 'module' : 'commonjs' }),
    )
    const compiled = await run(command('tsc'), ['--project', config], folder)
    return { said: generated + compiled, play: [process.execPath, join(folder, 'out/play.js')] }
  }
}

/** The generator of openapi-generator with this name; it is one archive from Maven Central. */
async function javaGenerator(name: string, out: string, { folder, document }: Place) {
  const artifact = `org.openapitools:openapi-generator-cli:${openapiGenerator}`
  await run(
    'mvn',
    ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'],
    folder,
  )
  const archive = join(
    homedir(),
    '.m2/repository/org/openapitools/openapi-generator-cli',
    `${openapiGenerator}/openapi-generator-cli-${openapiGenerator}.jar`,
  )
  const without = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'
  const options = [
    '-g',
    name,
    '-i',
    document,
    '-o',
    join(folder, out),
    '--global-property',
    without,
  ]
  return run('java', ['-jar', archive, 'generate', ...options], folder)
}
const javaSays =
  /Failed to get the schema name: null|Ignoring complex example on request body|OpenAPI 3.1 support is still in beta/
// Maven, where JAVA_HOME is not set.
const mavenSays = /Unable to autodetect 'javac' path/

async function go(name: string, tool: string, generate: string[], { folder, document }: Place) {
  await mkdir(join(folder, 'client'))
  await writeFile(join(folder, 'go.mod'), 'module example.com/play\n\ngo 1.24\n')
  await copyFile(join(programs, `${name}.go`), join(folder, 'main.go'))
  const generated = await run('go', ['run', tool, ...generate, document], folder)
  await run('go', ['mod', 'tidy'], folder)
  const vetted = await run('go', ['vet', './...'], folder)
  await run('go', ['build', '-o', 'play', '.'], folder)
  return { said: `${generated}\n${vetted}`, play: [join(folder, 'play')] }
}

const mavenIn = (folder: string, ...goals: string[]) =>
  run('mvn', ['-B', '--no-transfer-progress', '-DskipTests', ...goals], folder)

/** The archives that a compiled program is run with, beside its own classes. */
async function classesOf(project: string) {
  await mavenIn(project, 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt')
  const archives = (await readFile(join(project, 'classpath.txt'), 'utf8')).trim()
  return `${join(project, 'target/classes')}:${archives}`
}

/** Compiles a project whose sources are generated; answers how its class is run, and what was said on the way. */
async function compiledByMaven(project: string, generated: string, main: string) {
  const compiled = await mavenIn(project, 'compile')
  return { said: generated + compiled, play: ['java', '-cp', await classesOf(project), main] }
}

export const generators: Record<string, Generator> = {
  'openapi-typescript with openapi-fetch': {
    reads: '3.1',
    always: true,
    make: fromNpm(
      'openapi-typescript',
      ({ command, document, folder }) =>
        run(command('openapi-typescript'), [document, '--output', 'schema.ts'], folder),
      'esm',
    ),
  },
  '@hey-api/openapi-ts': {
    reads: '3.1',
    always: true,
    make: fromNpm('hey-api', ({ command, document, folder }) =>
      run(command('openapi-ts'), ['--input', document, '--output', 'hey', '--no-log-file'], folder),
    ),
  },
  orval: {
    reads: '3.1',
    always: true,
    make: fromNpm('orval', ({ command, document, folder }) =>
      run(
        command('orval'),
        ['--input', document, '--output', 'orval.ts', '--client', 'fetch'],
        folder,
      ),
    ),
  },
  'openapi-generator typescript-axios': {
    reads: '3.0',
    needs: 'mvn',
    says: javaSays,
    make: fromNpm('typescript-axios', (place) => javaGenerator('typescript-axios', 'axios', place)),
  },
  'openapi-generator java': {
    reads: '3.0',
    needs: 'mvn',
    says: new RegExp(`${javaSays.source}|${mavenSays.source}`),
    async make(place) {
      const project = join(place.folder, 'java')
      const generated = await javaGenerator('java', 'java', place)
      await copyFile(join(programs, 'Play.java'), join(project, 'src/main/java/Play.java'))
      return compiledByMaven(project, generated, 'Play')
    },
  },
  'openapi-generator kotlin': {
    reads: '3.0',
    needs: 'mvn',
    says: javaSays,
    async make(place) {
      const project = join(place.folder, 'kotlin')
      const generated = await javaGenerator('kotlin', 'kotlin', place)
      // Its project is one of Gradle, which fetches itself; Maven compiles the same sources with the same packages.
      await copyFile(join(programs, 'kotlin-pom.xml'), join(project, 'pom.xml'))
      await copyFile(join(programs, 'Play.kt'), join(project, 'src/main/kotlin/Play.kt'))
      return compiledByMaven(project, generated, 'PlayKt')
    },
  },
  'oapi-codegen': {
    reads: '3.0',
    needs: 'go',
    make: (place) =>
      go(
        'oapi-codegen',
        'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
        ['-package', 'client', '-generate', 'types,client', '-o', 'client/client.go'],
        place,
      ),
  },
  ogen: {
    reads: '3.0',
    needs: 'go',
    // It writes every header as Go does (RFC 9110: their case does not matter), and says what it does not check.
    says: /Header name is not canonical|matching HTTP status code will not be enforced/,
    make: (place) =>
      go(
        'ogen',
        'github.com/ogen-go/ogen/cmd/ogen@v1.25.0',
        ['--target', 'client', '--package', 'client', '--clean'],
        place,
      ),
  },
  progenitor: {
    reads: '3.0',
    needs: 'cargo',
    async make({ folder, document }) {
      await mkdir(join(folder, 'src'))
      for (const [from, to] of [
        ['progenitor.rs', 'src/main.rs'],
        ['progenitor-build.rs', 'build.rs'],
        ['progenitor-Cargo.toml', 'Cargo.toml'],
      ])
        await copyFile(join(programs, from ?? ''), join(folder, to ?? ''))
      const said = await run('cargo', ['build', '--quiet'], folder, { DOCUMENT: document })
      return { said, play: [join(folder, 'target/debug/play')] }
    },
  },
}

/** The lines that warn, without those that the generator says of every document. */
export const warningsOf = (said: string, says: RegExp | undefined): string[] =>
  said
    .split('\n')
    .filter((line) => /\bwarn(ing)?\b|⚠/i.test(line))
    .filter((line) => !says?.test(line))

/** Whether what it needs is on this machine. */
export const isHere = async ({ needs }: Generator): Promise<boolean> =>
  !needs || (await output('sh', ['-c', `command -v ${needs}`])) !== undefined
