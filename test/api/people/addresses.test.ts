import { deepEqual, equal, ok } from 'node:assert/strict'
import { suppressAddress } from '../../../db/accounts/suppressions.ts'
import { eventsOf } from '../../support/events.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('the addresses of a person', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    // The database tells the time of a change by its own clock.
    service = await startService({ now: new Date().toISOString() })
  })
  after(() => service.close())

  type Body = { pointer: string }
  async function given(body: object) {
    const workspace = await service.workspace()
    const { body: person } = await workspace.call('POST', '/people', body)
    return {
      ...workspace,
      person,
      edit: (edit: object) => workspace.call('PATCH', `/people/${person.id}`, edit),
    }
  }

  it('are replaced in the given order, and nothing is recorded if they are the same', async () => {
    const { edit, call } = await given({ email: 'a@x.test', phone: '+4930123456', name: 'Ann' })
    const { status, body, text } = await edit({ emails: ['B@x.test', 'a@x.test', 'b@x.test'] })
    equal(status, 200, text)
    deepEqual(
      [body.email, body.emails, body.phones],
      ['b@x.test', ['b@x.test', 'a@x.test'], ['+4930123456']],
    )
    const turned = await edit({ emails: ['a@x.test', 'b@x.test'], phones: [] })
    deepEqual([turned.body.emails, turned.body.phones], [['a@x.test', 'b@x.test'], []])
    const same = await edit({ emails: ['A@x.test', 'b@x.test'], phones: [] })
    equal(same.body.updatedAt, turned.body.updatedAt)
    const left = await edit({ emails: ['c@x.test'], phones: ['0049 30 654321', '+4930123456'] })
    deepEqual([left.body.emails, left.body.phones], [['c@x.test'], ['+4930654321', '+4930123456']])
    const { entries } = (await call('GET', '/audit')).body
    equal(entries.length, 4)
    deepEqual(
      [entries[0].before.emails, entries[0].after.emails],
      [['a@x.test', 'b@x.test'], ['c@x.test']],
    )
    const { body: known } = await call('POST', '/people', { email: 'a@x.test' })
    ok(known.created, 'an address that was removed is free')
  })

  it('of another card are refused with 409, naming both cards and each member', async () => {
    const { edit, call, person } = await given({ email: 'a@x.test' })
    const { body: bob } = await call('POST', '/people', {
      email: 'bob@x.test',
      phone: '+4930123456',
    })
    const { status, body } = await edit({
      emails: ['a@x.test', 'new@x.test', 'bob@x.test'],
      phones: ['+4930123456'],
    })
    deepEqual([status, body.code, body.people], [409, 'conflict', [person.id, bob.id]])
    deepEqual(
      body.errors.map(({ pointer }: Body) => pointer),
      ['/emails/2', '/phones/0'],
    )
    const { body: now } = await call('GET', `/people/${person.id}`)
    deepEqual([now.emails, now.phones], [['a@x.test'], []])
    equal((await call('POST', '/people', { email: 'new@x.test' })).body.created, true)
  })

  it('that are shared already can be given again', async () => {
    const { edit, call } = await given({ email: 'a@x.test', phone: '+4930123456' })
    await call('POST', '/people', { email: 'bob@x.test', phone: '+4930123456' })
    const { status, body } = await edit({ phones: ['+4930123456', '+4930111111'] })
    deepEqual([status, body.phones], [200, ['+4930123456', '+4930111111']])
  })

  const refused: [object, string][] = [
    [{ emails: ['a@x.test', 'nobody'] }, '/emails/1'],
    [{ emails: ['a@x.test\r\nBcc: b@x.test'] }, '/emails/0'],
    [{ phones: ['12'] }, '/phones/0'],
    [{ emails: 'a@x.test' }, '/emails'],
    [{ emails: [null] }, '/emails/0'],
    [{ emails: Array.from({ length: 101 }, (_, i) => `a${i}@x.test`) }, '/emails'],
  ]
  for (const [body, pointer] of refused)
    it(`are refused at ${pointer}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { edit, call, person } = await given({ email: 'ann@x.test' })
      const reply = await edit({ name: 'Other', ...body })
      deepEqual([reply.status, reply.body.errors[0].pointer], [422, pointer], reply.text)
      const { emails, name } = (await call('GET', `/people/${person.id}`)).body
      deepEqual([emails, name], [['ann@x.test'], ''])
    })

  it('that must not be written to are shown with the reason', async () => {
    const { edit, call, person, id } = await given({ email: 'a@x.test', phone: '+4930123456' })
    deepEqual(person.suppressed, [])
    await call('POST', '/suppressions', { address: 'A@x.test' })
    await call('POST', '/suppressions', { address: '0049 30 123456' })
    await call('POST', '/suppressions', { address: 'other@x.test' })
    const unsubscribe = { workspace: id, address: 'a@x.test', reason: 'unsubscribe' as const }
    await suppressAddress(service.db, { ...unsubscribe, now: service.clock.now() })
    const { suppressed, updatedAt } = (await call('GET', `/people/${person.id}`)).body
    deepEqual(suppressed, [
      { address: 'a@x.test', reason: 'operator' },
      { address: 'a@x.test', reason: 'unsubscribe' },
      { address: '+4930123456', reason: 'operator' },
    ])
    ok(updatedAt > person.updatedAt, 'and it is a change of the person')
    await eventually(
      async () => (await call('GET', `/people?updatedSince=${updatedAt}`)).body.people,
      ([changed]) => changed?.id === person.id,
    )
    equal((await edit({ phones: [] })).body.suppressed.length, 2)
  })

  it('are stopped by what the person asked for under an old address', async () => {
    const { edit, id, call } = await given({ email: 'a@x.test' })
    for (const reason of ['unsubscribe', 'complaint', 'bounce', 'operator'] as const)
      await suppressAddress(service.db, {
        workspace: id,
        address: 'a@x.test',
        reason,
        now: service.clock.now(),
      })
    const { body } = await edit({ emails: ['b@x.test'] })
    deepEqual(body.suppressed, [
      { address: 'b@x.test', reason: 'complaint' },
      { address: 'b@x.test', reason: 'unsubscribe' },
    ])
    const added = await eventsOf(call, ({ kind }) => kind === 'suppression.added', 2)
    deepEqual(added.map(({ data }) => data.reason).sort(), ['complaint', 'unsubscribe'])
  })

  it('go to one card when two edits want the same new one', async () => {
    const { call } = await service.workspace()
    const cards = []
    for (const i of [1, 2, 3])
      cards.push((await call('POST', '/people', { email: `p${i}@x.test` })).body)
    const replies = await Promise.all(
      cards.map((card) => call('PATCH', `/people/${card.id}`, { emails: ['same@x.test'] })),
    )
    deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409])
  })
})
