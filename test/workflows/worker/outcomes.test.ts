import { deepEqual, equal, match } from 'node:assert/strict'
import { Client, Connection } from '@temporalio/client'
import type { Context } from 'mocha'
import { counted, registry } from '../../../process/telemetry/metrics.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testTemporal } from '../../support/temporal.ts'

// What shows how a letter, a task or a campaign ended, especially when it failed: its workflow, the log,
// the audit and the metrics.

type Line = Record<string, unknown> & { level: number; msg: string }
const operator = 'olga@operators.example'
const warn = 40

describe('how something ended', function () {
  this.timeout(60_000)
  let service: TestService
  let mail: MailSink
  let temporal: Client
  const lines: Line[] = []
  before(async function () {
    this.timeout(120_000)
    const context = this.test?.ctx as Context
    service = await startService({ logged: (line) => lines.push(JSON.parse(line)) })
    mail = await testMail()
    await service.work(context)
    const { address, namespace } = await testTemporal(context)
    const connection = Connection.lazy({ address })
    temporal = new Client({ connection, namespace, identity: operator })
  })
  after(async () => {
    await temporal.connection.close()
    await service.close()
  })
  beforeEach(() => {
    mail.script({})
    lines.splice(0)
  })

  const result = (id: string) => temporal.workflow.getHandle(id).result()
  const warnings = () => lines.filter(({ level }) => level >= warn)
  const lettersCounted = async (labels: string) => {
    const text = await registry.metrics()
    const line = text
      .split('\n')
      .find((one) => one.startsWith(`postroom_letters_total{${labels}} `))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  async function message(text: string, key: string) {
    const room = await service.workspace({ smtpPort: mail.smtpPort })
    const { db, clock } = service
    const [connection] = room.connections
    const people = [{ name: 'Kim', email: 'kim@client.example' }]
    const [person = ''] = await givenPeople(db, room.id, people, clock.now())
    const given = { person, connection, from: 'kim@client.example', at: clock.now() }
    const conversation = await givenConversation(db, room.id, given)
    const path = `/conversations/${conversation}/messages`
    const { body } = await room.call('POST', path, { text }, { key })
    const operation = () => room.call('GET', `/operations/${key}`)
    const read = async () =>
      (await room.call('GET', path)).body.messages.find((one: Line) => one['id'] === body.id)
    return { ...room, message: body.id, workflow: `${room.id}:${key}`, operation, read, connection }
  }

  it('is shown for a refused message: by its workflow, its operation, the message, and one log line', async () => {
    mail.script({ onRcpt: () => ({ code: 550, text: '5.1.1 no such user kim@client.example' }) })
    const labels = 'kind="message",outcome="failed",reason="refused"'
    const before = await lettersCounted(labels)
    const { operation, read, workflow, id } = await message('Hello', 'refused')
    await eventually(operation, ({ body }) => body.state === 'failed')
    deepEqual(await result(workflow), { state: 'failed', reason: 'refused', code: '5.1.1' })
    const { reason, code } = (await operation()).body.result
    deepEqual([reason, code], ['refused', '5.1.1'])
    const { state, ...shown } = await read()
    deepEqual([state, shown.reason, shown.code], ['failed', 'refused', '5.1.1'])
    deepEqual(
      warnings().map(({ msg, operation, workspace, reason, code }) => ({
        msg,
        operation,
        workspace,
        reason,
        code,
      })),
      [
        {
          msg: 'sendMessage failed: refused',
          operation: workflow,
          workspace: id,
          reason: 'refused',
          code: '5.1.1',
        },
      ],
    )
    equal((await lettersCounted(labels)) - before, 1)
  })

  it('is shown for a sent message, without a log line', async () => {
    const { operation, workflow } = await message('Hello', 'sent')
    await eventually(operation, ({ body }) => body.state === 'done')
    deepEqual(await result(workflow), { state: 'sent', lateBy: 0 })
    deepEqual(warnings(), [])
  })

  it('is shown for an unconfirmed message, with who settled it', async () => {
    mail.script({ onAccepted: () => 'drop' })
    const { call, operation, workflow, message: id, connection } = await message('Hello', 'parked')
    await eventually(operation, ({ body }) => body.waitingFor === 'resolve')
    deepEqual(
      warnings().map(({ msg, message, connection }) => ({ msg, message, connection })),
      [{ msg: 'nobody knows whether the message arrived', message: id, connection }],
    )
    await temporal.workflow.getHandle(workflow).executeUpdate('resolve', { args: ['sent'] })
    equal((await result(workflow)).state, 'sent')
    const { entries } = (await call('GET', '/audit')).body
    const { action, client } = entries.find((entry: Line) => entry['action'] === 'message.resolved')
    deepEqual([action, client], ['message.resolved', { id: 'temporal', name: operator }])
  })

  it('is shown for a refused campaign letter, and for a campaign that an operator paused', async () => {
    mail.script({ onRcpt: () => ({ code: 550, text: 'no such user' }) })
    const { campaign, call, id } = await givenCampaign(service, mail, { people: 1 })
    await call('POST', `/campaigns/${campaign}/state`, { to: 'running' }, { key: 'run' })
    const touch = async () => (await call('GET', `/campaigns/${campaign}/touches`)).body.touches[0]
    const { state, reason, code, workflow } = await eventually(
      touch,
      (letter) => letter.state === 'failed',
    )
    deepEqual([state, reason, code, workflow], ['failed', 'refused', '550', null])
    const told = warnings().filter(({ letter }) => letter !== undefined)
    deepEqual(
      told.map(({ letter, reason, code }) => [letter, reason, code]),
      [[(await touch()).id, 'refused', '550']],
    )

    await temporal.workflow.getHandle(`${id}:run`).cancel()
    deepEqual(await result(`${id}:run`), { state: 'paused' })
    const { entries } = (await call('GET', '/audit')).body
    const { action, after, client } = entries[0]
    deepEqual([action, after], ['campaign.moved', { state: 'paused' }])
    deepEqual(client, { id: 'temporal', name: operator })
  })

  it('is shown for tasks, imports and health checks too', async () => {
    const { call, id } = await service.workspace({ smtpPort: mail.smtpPort })
    const content = Buffer.from('name,email\nCleo,cleo@client.example\n').toString('base64')
    const body = { file: { name: 'people.csv', content }, commit: true }
    await call('POST', '/people/import', body, { key: 'import' })
    const imported = await result(`${id}:import`)
    deepEqual([imported.state, imported.new, imported.total], ['done', 1, 1])
    await call('POST', '/senders/health/check', {}, { key: 'check' })
    equal((await result(`${id}:check`)).state, 'done')
    counted('letters', { kind: 'message', outcome: 'sent', reason: '' }, 0)
    match(await registry.metrics(), /^postroom_letters_total\{kind="message",outcome="sent"/m)
  })
})
