import { deepEqual, equal } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type MailSink, testMail } from '../support/mail.ts'
import { type SharedService, sharedService } from '../support/service.ts'
import { pythonTool } from '../support/venv.ts'

const run = promisify(execFile)
const people = 12

describe('a client generated from the OpenAPI document', () => {
  let service: SharedService
  let mail: MailSink
  let generator: string
  let folder: string

  before(async function () {
    this.timeout(600_000)
    generator = await pythonTool('openapi-python-client', 'openapi-python-client==0.29.1', this)
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
    folder = await mkdtemp(join(tmpdir(), 'postroom-client-'))
  })
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it('is generated without a warning and does the main job', async function () {
    this.timeout(180_000)
    // The generator formats its output with a tool installed beside it.
    const env = { ...process.env, PATH: `${dirname(generator)}:${process.env['PATH']}` }
    const out = join(folder, 'postroom_client')
    const generate = ['generate', '--url', `${service.url}/openapi.json`, '--output-path', out]
    await run(generator, [...generate, '--meta', 'none', '--fail-on-warning'], { env })

    const { agent, token } = await service.workspace({ smtpPort: mail.smtpPort })
    const { stdout } = await run(
      join(dirname(generator), 'python'),
      [join(import.meta.dirname, 'main_job.py')],
      {
        env: {
          ...env,
          CLIENT_FOLDER: folder,
          API_URL: service.url,
          API_TOKEN: token,
          AGENT: agent,
          PEOPLE: String(people),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
    )
    const { addresses, sent } = JSON.parse(stdout)
    equal(sent, people)
    // Each once, although some were requested twice.
    const reached = mail.messages().flatMap(({ to }) => to)
    deepEqual(reached.filter((to) => addresses.includes(to)).sort(), addresses.sort())
  })
})
