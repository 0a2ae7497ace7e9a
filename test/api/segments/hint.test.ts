import { deepEqual, equal, match } from 'node:assert/strict'
import { givenCards, three } from '../../support/segments.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('a segment that finds nobody', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  it('says what everybody lacks, and that words do not reach a field of your own', async () => {
    const { call } = await givenCards(service, three)
    const fields = { tier: 'gold', 'Account size': 3, other: true }
    await call('POST', '/people', { email: 'gold@x.test', fields })
    const { body } = await call('POST', '/segments', { query: 'tier is gold' })
    equal(body.members, 0)
    match(body.hint, /lacks tier gold/)
    match(body.hint, /“tier” is a field of your own.*GET \/people\?field\.tier=VALUE/)
    equal(/“other”|“Account size”/.test(body.hint), false)
    equal((await call('GET', `/segments/${body.id}`)).body.hint, body.hint)
  })

  it('says which rule excludes everybody', async () => {
    const { call } = await givenCards(service, three)
    const rules = [{ kind: 'only', text: 'with the account size 3' }]
    await call('POST', '/people', { email: 'a@x.test', fields: { 'Account size': 3 } })
    const { body } = await call('POST', '/segments', { query: 'everyone', rules })
    match(body.hint, /Against the rule “only with the account size 3”.*“Account size” is a field/)
  })

  it('has nothing to say once somebody belongs to it, or where nobody could be judged', async () => {
    const { call } = await givenCards(service, three)
    const { body } = await call('POST', '/segments', { query: 'nosuchword' })
    const people = (await call('GET', '/people')).body.people
    const added = await call('POST', `/segments/${body.id}/people`, { people: [people[0].id] })
    deepEqual([typeof body.hint, added.body.hint], ['string', undefined])
    const none = await service.workspace()
    const { body: empty } = await none.call('POST', '/segments', { query: 'everyone' })
    deepEqual([empty.members, empty.hint], [0, undefined])
  })
})
