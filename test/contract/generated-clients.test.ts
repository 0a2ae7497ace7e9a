import { deepEqual, equal } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type MailSink, testMail } from '../support/mail.ts'
import { type SharedService, sharedService } from '../support/service.ts'
import { generators, isHere, warningsOf } from './generators/table.ts'

// Clients as generators make them from the documents that are served: each is generated and compiled without a warning, and plays the
// main job. GENERATORS names those that are tried (all, or some, with commas, each by its whole name or by a word of it: ogen is not
// progenitor); without it, those of every run.

const execute = promisify(execFile)
const wanted = process.env['GENERATORS']

describe('clients that generators make', () => {
  let service: SharedService
  let mail: MailSink
  const folders: string[] = []
  before(async function () {
    this.timeout(300_000)
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })
  after(async () => {
    // Kept where somebody tries them by hand.
    if (!wanted) for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  for (const [name, generator] of Object.entries(generators)) {
    const isWanted = wanted
      ? wanted === 'all' ||
        wanted.split(',').some((one) => [name, ...name.split(' ')].includes(one))
      : generator.always
    if (!isWanted) continue
    it(`by ${name}: a person and a letter, each once although asked for twice`, async function () {
      // Compilers and packages, the first time, on a busy machine.
      this.timeout(3_600_000)
      if (!(await isHere(generator))) return this.skip()
      const folder = await mkdtemp(join(tmpdir(), 'postroom-generated-'))
      folders.push(folder)
      const path = generator.reads === '3.0' ? 'openapi-3.0.json' : 'openapi.json'
      const document = join(folder, path)
      const served = await fetch(`${service.url}/${path}`)
      equal(served.status, 200)
      await writeFile(document, await served.text())
      const { said, play } = await generator.make({ folder, document, context: this })
      deepEqual(warningsOf(said, generator.says), [])

      const { token, connections } = await service.workspace({ smtpPort: mail.smtpPort })
      const person = `ines-${randomUUID()}@client.example`
      const [command = '', ...args] = play
      const { stdout } = await execute(command, args, {
        cwd: folder,
        env: {
          ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
          ...{ API_URL: service.url, API_TOKEN: token, PERSON: person, VIA: connections[0] },
        },
      })
      const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      deepEqual(told, {
        person: told.person,
        again: told.person,
        listed: [told.person],
        state: 'done',
      })
      equal(mail.messages().filter(({ to }) => to.includes(person)).length, 1)
    })
  }
})
