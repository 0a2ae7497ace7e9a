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
  /** What the tools of the client need, unless it is there already. */
  install: { command: Command; from: string; makes: string }
}

const clients: Client[] = [
  {
    name: 'typescript',
    folder: 'clients/typescript',
    install: {
      command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
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
      command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
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
]

const root = join(import.meta.dirname, '..')
const packed = join(import.meta.dirname, 'packed')
const { values, positionals } = parseArgs({
  options: { only: { type: 'string', multiple: true } },
  allowPositionals: true,
})
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
  if (isOlder(join(place, install.makes), join(place, install.from)))
    await run(install.command, place)
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
