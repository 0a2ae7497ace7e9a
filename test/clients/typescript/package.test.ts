import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client as Postgres } from 'pg'
import { Webhook } from 'standardwebhooks'
import { describeApi } from '../../../api/reference/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import type { KeyStore } from '../../../clients/typescript/src/index.ts'
import { freePort, waitForPort } from '../../../dev/stack/ports.ts'
import { reap } from '../../../dev/stack/processes.ts'
import { cached } from '../../../dev/stack/tools.ts'
import { testBrowser } from '../../support/browser.ts'
import { fencesOf, programIn, root, textOf } from '../../support/documents.ts'
import { atEnd } from '../../support/hooks.ts'
import { startService, type TestService } from '../../support/service.ts'

// The package as a customer has it: built, packed, unpacked, type-checked by their compiler, and run where they run it. Every example
// of its README is run against a real stack.

const execute = promisify(execFile)
const source = join(root, 'clients/typescript')
const readme = fencesOf(readFileSync(join(source, 'README.md'), 'utf8'))
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

/** The programs of npm that are runtimes too: each is a package with a binary. */
const runtimes = {
  deno: { package: 'deno@2.9.6', binary: '@deno/linux-x64-glibc/deno', args: ['run', '-A'] },
  bun: { package: 'bun@1.4.5', binary: '@oven/bun-linux-x64/bin/bun', args: ['run'] },
}

/** The Node that the machine has, beside that of the lock file, which npm puts before it. */
const ownNode = (process.env['PATH'] ?? '')
  .split(':')
  .filter((place) => !place.includes('node_modules'))
  .map((place) => join(place, 'node'))
  .find(existsSync)

