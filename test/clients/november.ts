import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Context } from 'mocha'
import { reap } from '../../dev/stack/processes.ts'
import { atEnd } from '../support/hooks.ts'
import { type MailSink, testMail } from '../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../support/service.ts'
import { type Trouble, troubledLine } from '../support/troubled-line.ts'

// A job of a customer, for every client: its program dies twenty times, and the mail server has everything once.

const people = 300
const messages = 100
const kills = 20
// The steps of the job, one key each.
const steps = 5 + messages

/** When the program dies: before the service has its call, or while it has it, or as the answer comes. */
const moments: (Trouble | undefined)[] = ['no connection', 'no answer', 'half a body', undefined]

const random = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

type Program = { command: string[]; env: NodeJS.ProcessEnv }

/** The tests of a client, by the program that does the job with it. */
export const killedTwentyTimes = (
  name: string,
  programOf: (context: Context) => Program | Promise<Program>,
) =>
  describe(`a program on ${name} that is killed twenty times`, function () {
    this.timeout(900_000)
    let job: Program
    let service: SharedService
    let mail: MailSink
    let folder: string

    before(async function () {
      job = await programOf(this)
      service = await sharedService(this.test?.ctx)
      mail = await testMail()
      folder = mkdtempSync(join(tmpdir(), 'postroom-november-'))
      atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    })

    it('imports, starts a campaign and writes messages, each once', async () => {
      const limits = { day: 1_000, week: 5_000, gapSeconds: 0 }
      const workspace = await service.workspace({ smtpPort: mail.smtpPort, limits })
      const { call, agent, token, connections } = workspace
      const keys = join(folder, 'keys')
      const [command = '', ...args] = job.command

      // At the calls that bring a key for the first time, some of which are drawn.
      const ats = new Set<number>()
      while (ats.size < kills) ats.add(1 + Math.floor(Math.random() * steps))
      const seen = new Set<string>()
      const killed: string[] = []
      let program: ChildProcess | undefined
      const line = await troubledLine(service.url, {
        trouble(_, { headers, method, path }) {
          const key = headers['idempotency-key']
          if (typeof key !== 'string' || seen.has(key)) return undefined
          seen.add(key)
          if (!ats.has(seen.size)) return undefined
          const moment = random(moments)
          killed.push(`${method} ${path}, ${moment ?? 'any moment'}`)
          const kill = () => program?.kill('SIGKILL')
          if (moment === 'no connection') kill()
          else setTimeout(kill, moment ? 0 : Math.random() * 50)
          return moment
        },
      })

      let campaign = ''
      let starts = 0
      for (; campaign === ''; starts++) {
        ok(starts < 3 * kills, `it does not come to its end: ${killed.join('\n')}`)
        program = spawn(command, args, {
          env: {
            ...job.env,
            URL: `${line.url}/api/v1`,
            TOKEN: token,
            KEYS: keys,
            AGENT: agent,
            VIA: connections[0],
            PEOPLE: String(people),
            MESSAGES: String(messages),
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        reap(program)
        const exit = once(program, 'exit')
        const { stdout, stderr } = program
        const said = Promise.all([stdout, stderr].map((stream) => (stream ? text(stream) : '')))
        const [code, signal] = await exit
        const [out = '', trouble] = await said
        ok(code === 0 || signal === 'SIGKILL', `${code} ${signal}: ${trouble}`)
        campaign = out.trim()
      }
      line.close()
      equal(killed.length, kills)
      equal(seen.size, steps)

      // Each key of the job is one operation, and everything is there once.
      equal((await call('GET', '/segments')).body.segments.length, 1)
      equal((await call('GET', '/campaigns')).body.campaigns.length, 1)
      const { funnel } = await eventually(
        async () => (await call('GET', `/campaigns/${campaign}`)).body,
        ({ funnel }) => funnel.sent === people,
        600_000,
      )
      deepEqual([funnel.people, funnel.failed], [people, 0])
      const written = () => mail.messages().filter(({ to }) => to[0]?.endsWith('@november.example'))
      await eventually(
        async () => written().length,
        (n) => n >= people + messages,
        120_000,
      )
      const offers = written().filter(({ subject }) => subject?.startsWith('Offer '))
      const letters = written().filter(({ subject }) => !subject?.startsWith('Offer '))
      const recipients = (some: typeof letters) => some.map(({ to }) => to[0] ?? '').sort()
      const addresses = (n: number) =>
        Array.from({ length: n }, (_, i) => `p${i}@november.example`).sort()
      deepEqual(recipients(letters), addresses(people))
      deepEqual(recipients(offers), addresses(messages))
      deepEqual(
        offers.map(({ subject }) => subject).sort(),
        Array.from({ length: messages }, (_, i) => `Offer ${i}`).sort(),
      )
    })

    it('keeps its keys where its owner alone can read them', () => {
      const keys = join(folder, 'keys')
      const files = readdirSync(keys).filter((name) => name.endsWith('.json'))
      equal(files.length, steps)
      equal(statSync(keys).mode & 0o777, 0o700)
      for (const file of files) equal(statSync(join(keys, file)).mode & 0o777, 0o600)
    })
  })
