import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmTools } from '../support/npm-tools.ts'
import { documents, olderDocuments } from './documents.ts'

const run = promisify(execFile)

const packages = [
  '@hey-api/openapi-ts@0.95.0',
  'openapi-typescript@7.13.0',
  'orval@7.13.2',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'typescript@5.9.3',
]

// One that generates Python, and plays the main job, is in python-client.test.ts.
describe('the OpenAPI documents under generators and linters from npm', () => {
  let tools: string
  let folder: string
  const command = (name: string) => join(tools, 'node_modules', '.bin', name)

  before(async function () {
    this.timeout(600_000)
    tools = await npmTools('openapi', packages, this)
    folder = await mkdtemp(join(tmpdir(), 'postroom-generators-'))
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
    for (const [name, document] of Object.entries(documents)) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(document()))
    }
    for (const [name, document] of Object.entries(olderDocuments))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(document()))
    await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  })
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const generators: Record<string, (input: string, out: string) => string[]> = {
    'openapi-typescript': (input, out) => [input, '--output', join(out, 'schema.ts')],
    'openapi-ts': (input, out) => ['--input', input, '--output', join(out, 'hey')],
    orval: (input, out) => [
      '--input',
      input,
      '--output',
      join(out, 'orval.ts'),
      '--client',
      'fetch',
    ],
  }
  const entries = ['schema.ts', 'hey/index.ts', 'orval.ts']

  for (const name of Object.keys(documents)) {
    it(`become clients for TypeScript that compile: ${name}`, async function () {
      this.timeout(600_000)
      const out = join(folder, name)
      for (const [generator, options] of Object.entries(generators))
        await run(command(generator), options(join(folder, `${name}.json`), out), { cwd: folder })
      const compilerOptions = {
        ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler' },
        ...{
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable'],
          skipLibCheck: true,
          types: [],
        },
      }
      const config = join(out, 'tsconfig.json')
      await writeFile(config, JSON.stringify({ compilerOptions, files: entries }))
      await run(command('tsc'), ['--project', config])
    })
  }

  // The linters read all of them, those of OpenAPI 3.0 too.
  for (const name of [...Object.keys(documents), ...Object.keys(olderDocuments)]) {
    it(`have no error, warning or hint of Spectral (oas): ${name}`, async function () {
      // Seconds, unless the machine is busy: some rules walk the whole document for each of its parts.
      this.timeout(900_000)
      const options = ['--ruleset', '.spectral.yaml', '--fail-severity', 'hint', '--format', 'text']
      const { stdout } = await run(command('spectral'), ['lint', `${name}.json`, ...options], {
        cwd: folder,
      })
      if (!/^No results with a severity of 'hint' or higher found!/.test(stdout.trim()))
        throw new Error(stdout)
    })

    it(`have no error and no warning of Redocly: ${name}`, async function () {
      this.timeout(300_000)
      const options = ['lint', `${name}.json`, '--extends', 'recommended', '--max-problems', '20']
      const { stdout, stderr } = await run(command('redocly'), options, { cwd: folder })
      const said = `${stdout}\n${stderr}`
      if (/\[\d+\] |warning/i.test(said) || !/is valid/.test(said)) throw new Error(said)
    })
  }
})