describe('the package @postroom/client', function () {
  this.timeout(600_000)
  let service: TestService
  let folder: string
  let project: string

  before(async function () {
    this.timeout(600_000)
    service = await startService({ corsOrigins: ['*'] })
    atEnd(service.close)
    await service.work(this.test?.ctx)
    folder = mkdtempSync(join(tmpdir(), 'postroom-package-'))
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    if (!existsSync(join(source, 'node_modules/.package-lock.json')))
      await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund')
    project = await unpacked()
  })

  const npm = (...args: string[]) => execute('npm', args, { cwd: source })
  const compiler = () => join(source, 'node_modules/typescript/bin/tsc')

  /** A project in which the packed package is installed, with the examples of the README as programs. */
  async function unpacked() {
    const place = join(folder, 'project')
    const installed = join(place, 'node_modules/@postroom/client')
    mkdirSync(installed, { recursive: true })
    const { stdout } = await npm(
      ...['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder],
    )
    const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
    await execute('tar', ['-xzf', tarball, '--strip-components', '1', '-C', installed])
    symlinkSync(join(source, 'node_modules/@types'), join(place, 'node_modules/@types'))
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
    const receiver = readme.find(({ language }) => language === 'ts receiver')
    writeFileSync(join(place, 'readme.ts'), programIn('clients/typescript/README.md'))
    writeFileSync(join(place, 'receiver.ts'), receiver?.text ?? '')
    writeFileSync(join(place, 'tour.ts'), programIn('docs/tour.md'))
    // The five lines on the first page of the repository.
    const [, five = ''] =
      /^( {4}import \{ createClient \}[\s\S]*?)\n\n/m.exec(textOf('README.md')) ?? []
    writeFileSync(join(place, 'first.ts'), five)
    return place
  }

  it('is generated from the document of this tree', async () => {
    const document = join(folder, 'openapi.json')
    const described = describeApi(routes, { variant: 'full', publicUrl: 'http://127.0.0.1:8080' })
    writeFileSync(document, JSON.stringify(described))
    const made = join(folder, 'generated')
    mkdirSync(made)
    await execute(process.execPath, [join(source, 'build/generate.ts'), document, made])
    for (const name of readdirSync(made))
      equal(
        readFileSync(join(made, name), 'utf8'),
        readFileSync(join(source, 'src/generated', name), 'utf8'),
        `src/generated/${name} is to be made again: npm run clients -- typescript --only generate`,
      )
  })

  it('is small, and has no dependency', () => {
    const installed = join(project, 'node_modules/@postroom/client')
    const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    equal(about.dependencies, undefined)
    deepEqual(readdirSync(installed).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ])
    const code = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(installed, 'dist', name))
    ok(code.reduce((sum, file) => sum + statSync(file).size, 0) < 60_000)
    for (const file of code)
      if (!file.endsWith('/node.js'))
        ok(!/\bnode:|\bprocess\.|\bBuffer\b/.test(readFileSync(file, 'utf8')), file)
  })

  it('has types that strict compilers of either kind take', async function () {
    // Two compilations of everything, on a machine that may have other work.
    this.timeout(900_000)
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const options = ['--strict', '--target', 'es2022', '--types', 'node', '--outDir', 'built']
      const kind = ['--module', module, '--moduleResolution', resolution] as string[]
      const files = ['readme.ts', 'receiver.ts', 'tour.ts', 'first.ts']
      const run = execute(process.execPath, [compiler(), ...options, ...kind, ...files], {
        cwd: project,
      })
      await run.catch(({ stdout }) => {
        throw new Error(stdout)
      })
    }
  })

  describe('with the examples of its README', () => {
    const programs: Record<string, (file: string) => Promise<[string, string[]] | undefined>> = {
      'the Node of this repository': async (file) => [process.execPath, [file]],
      'the Node of this machine': async (file) => (ownNode ? [ownNode, [file]] : undefined),
      deno: (file) => runtime('deno', file),
      bun: (file) => runtime('bun', file),
    }
    async function runtime(name: keyof typeof runtimes, file: string) {
      if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
      const { package: named, binary, args } = runtimes[name]
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix']
      const place = await cached(named.replace('@', '-'), async (draft) => {
        await execute('npm', ['install', ...options, join(draft, name), named])
        return join(draft, name)
      })
      const command: [string, string[]] = [join(place, 'node_modules', binary), [...args, file]]
      return command
    }

    for (const [where, find] of Object.entries(programs))
      it(`runs in ${where}`, async function () {
        const command = await find(join(project, 'built/readme.js'))
        if (!command) return this.skip()
        const { token, connections, call } = await service.workspace()
        const file = join(project, 'built/readme.js')
        const text = readFileSync(file, 'utf8')
        writeFileSync(file, text.replace(/con_\w+/g, connections[0]))
        const [program, args] = command
        const keys = mkdtempSync(join(folder, 'run-'))
        const env = { ...process.env, API: `${service.url}/api/v1`, TOKEN: token }
        // The second run takes the same steps, and does nothing.
        for (const run of [1, 2]) {
          const { stdout } = await execute(program, args, { cwd: keys, env, timeout: 120_000 })
          match(stdout, /kim@vogel\.example[\s\S]*done[\s\S]*\(request /, `run ${run}`)
        }
        const { body } = await call('GET', '/people')
        equal(body.people.length, 2)
        const conversations = await call('GET', '/conversations')
        equal(conversations.body.conversations.length, 1)
      })

    it('receives webhooks', async () => {
      const port = await freePort()
      const receiver = spawn(process.execPath, [join(project, 'built/receiver.js')], {
        env: { ...process.env, SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      reap(receiver)
      await waitForPort(port)
      const body =
        '{"type":"touch.sent","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"evt_1"}}'
      const at = new Date()
      const post = (text: string) =>
        fetch(`http://127.0.0.1:${port}`, {
          method: 'POST',
          body: text,
          headers: {
            'webhook-id': 'evt_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
          },
        })
      const said = once(receiver.stdout as NodeJS.ReadableStream, 'data')
      deepEqual([(await post(body)).status, (await post(`${body} `)).status], [204, 400])
      equal(String((await said)[0]).trim(), 'touch.sent evt_1')
      receiver.kill()
    })

    it('keeps keys in a table', async () => {
      const example = readme.find(({ text }) => text.includes('tableKeys'))
      const file = join(project, 'table.ts')
      writeFileSync(file, example?.text ?? '')
      const { tableKeys } = (await import(file)) as {
        tableKeys: (query: (sql: string, values: unknown[]) => Promise<unknown[]>) => KeyStore
      }
      const db = new Postgres({ connectionString: service.ownerUrl })
      await db.connect()
      await db.query('create table steps (step text primary key, key text, used_at text)')
      const keys = tableKeys(async (sql, values) => (await db.query(sql, values)).rows)
      const [one, other] = ['one', 'other'].map((key) => ({ key, usedAt: '2026-11-23' }))
      ok(one && other)
      deepEqual(await keys.keep('a', one), one)
      deepEqual(await keys.keep('a', other), one)
      await keys.renew('a', { ...one, usedAt: '2026-11-24' })
      deepEqual(await keys.keep('a', other), { ...one, usedAt: '2026-11-24' })
      await keys.forget('a')
      deepEqual(await keys.keep('a', other), other)
      await db.query('drop table steps')
      await db.end()
    })

    it('runs in a browser', async function () {
      const browser = await testBrowser(this)
      const { token, id } = await service.workspace()
      const dist = join(project, 'node_modules/@postroom/client/dist')
      const page = readme.find(({ language }) => language === 'html')?.text ?? ''
      const site = createServer((request, response) => {
        if (request.url === '/')
          return response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              page
                .replace('API', JSON.stringify(`${service.url}/api/v1`))
                .replace('TOKEN', JSON.stringify(token)),
            )
        const file = join(dist, (request.url ?? '').replace('/client/', ''))
        if (!existsSync(file)) return response.writeHead(404).end()
        return response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(readFileSync(file))
      })
      site.listen(0, '127.0.0.1')
      await once(site, 'listening')
      atEnd(async () => site.close())
      const tab = await browser.newPage()
      const errors: string[] = []
      tab.on('pageerror', (error) => errors.push(error.message))
      await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
      await tab.waitForFunction(`document.title === ${JSON.stringify(id)}`)
      // The rest of the client in the same place: changes, pages, the stream, refusals and signatures.
      const at = new Date()
      const body = '{"type":"touch.sent","data":{}}'
      const given = {
        url: `${service.url}/api/v1`,
        token,
        secret,
        body,
        headers: {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
        },
      }
      const found = await tab.evaluate(`(async ({ url, token, secret, body, headers }) => {
        const { createClient, verifyWebhook } = await import('/client/index.js')
        const postroom = createClient({ url, token })
        const { cursor: after } = await postroom.listEvents({ from: 'now', limit: 1 })
        const step = { step: 'kim' }
        const made = await postroom.createPerson({ email: 'kim@client.example' }, step)
        const again = await postroom.createPerson({ email: 'kim@client.example' }, step).answer()
        const people = []
        for await (const { id } of postroom.listPeople({ limit: 1 })) people.push(id)
        const { value: event } = await postroom.streamEvents({ after }).next()
        const refusal = await postroom.getPerson('per_nobody').catch((error) => error)
        const { type } = await verifyWebhook({ body, headers, secret })
        return [made.id === again.body.id, again.replayed, people.length, event.kind, refusal.code, type]
      })(${JSON.stringify(given)})`)
      deepEqual(found, [true, true, 1, 'person.created', 'not_found', 'touch.sent'])
      deepEqual(errors, [])
    })
  })
})
