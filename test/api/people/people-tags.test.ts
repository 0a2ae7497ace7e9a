import { deepEqual, equal, ok } from 'node:assert/strict'
import { auditedActions } from '../../support/audited.ts'
import { givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('the tags of people', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  describe('/people/{id}/tags', () => {
    it('adds a pair, records its removal and restores it', async () => {
      const { call, product } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      const tags = `/people/${ann.id}/tags`
      const added = await call('POST', tags, { label: product, side: 'client' })
      deepEqual(added.body.tags, [{ label: product, side: 'buyer' }])
      deepEqual((await call('POST', tags, { label: product, side: 'buyer' })).body, added.body)

      const removed = await call('DELETE', `${tags}?label=${product}&side=buyer`)
      deepEqual(removed.body.tags, [])
      equal(removed.body.removedTags[0].label, product)
      ok(removed.body.removedTags[0].removedAt)
      deepEqual((await call('DELETE', tags, { label: product, side: 'buyer' })).body, removed.body)

      const revived = await call('POST', tags, { label: product, side: 'buyer' })
      deepEqual([revived.body.tags, revived.body.removedTags], [added.body.tags, []])
      deepEqual(await auditedActions(call), [
        'person.tagged',
        'person.untagged',
        'person.tagged',
        'person.created',
      ])
    })

    it('takes the exact name of a product, and the pair in a body', async () => {
      const { call, product } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      const { name } = (await call('GET', `/products/${product}`)).body
      const added = await call('POST', `/people/${ann.id}/tags`, { label: name, side: 'partner' })
      deepEqual(added.body.tags, [{ label: product, side: 'seller' }])
      const removed = await call('DELETE', `/people/${ann.id}/tags`, {
        label: name,
        side: 'seller',
      })
      deepEqual(removed.body.tags, [])
    })

    it('stores nothing for half a pair, so that its key can still be used for a whole one', async () => {
      const { call, product } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      const tags = `/people/${ann.id}/tags`
      for (const query of ['', `?label=${product}`, `?label=${product}&side=both`, '?side=buyer'])
        equal((await call('DELETE', tags + query, undefined, { key: 'k' })).status, 422)
      const whole = `${tags}?label=${product}&side=buyer`
      equal((await call('DELETE', whole, undefined, { key: 'k' })).status, 200)
      for (const query of ['?label=&side=buyer', '?label=%20&side=buyer'])
        equal((await call('DELETE', tags + query)).status, 400)
    })

    it('refuses an unknown product or side, and half a pair', async () => {
      const { call, product } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      const tags = `/people/${ann.id}/tags`
      const pointer = async (method: string, path: string, body?: object) =>
        (await call(method, path, body)).body.errors[0].pointer
      equal(await pointer('POST', tags, { label: 'none', side: 'buyer' }), '/label')
      equal(await pointer('POST', tags, { label: product, side: 'both' }), '/side')
      equal(await pointer('DELETE', `${tags}?label=${product}`), '/side')
      deepEqual(
        (await call('DELETE', tags)).body.errors.map((error: { pointer: string }) => error.pointer),
        ['/label', '/side'],
      )
      equal(
        (await call('POST', '/people/per_nobody/tags', { label: product, side: 'buyer' })).status,
        404,
      )
    })
  })
})

describe('people of the reduced deployment', () => {
  let service: TestService
  before(async () => {
    service = await startService({ variant: 'reduced' })
  })
  after(() => service.close())

  it('are listed, read, edited and tagged with buyer or seller, not created or imported', async () => {
    const { call, product } = await service.workspace()

    const { workspace } = (await call('GET', '')).body
    const [ann] = await givenPeople(
      service.db,
      workspace,
      [{ name: 'Ann', email: 'ann@x.test' }],
      service.clock.now(),
    )
    equal((await call('GET', '/people')).body.people[0].id, ann)
    equal((await call('GET', '/people?side=client')).status, 400)
    equal((await call('PATCH', `/people/${ann}`, { city: 'Bonn' })).body.city, 'Bonn')
    equal(
      (await call('POST', `/people/${ann}/tags`, { label: product, side: 'client' })).status,
      422,
    )
    equal(
      (await call('POST', `/people/${ann}/tags`, { label: product, side: 'buyer' })).status,
      200,
    )
    equal((await call('DELETE', `/people/${ann}/tags?label=${product}&side=client`)).status, 422)
    equal(
      (await call('DELETE', `/people/${ann}/tags?label=${product}&side=buyer`)).body.removedTags
        .length,
      1,
    )
    for (const path of ['/people', '/people/import']) {
      const { status, body } = await call('POST', path, { email: 'b@x.test' })
      deepEqual([status, body.code], [404, 'no_such_route'])
    }
  })
})
