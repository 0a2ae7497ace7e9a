import { deepEqual, equal } from 'node:assert/strict'
import { eventKinds } from '../../../rules/event-kinds.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('the kinds of a webhook', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  const url = 'https://hooks.example/in'

  for (const [wrong, nearest] of [
    ['message.recieved', '; did you mean message.received?'],
    ['touch.send', '; did you mean touch.sent?'],
    ['Message.Received', '; did you mean message.received?'],
    ['mesage.*', '; did you mean message.*?'],
    ['none.such', ''],
    ['*', ''],
    ['message.', '; did you mean message.*?'],
  ])
    it(`are refused where ${wrong} is none, with the nearest`, async () => {
      const { call } = await service.workspace()
      const { body: made } = await call('POST', '/webhooks', { url, kinds: ['message.sent'] })
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${made.id}`],
      ] as const) {
        const kinds = ['message.sent', wrong]
        const { status, body } = await call(method, path, {
          ...(method === 'POST' && { url }),
          kinds,
        })
        const [{ pointer, message }] = body.errors
        deepEqual([status, pointer, message], [422, '/kinds/1', `is not a kind of event${nearest}`])
      }
      equal((await call('GET', '/webhooks')).body.webhooks.length, 1)
    })

  it('are all that are told of, and groups of them', async () => {
    const { call } = await service.workspace()
    const kinds = [...eventKinds, 'touch.*', 'message.*', 'touch.*']
    const { status, body } = await call('POST', '/webhooks', { url, kinds })
    deepEqual([status, body.kinds], [200, [...eventKinds, 'touch.*', 'message.*']])
  })

  it('name a group whose events are sent, and no others', async () => {
    const { call, id } = await service.workspace()
    const { body: hook } = await call('POST', '/webhooks', { url, kinds: ['person.*'] })
    const { body: person } = await call('POST', '/people', { email: 'a@x.test' })
    await call('POST', '/suppressions', { address: 'b@x.test' })
    const queued = await service.db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event')
      .select(['events.kind', 'events.resource', 'deliveries.webhook'])
      .where('events.workspace', '=', id)
      .execute()
    deepEqual(queued, [{ kind: 'person.created', resource: person.id, webhook: hook.id }])
  })
})
