import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findGreenMail } from '../../dev/stack/greenmail.ts'
import { reap } from '../../dev/stack/processes.ts'
import { type Fence, fencesOf, programIn, root, textOf } from '../support/documents.ts'
import { atEnd } from '../support/hooks.ts'
import { pythonBin, pythonEnv } from '../support/python.ts'
import { eventually } from '../support/service.ts'
import { hasPrograms, type Shell, startShell } from '../support/shell.ts'
import { differencesOf } from '../support/shown.ts'

// The tour, typed in as it is written: the first block starts the stack, the second enters what that has printed, and each of
// the others is run in the same shell and compared with the answers that are shown below it.

const ports = [
  'PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'MAIL_SMTP_PORT',
  'MAIL_HTTP_PORT',
  'MAIL_IMAP_PORT',
]
const longestMs = 60_000

type Step = { commands: Fence; shown: unknown[] }

/** Each block of commands with the answers that follow it. */
function stepsOf(document: string): Step[] {
  const steps: Step[] = []
  for (const fence of fencesOf(textOf(document))) {
    if (fence.language === 'bash') steps.push({ commands: fence, shown: [] })
    if (fence.language === 'json') steps.at(-1)?.shown.push(JSON.parse(fence.text))
  }
  return steps
}

const title = ({ commands: { text, line } }: Step) => `line ${line}: ${text.split('\n')[0]}`

// A read may be repeated until its answer is as shown: the tour says so where something takes a moment.
const isRepeatable = ({ commands }: Step) => !/Idempotency-Key|--upload-file/.test(commands.text)

const answersOf = (out: string): unknown[] =>
  JSON.parse(spawnSync('jq', ['-cs', '.'], { input: out, encoding: 'utf8' }).stdout)

/** The values of the variables that a reader enters, as `npm start` has printed them. */
function printed(panel: string): Record<string, string | undefined> {
  const word = (pattern: RegExp) => pattern.exec(panel)?.[1]
  return {
    API: word(/API +(\S+)/),
    TOKEN: word(/Token +(\S+)/),
    MAIL: word(/Mail +(\S+)/),
    SMTP: word(/SMTP ([\d.:]+)/),
  }
}

describe('docs/tour.md', function () {
  this.timeout(2 * longestMs)
  const [start, variables, ...steps] = stepsOf('docs/tour.md') as [Step, Step, ...Step[]]
  let panel = ''
  let started: ChildProcess
  let shell: Shell

  before(async function () {
    this.timeout(300_000)
    if (!hasPrograms('bash', 'curl', 'jq')) this.skip()
    await findGreenMail(() => {}).catch(() => this.skip())
    const dataDir = mkdtempSync(join(tmpdir(), 'postroom-tour-'))
    atEnd(async () => rmSync(dataDir, { recursive: true, force: true }))
    started = spawn('bash', ['-c', `exec env ${start.commands.text}`], {
      cwd: root,
      env: {
        ...process.env,
        ...Object.fromEntries(ports.map((name) => [name, '0'])),
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    reap(started)
    let notices = ''
    started.stdout?.setEncoding('utf8').on('data', (text) => {
      panel += text
    })
    started.stderr?.setEncoding('utf8').on('data', (text) => {
      notices += text
    })
    await eventually(
      async () => panel,
      () => panel.includes('Ctrl-C stops everything.') || started.exitCode !== null,
      280_000,
    )
    equal(started.exitCode, null, notices)
    shell = startShell(root)
  })

  after(async () => {
    shell?.end()
    if (!started || started.exitCode !== null) return
    // It ends only when everything it has started has closed its output as well.
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    await closed
  })

  it('starts with npm start', () => {
    equal(start.commands.text, 'CLOCK=2026-11-23T09:00:00Z npm start\n')
  })

  it('asks only for what npm start has printed', async () => {
    const values = printed(panel)
    const names = [...variables.commands.text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
    deepEqual(names.sort(), Object.keys(values).sort())
    for (const name of names) ok(values[name], `${name} is not in what npm start has printed`)
    const { status } = await shell.run(names.map((name) => `${name}=${values[name]}`).join('\n'))
    equal(status, 0)
  })

  for (const step of steps)
    it(title(step), async () => {
      const attempt = async () => {
        const { status, out, trouble } = await shell.run(step.commands.text)
        if (status !== 0) return [`it ends with ${status}: ${out}${trouble}`]
        if (step.shown.length === 0) return []
        const given = answersOf(out).slice(-step.shown.length)
        return differencesOf(step.shown, given)
      }
      const differences = isRepeatable(step)
        ? await eventually(attempt, ({ length }) => length === 0, longestMs)
        : await attempt()
      deepEqual(differences, [])
    })

  it('says the same in TypeScript, under the same keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postroom-tour-'))
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    const client = join(root, 'clients/typescript/src/index.ts')
    const program = join(folder, 'tour.ts')
    writeFileSync(program, programIn('docs/tour.md').replace('@postroom/client', client))
    const { API, TOKEN } = printed(panel)
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      cwd: root,
      env: { ...process.env, API, TOKEN },
    })
    // Each change was made above, and this is its answer.
    match(stdout, /state: 'done'[\s\S]*queued: 0/)
  })

  it('says the same in Python, under the same keys', async function () {
    this.timeout(600_000)
    const python = join(await pythonBin(this), 'python')
    const { API, TOKEN } = printed(panel)
    const { stdout } = await promisify(execFile)(
      python,
      ['-c', programIn('docs/tour.md', 'python')],
      {
        cwd: root,
        env: pythonEnv({ API, TOKEN }),
      },
    )
    match(stdout, /^done \{.*'queued': 0/m)
  })

  it('begins with the first call of the README', async () => {
    const text = textOf('README.md')
    const [call = ''] = /^ {4}curl .*\$API.*$/m.exec(text) ?? []
    const { status, out } = await shell.run(call.replace('curl', 'curl -sS --fail-with-body'))
    equal(status, 0, out)
    ok(JSON.parse(out), out)
  })
})
