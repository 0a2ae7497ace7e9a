import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataDir } from '../../dev/operator/stack-values.ts'
import { startToken } from '../../dev/stack/demo-workspace.ts'
import { startMailPage } from '../../dev/stack/mail-page.ts'
import { openStore } from '../../dev/stack/mail-store.ts'
import { startService } from '../support/service.ts'

describe('the files of npm start', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-closed-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const mode = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8)

  it('are closed to everyone but their owner, even where an earlier start left them open', async () => {
    const dataDir = join(folder, 'data')
    const usual = process.umask(0o022)
    try {
      mkdirSync(join(dataDir, 'mail'), { recursive: true })
      mkdirSync(join(dataDir, 'postgres'))
      writeFileSync(join(dataDir, 'temporal.db'), '')
      equal(mode(dataDir), '755')
      makeDataDir(dataDir)
      const store = await openStore(join(dataDir, 'mail'))
      await store.add({ from: 'a@b.example', to: ['c@d.example'] }, Buffer.from('\r\nHello'))
      const [letter] = store.list()
      deepEqual(
        [
          ...[mode(dataDir), mode(dataDir, 'mail'), mode(dataDir, 'temporal.db')],
          mode(dataDir, 'mail', `${letter?.id}.eml`),
        ],
        ['700', '700', '600', '600'],
      )
      // Postgres may run as another user, and protects its own files.
      equal(mode(dataDir, 'postgres'), '755')
    } finally {
      process.umask(usual)
    }
  })

  it('have one token, which later starts reuse while it is valid and which replaces earlier ones', async () => {
    const service = await startService()
    const { id: workspace, member, call } = await service.workspace()
    const who = { workspace, member, name: 'Ana' }
    const start = () => startToken(who, folder, { DATABASE_URL: service.databaseUrl })
    const status = async (token: string) => (await call('GET', '', undefined, { token })).status
    const first = await start()
    equal(mode(folder, 'token'), '600')
    equal(await start(), first)
    equal(await status(first), 200)
    const { id } = JSON.parse(readFileSync(join(folder, 'token'), 'utf8'))
    await service.db
      .updateTable('tokens')
      .set({ revokedAt: new Date() })
      .where('id', '=', id)
      .execute()
    const second = await start()
    notEqual(second, first)
    deepEqual([await status(first), await status(second)], [401, 200])
    // A folder that was removed: its link leads nowhere any more.
    rmSync(join(folder, 'token'))
    const third = await start()
    deepEqual([await status(second), await status(third)], [401, 200])
    await service.close()
  })

  it('are shown only to requests that name this machine', async () => {
    const server = await startMailPage(await openStore(join(folder, 'mail')), 0)
    const { port } = server.address() as AddressInfo
    const asked = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        let text = ''
        socket.on('data', (data) => {
          text += data
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(text.slice(9, 12)))
        socket.end(`GET /messages.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      })
    for (const host of [`127.0.0.1:${port}`, 'localhost', `localhost:${port}`, '[::1]:1'])
      equal(await asked(host), '200', host)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      '0.0.0.0',
    ])
      equal(await asked(host), '421', host)
    server.close()
  })
})
