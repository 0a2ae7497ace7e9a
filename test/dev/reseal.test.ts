import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyId, type SealBinding, type SecretKey, seal, unseal } from '../../db/secrets.ts'
import { ended } from '../../dev/stack/processes.ts'
import { bridgeSecret, givenMessenger, tell } from '../support/bridge.ts'
import { givenWebhook, sealedFor, secretKey } from '../support/given.ts'
import { givenTokens } from '../support/given-login.ts'
import { startService, type TestService } from '../support/service.ts'

const former = secretKey.current
const present = 'the key that comes after the key of the tests'
const both: SecretKey = { current: present, previous: former }
const event = {
  type: 'message.received',
  data: { from: { address: '+49 171 1234567' }, text: 'Hello' },
}

const command = (databaseUrl: string, env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, ['dev/operator/reseal.ts'], {
    env: { ...process.env, DATA_DIR: '/nowhere', DATABASE_URL: databaseUrl, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
async function reseal(databaseUrl: string, env: NodeJS.ProcessEnv = rotated) {
  const child = command(databaseUrl, env)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  return { how: await ended(child), said }
}
const rotated = { SECRET_KEY: present, SECRET_KEY_PREVIOUS: former }

describe('secrets at rest', function () {
  this.timeout(60_000)
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  async function messenger() {
    const workspace = await service.workspace()
    const id = await givenMessenger(service.db, workspace, { url: 'http://127.0.0.1:9' })
    return { ...workspace, messenger: id }
  }
  const secretsOf = async (id: string) =>
    (
      await service.db
        .selectFrom('connections')
        .select('secrets')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).secrets as string
  const keep = (id: string, secrets: string) =>
    service.db.updateTable('connections').set({ secrets }).where('id', '=', id).execute()
  const told = async (origin: string, id: string) => (await tell(origin, id, event)).status

  it('open only in their own row', async () => {
    const [mine, theirs] = [await messenger(), await messenger()]
    equal(await told(service.url, theirs.messenger), 204)
    const otherSecret = `whsec_${randomBytes(32).toString('base64')}`
    await keep(theirs.messenger, sealedFor(theirs.messenger, { bridge: otherSecret }))
    equal(await told(service.url, theirs.messenger), 401)
    // Whoever can write to the database makes another tenant's row answer with a secret of their own.
    await keep(theirs.messenger, await secretsOf(mine.messenger))
    const { status, text } = await tell(service.url, theirs.messenger, event)
    equal(status, 503, text)
    ok(!text.includes(mine.messenger) && !text.includes(bridgeSecret), text)
  })

  it('open only in their own column and for their own purpose', async () => {
    const place: SealBinding = { in: 'webhooks.secret', id: 'whk_1' }
    const sealed = seal(secretKey, { current: 'x' }, place)
    deepEqual(unseal(secretKey, sealed, place), { current: 'x' })
    for (const other of [
      { ...place, id: 'whk_2' },
      { ...place, in: 'connections.secrets' as const },
    ])
      throws(() => unseal(secretKey, sealed, other), /changed, or sealed for another place/)
    const forged = sealed.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'))
    throws(() => unseal(secretKey, forged, place), /changed/)
    throws(() => unseal({ current: present }, sealed, place), new RegExp(keyId(former)))
  })

  it('among them the tokens of accounts, move to a new key', async () => {
    const { connections, id: workspace } = await service.workspace()
    const [id] = connections
    const login = { id, workspace, settings: '', refreshToken: 'a refresh token' }
    await givenTokens(service, login)
    const { how, said } = await reseal(service.databaseUrl)
    equal(how, 'exit code 0', said)
    for (const column of ['accessToken', 'refreshToken'])
      match(said, new RegExp(`logins\\.${column}: 1 sealed again, 0 unchanged`))
    const { refreshToken } = await service.db
      .selectFrom('logins')
      .select('refreshToken')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const place: SealBinding = { in: 'logins.refreshToken', id }
    equal(unseal({ current: present }, refreshToken ?? '', place), 'a refresh token')
  })

  it('move to a new key while everything runs, and then no longer need the old one', async () => {
    const { messenger: id, call, token } = await messenger()
    const url = 'https://example.test/hooks'
    const made = await call('POST', '/webhooks', { url, kinds: [] }, { key: 'make-it' })
    equal(made.status, 200, made.text)
    const running = await startService({ databaseUrl: service.databaseUrl, secretKey: both })
    const later = await startService({
      databaseUrl: service.databaseUrl,
      secretKey: { current: present },
    })
    try {
      const webhook = made.body.id
      const ask = (origin: string, method: string, path: string, body: unknown, key: string) =>
        fetch(`${origin}/api/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify(body),
        })
      let going = true
      const statuses = new Set<number>()
      const work = (async () => {
        for (let n = 0; going; n++) {
          statuses.add(await told(running.url, id))
          const rotation = await ask(
            running.url,
            ...(['PATCH', `/webhooks/${webhook}`, { rotate: true }, `turn-${n}`] as const),
          )
          statuses.add(rotation.status)
          // Pauses between its answers only to let the machine breathe.
          await sleep(5)
        }
      })()
      const { how, said } = await reseal(service.databaseUrl)
      going = false
      await work
      equal(how, 'exit code 0', said)
      match(said, new RegExp(`with the key ${keyId(present)}`))
      deepEqual([...statuses].sort(), [200, 204])

      equal(await told(later.url, id), 204)
      const repeated = await ask(later.url, 'POST', '/webhooks', { url, kinds: [] }, 'make-it')
      equal(await repeated.text(), made.text)
      equal(repeated.headers.get('idempotent-replayed'), 'true')
      // A process that has only the old key reports this, and continues.
      equal(await told(service.url, id), 503)
      equal((await call('GET', '/webhooks')).status, 200)
    } finally {
      await running.close()
      await later.close()
    }
  })

  it('are all sealed again in the end, however often the command is killed', async () => {
    const { db, clock, databaseUrl } = service
    const workspace = await service.workspace()
    const [webhook] = await givenWebhook(db, workspace, clock.now())
    const row = await db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhook)
      .executeTakeFirstOrThrow()
    const ids = Array.from({ length: 3_000 }, (_, i) => `whk_many_${String(i).padStart(5, '0')}`)
    const rows = ids.map((id) => ({
      ...row,
      id,
      secret: seal(secretKey, { current: `whsec_${id}` }, at(id)),
    }))
    for (let i = 0; i < rows.length; i += 1000)
      await db
        .insertInto('webhooks')
        .values(rows.slice(i, i + 1000))
        .execute()
    const countNew = async () => {
      const { anew } = await db
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<string>().as('anew'))
        .where('secret', 'like', `v1:${keyId(present)}:%`)
        .executeTakeFirstOrThrow()
      return Number(anew)
    }

    let before = 0
    for (const round of [1, 2]) {
      const child = command(databaseUrl, rotated)
      const death = ended(child)
      while ((await countNew()) < before + 50) await sleep(10)
      child.kill('SIGKILL')
      equal(await death, 'SIGKILL', `round ${round}`)
      const anew = await countNew()
      ok(anew > before && anew < ids.length, `${anew} of ${ids.length}`)
      before = anew
    }
    const { how, said } = await reseal(databaseUrl)
    equal(how, 'exit code 0', said)
    const all = await db.selectFrom('webhooks').select(['id', 'secret']).execute()
    equal(await countNew(), all.length)
    for (const { id, secret } of all.filter(({ id }) => id !== webhook))
      deepEqual(unseal({ current: present }, secret, at(id)), { current: `whsec_${id}` })
    match((await reseal(databaseUrl)).said, /webhooks\.secret: 0 sealed again, 3001 unchanged/)
  })

  it('that no key opens stay unchanged, and the command names them and the keys', async () => {
    const lost = 'a key that somebody has lost'
    const { messenger: id, connections } = await messenger()
    const place: SealBinding = { in: 'connections.secrets', id }
    const secrets = seal({ current: lost }, { bridge: bridgeSecret }, place)
    await keep(id, secrets)
    await keep(connections[0], 'no sealed text')
    const { how, said } = await reseal(service.databaseUrl)
    equal(how, 'exit code 1')
    match(said, new RegExp(`connections.secrets of ${id} is sealed under .* ${keyId(lost)}`))
    match(said, new RegExp(`connections.secrets of ${connections[0]} is not a sealed text`))
    match(said, /connections\.secrets: 1 sealed again/)
    equal(await secretsOf(id), secrets)
    for (const key of [lost, present, former]) ok(!said.includes(key), said)
  })
})

const at = (id: string): SealBinding => ({ in: 'webhooks.secret', id })
