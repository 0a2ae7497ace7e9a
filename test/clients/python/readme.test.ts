import { equal, match } from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { reap } from '../../../dev/stack/processes.ts'
import { fencesOf, programIn, root, textOf } from '../../support/documents.ts'
import { atEnd } from '../../support/hooks.ts'
import { pythonBin, pythonEnv } from '../../support/python.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

const run = promisify(execFile)
const document = 'clients/python/README.md'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe(document, function () {
  this.timeout(180_000)
  let service: SharedService
  let bin: string
  let folder: string
  before(async function () {
    this.timeout(600_000)
    bin = await pythonBin(this)
    service = await sharedService(this.test?.ctx)
    folder = mkdtempSync(join(tmpdir(), 'postroom-readme-'))
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'readme.py'), programIn(document, 'python'))
    writeFileSync(join(folder, 'receiver.py'), programIn(document, 'python receiver'))
  })

  it('begins with five lines', () => {
    const [first] = fencesOf(textOf(document))
    equal(first?.text.trim().split('\n').length, 5)
  })

  it('has examples that are strict for mypy', async () => {
    const files = ['readme.py', 'receiver.py'].map((name) => join(folder, name))
    const config = join(root, 'clients/python/pyproject.toml')
    const { stdout } = await run(join(bin, 'mypy'), ['--config-file', config, ...files], {
      env: pythonEnv({ MYPYPATH: join(root, 'clients/python/src') }),
    })
    match(stdout, /^Success/)
  })

  it('has examples that do what it says', async () => {
    const { token, connections } = await service.workspace()
    const program = programIn(document, 'python').replace('con_ana', connections[0] ?? '')
    writeFileSync(join(folder, 'given.py'), program)
    const { stdout } = await run(join(bin, 'python'), ['given.py'], {
      cwd: folder,
      env: pythonEnv({ API: `${service.url}/api/v1`, TOKEN: token }),
    })
    match(stdout, /^\[.*\]\n[\s\S]*^done \{[\s\S]*^cnv_/m)
  })

  it('has a receiver of webhooks that takes what is signed alone', async () => {
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const port = await freePort()
    const receiver: ChildProcess = spawn(join(bin, 'python'), [join(folder, 'receiver.py')], {
      env: pythonEnv({ SECRET: secret, PORT: String(port) }),
      stdio: 'ignore',
    })
    reap(receiver)
    atEnd(async () => void receiver.kill('SIGKILL'))
    const body =
      '{"type":"webhook.test","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"evt_1"}}'
    const at = new Date()
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    }
    const status = (body: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(
        ({ status }) => status,
        () => 0,
      )
    equal(
      await eventually(
        () => status(body),
        (status) => status > 0,
        30_000,
      ),
      204,
    )
    equal(await status(`${body} `), 400)
    receiver.kill('SIGKILL')
  })
})
