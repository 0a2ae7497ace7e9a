import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { eventsOf, withoutCall } from '../../support/events.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

const run = promisify(execFile)

describe('addresses that must not be written to', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function room() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const { id, connections, call } = workspace
    const email = 'cleo@client.example'
    const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], clock.now())
    const where = { person, connection: connections[0], from: email, at: clock.now() }
    const conversation = await givenConversation(db, id, where)
    const reply = async () => {
      const answer = await call('POST', `/conversations/${conversation}/messages`, { text: 'x' })
      return answer.status === 200 ? 'queued' : answer.body.code
    }
    const list = async (query = '') =>
      (await call('GET', `/suppressions${query}`)).body.suppressions
    const actions = async () =>
      (await call('GET', '/audit')).body.entries.map((one: Record<string, unknown>) => [
        one['action'],
        one['resource'],
        one['before'],
        one['after'],
      ])
    return { ...workspace, person, email, reply, list, actions }
  }

  it('are the same in ASCII and in Unicode', async () => {
    const { call, connections } = await room()
    const via = connections[0]
    const [unicode, ascii] = ['cleo@müller.example', 'cleo@xn--mller-kva.example']
    const { body: person } = await call('POST', '/people', { email: unicode })
    const { body: again } = await call('POST', '/people', { email: ascii.toUpperCase() })
    deepEqual([again.id, again.created, again.emails], [person.id, false, [unicode]])
    equal((await call('POST', '/suppressions', { address: ascii })).body.address, unicode)
    for (const to of [unicode, ascii]) {
      const { status, body } = await call('POST', '/conversations', { to, via, text: 'Hello.' })
      deepEqual([status, body.code], [422, 'recipient_suppressed'])
    }
  })

  it('are added once by a member, and removed again', async () => {
    const { call, person, email, reply, list, actions } = await room()
    equal(await reply(), 'queued')
    const { status, body } = await call('POST', '/suppressions', {
      address: ' Cleo@CLIENT.example ',
    })
    equal(status, 200)
    match(body.id, /^sup_/)
    deepEqual(body, {
      id: body.id,
      address: email,
      reason: 'operator',
      at: body.at,
      evidence: null,
    })
    equal(await reply(), 'recipient_suppressed')
    deepEqual((await call('POST', '/suppressions', { address: email })).body, body)
    deepEqual(await list(), [body])
    const lifted = await call('DELETE', `/suppressions/${body.id}`)
    deepEqual(lifted.body, { id: body.id, deleted: true })
    deepEqual(await list(), [])
    equal(await reply(), 'queued')
    equal((await call('DELETE', `/suppressions/${body.id}`)).status, 404)
    const was = { address: email, reason: 'operator' }
    deepEqual(
      (await actions()).filter(([action]: string[]) => action?.startsWith('supp')),
      [
        ['suppression.lifted', body.id, was, { reason: null }],
        ['suppression.added', body.id, null, was],
      ],
    )
    const events = await eventsOf(call, ({ kind }) => kind.startsWith('suppression.'), 2)
    deepEqual(
      events.map(({ kind, data }) => [kind, withoutCall(data)]),
      [
        ['suppression.added', { reason: 'operator', person, members: ['address', 'reason'] }],
        ['suppression.lifted', { reason: null, person, members: ['reason'] }],
      ],
    )
  })

  it('are listed once for each reason, and only unsubscribing still allows replies', async () => {
    const { call, db, email, id, reply, list } = { ...(await room()), db: service.db }
    const reasons = ['unsubscribe', 'bounce', 'complaint'] as const
    await db
      .insertInto('suppressions')
      .values(
        reasons.map((reason) => ({
          workspace: id,
          address: email,
          reason,
          at: service.clock.now(),
          evidence: 'msg_x',
        })),
      )
      .execute()
    await call('POST', '/suppressions', { address: email })
    for (const reason of ['operator', 'complaint', 'bounce']) {
      equal(await reply(), 'recipient_suppressed', reason)
      const one = (await list()).find((row: { reason: string }) => row.reason === reason)
      equal((await call('DELETE', `/suppressions/${one.id}`)).status, 200)
    }
    equal(await reply(), 'queued')
    deepEqual(
      (await list()).map(({ reason, evidence }: Record<string, string>) => [reason, evidence]),
      [['unsubscribe', 'msg_x']],
    )
  })

  it('are paged newest first and found by their address', async () => {
    const { call, list } = await room()
    for (const n of [0, 1, 2, 3, 4])
      await call('POST', '/suppressions', { address: `a${n}@x.test` })
    await call('POST', '/suppressions', { address: '+49 30 1234567' })
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await call('GET', `/suppressions?limit=4${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.suppressions.map(({ address }: { address: string }) => address))
      cursor = body.next ?? ''
    } while (cursor)
    deepEqual(seen, [
      '+49301234567',
      ...['a4@x.test', 'a3@x.test', 'a2@x.test', 'a1@x.test', 'a0@x.test'],
    ])
    const of = async (address: string) =>
      (await list(`?address=${encodeURIComponent(address)}`)).map(
        (row: { address: string }) => row.address,
      )
    deepEqual(await of('A3@x.test'), ['a3@x.test'])
    deepEqual(await of('0049 30 1234567'), ['+49301234567'])
    deepEqual(await of('nobody'), [])
  })

  it('must be addresses, and each token may do what its scopes say', async () => {
    const { call, tokenWith } = await room()
    for (const address of ['', 'nobody', 'x'.repeat(400), null, 1]) {
      const { status, body } = await call('POST', '/suppressions', { address })
      deepEqual([status, body.errors[0].pointer], [422, '/address'])
    }
    const made = (await call('POST', '/suppressions', { address: 'a@x.test' })).body
    const token = await tokenWith(['inbox:read', 'inbox:write'])
    const lift = await call('DELETE', `/suppressions/${made.id}`, undefined, { token })
    equal(`${lift.status} ${lift.body.code}`, '403 insufficient_scope')
  })

  it('are listed, added and removed by an operator', async () => {
    const { id, list, reply, email, actions } = await room()
    const command = (...args: string[]) =>
      run(process.execPath, ['dev/operator/suppression.ts', ...args], {
        env: { ...process.env, DATABASE_URL: service.databaseUrl },
      })
    const refused = async (...args: string[]) =>
      (await command(...args).catch((error: { stderr: string }) => error)).stderr
    const { stdout } = await command('add', 'Cleo@client.example', '--workspace', id)
    const [made] = await list()
    equal(stdout.trim(), made.id)
    equal(await reply(), 'recipient_suppressed')
    equal((await command('add', email, '--workspace', id)).stdout.trim(), made.id)
    const listed = (await command('list', '--workspace', id)).stdout
    equal(listed, `${[made.id, email, 'operator', made.at, '-'].join('\t')}\n`)
    await command('lift', made.id)
    deepEqual(await list(), [])
    deepEqual(
      (await actions()).map(([action]: string[]) => action),
      ['suppression.lifted', 'suppression.added'],
    )
    match(await refused('lift', made.id), /There is no suppression/)
    match(await refused('add', 'nobody', '--workspace', id), /is not an e-mail address/)
    match(await refused('add', email, '--workspace', 'wsp_none'), /There is no workspace/)
    match(await refused('list'), /npm run -s suppression/)
    match(await refused('drop'), /npm run -s suppression/)
  })
})
