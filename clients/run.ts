import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeApi } from '../api/reference/openapi.ts'
import { routes } from '../api/routes/index.ts'

// npm run clients                                  generates, checks, tests and packs every client
// npm run clients -- typescript                    one of them
// npm run clients -- --only generate [--only …]    these steps alone
// npm run clients -- --generators [ogen …]         has other people's generators make clients, which play the main job
//
// A client is made from the OpenAPI document of this tree, and shares no code with the service: each is a package of its own, with
// tools and tests of its own, and only this file knows of all of them.

const steps = ['generate', 'check', 'test', 'pack'] as const
type Step = (typeof steps)[number]
type Command = string[]
type Client = {
  name: string
  folder: string
  /** The commands of a step, run in the folder, or in that of the project (`here`). */
  commands: Record<Step, (at: { document: string; here: string; packed: string }) => Command[]>
  /** What its steps need (all of them, if none are named), unless it is there already. */
  install: { commands: Command[]; from: string; makes: string; steps?: Step[] }
}

const venv = join(import.meta.dirname, 'python/.venv/bin')
const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
const pythonTools = ['build==1.6.1', 'mypy==2.4.1', 'ruff==0.17.6']

const clients: Client[] = [
  {
    name: 'typescript',
    folder: 'clients/typescript',
    install: {
      commands: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
      from: 'package-lock.json',
      makes: 'node_modules/.package-lock.json',
    },
    commands: {
      generate: ({ document }) => [[process.execPath, 'build/generate.ts', document]],
      check: () => [['npm', 'run', '--silent', 'check']],
      test: ({ here }) => [['npm', '--prefix', here, 'test', '--', 'test/clients/typescript']],
      pack: ({ packed }) => packing(packed),
    },
  },
  {
    // The command line, compiled together with the client for TypeScript that it stands on.
    name: 'cli',
    folder: 'clients/cli',
    install: {
      commands: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
      from: 'package-lock.json',
      makes: 'node_modules/.package-lock.json',
    },
    commands: {
      generate: () => [],
      check: () => [['npm', 'run', '--silent', 'check']],
      test: ({ here }) => [['npm', '--prefix', here, 'test', '--', 'test/clients/cli']],
      pack: ({ packed }) => packing(packed),
    },
  },
  {
    name: 'python',
    folder: 'clients/python',
    install: {
      // With the package itself, and in the end its mark, so that what was interrupted is made again.
      commands: [
        ['python3', '-m', 'venv', '.venv'],
        [`${venv}/python`, '-m', 'pip', 'install', ...quiet, '-e', '.', ...pythonTools],
        [`${venv}/python`, '-c', 'open(".venv/made", "w").close()'],
      ],
      from: 'pyproject.toml',
      makes: '.venv/made',
      steps: ['check', 'pack'],
    },
    commands: {
      generate: ({ document }) => [[process.execPath, 'build/generate.ts', document]],
      check: () => [
        [`${venv}/mypy`],
        [`${venv}/ruff`, 'check', '--quiet'],
        [`${venv}/ruff`, 'format', '--quiet', '--check'],
      ],
      test: ({ here }) => [['npm', '--prefix', here, 'test', '--', 'test/clients/python']],
      pack: ({ packed }) => [[`${venv}/python`, '-m', 'build', '--outdir', packed, '.']],
    },
  },
]

const root = join(import.meta.dirname, '..')
const packed = join(import.meta.dirname, 'packed')
const { values, positionals } = parseArgs({
  options: { only: { type: 'string', multiple: true }, generators: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.generators) {
  const tests = ['generators', 'python-client', 'generated-clients']
  const files = tests.map((name) => `test/contract/${name}.test.ts`)
  process.env['GENERATORS'] = positionals.join(',') || 'all'
  await run(['npm', 'test', '--', ...files.slice(positionals.length > 0 ? -1 : 0)], root)
  process.exit()
}
const wanted = steps.filter((step) => values.only?.includes(step) ?? true)
const named = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const unknown = [
  ...positionals.filter((name) => !clients.some((client) => client.name === name)),
  ...(values.only ?? []).filter((name) => !steps.includes(name as Step)),
]
if (unknown.length > 0) fail(`There is no ${unknown.join(' and no ')}.`)

const temporary = mkdtempSync(join(tmpdir(), 'postroom-clients-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
const document = join(temporary, 'openapi.json')
// The address of a deployment stands in no client.
const described = describeApi(routes, { variant: 'full', publicUrl: 'http://127.0.0.1:8080' })
writeFileSync(document, JSON.stringify(described))
mkdirSync(packed, { recursive: true })

for (const { name, folder, install, commands } of named) {
  const place = join(root, folder)
  const needs = wanted.some((step) => install.steps?.includes(step) ?? true)
  if (needs && isOlder(join(place, install.makes), join(place, install.from)))
    for (const command of install.commands) await run(command, place)
  for (const step of wanted) {
    console.log(`${name}: ${step}`)
    for (const command of commands[step]({ document, here: root, packed }))
      await run(command, place)
  }
}

/** Built by name: the scripts that npm runs by itself are switched off in this project (`.npmrc`), and so in what it starts. */
function packing(packed: string): Command[] {
  return [
    ['npm', 'run', '--silent', 'build'],
    ['npm', 'pack', '--silent', '--pack-destination', packed],
  ]
}

function isOlder(made: string, from: string): boolean {
  return !existsSync(made) || statSync(made).mtimeMs < statSync(from).mtimeMs
}

async function run([command = '', ...args]: Command, cwd: string) {
  const child = spawn(command, args, { cwd, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  if (code !== 0) fail(`${[command, ...args].join(' ')} has failed.`)
}

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}
