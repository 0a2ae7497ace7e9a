import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MailSink, startMailSink } from '../../dev/stack/mail.ts'
import { reap } from '../../dev/stack/processes.ts'
import { atEnd } from '../support/hooks.ts'
import { eventually } from '../support/service.ts'

// `npm start` as used with a workspace file of one's own, in another folder.

const root = join(import.meta.dirname, '../..')
const ownPorts = Object.fromEntries(
  ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'MAIL_SMTP_PORT', 'MAIL_HTTP_PORT'].map((name) => [
    name,
    '0',
  ]),
)

const file = (smtpPort: number) => `workspace: { id: wsp_acme, name: Acme, timezone: Europe/Berlin }
members: [{ id: mem_joe, name: Joe, email: joe@acme.example }]
connections:
  - { id: con_real, kind: email, account: joe@acme.example, member: mem_joe, smtp: { host: localhost, port: ${smtpPort} } }
  - { id: con_kept, kind: email, account: info@acme.example, member: mem_joe, smtp: { host: 127.0.0.1, port: "\${MAIL_SMTP_PORT}" } }
`

describe('npm start', function () {
  this.timeout(240_000)
  let folder: string
  let dataDir: string
  let child: ChildProcess | undefined
  let out = ''
  let notices = ''

  function start(env: NodeJS.ProcessEnv) {
    out = ''
    notices = ''
    const started = spawn(process.execPath, [join(root, 'dev/up.ts')], {
      env: { ...process.env, ...ownPorts, DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    reap(started)
    child = started
    started.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
    })
    started.stderr.setEncoding('utf8').on('data', (text) => {
      notices += text
    })
    return started
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-start-'))
    dataDir = join(folder, 'data')
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  })
  after(async () => {
    if (!child || child.exitCode !== null) return
    child.kill('SIGINT')
    await once(child, 'exit')
  })

  it('checks the workspace file before it creates or starts anything', async () => {
    const path = join(folder, 'wrong.yml')
    writeFileSync(path, 'workspace: { id: wsp_acme, name: Acme, timezon: Europe/Berlin }\n')
    const [code] = await once(start({ WORKSPACE_FILE: path }), 'exit')
    equal(code, 1)
    match(notices, /wrong\.yml:1: workspace\.timezone is missing/)
    equal(existsSync(dataDir), false)
  })

  describe('with a file of its own at an absolute path', () => {
    let real: MailSink
    before(async () => {
      real = await startMailSink({ folder: join(folder, 'real') })
      atEnd(() => real.stop())
      const path = join(folder, 'acme.yml')
      writeFileSync(path, file(real.smtpPort))
      const started = start({ WORKSPACE_FILE: path })
      await eventually(
        async () => out + (started.exitCode === null ? '' : `\n${notices}`),
        (text) => text.includes('Ctrl-C stops everything.') || started.exitCode !== null,
        200_000,
      )
      equal(started.exitCode, null, notices)
    })

    it('shows a token of the first member of that file', async () => {
      const url = /API +(\S+)/.exec(out)?.[1]
      const token = /\bprm_\w+/.exec(out)?.[0]
      const answer = await fetch(url as string, { headers: { authorization: `Bearer ${token}` } })
      equal(answer.status, 200)
      match(await answer.text(), /mem_joe/)
    })

    it('names the accounts that do not send to its mail page, and where they send', () => {
      match(
        out,
        new RegExp(`joe@acme.example \\(con_real of wsp_acme\\) -> localhost:${real.smtpPort}`),
      )
      ok(!out.includes('info@acme.example'), out)
      ok(!/none leaves/.test(out), out)
    })

    it('ends by saying how to continue, and leaves no process ids', async () => {
      const ended = once(child as ChildProcess, 'exit')
      child?.kill('SIGINT')
      await ended
      match(notices, /Stopped\. npm start continues from here\.\n$/)
      deepEqual(
        readdirSync(dataDir).filter((name) => name === 'pids'),
        [],
      )
    })
  })
})
