import { deepEqual, equal } from 'node:assert/strict'
import { eventsOf } from '../../support/events.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('POST /people with all members of a card', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  const members = (product: string) => ({
    ...{ name: 'Nadia Roth', city: 'Porto', jobTitle: 'Owner', company: 'Roth' },
    emails: ['nadia@roth.example', 'n@roth.example'],
    phones: ['+4930123456', '+4930123457'],
    ...{ linkedin: 'linkedin.com/in/nadia', externalId: 'crm-1', fields: { tier: 'gold' } },
    tags: [{ label: product, side: 'buyer' }],
  })
  async function room() {
    const workspace = await service.workspace()
    const { body } = await workspace.call('GET', '/products')
    return { ...workspace, product: body.products[0] as { id: string; name: string } }
  }

  it('makes the card that is read', async () => {
    const { call, product } = await room()
    const given = members(product.id)
    const { status, body, text } = await call('POST', '/people', given)
    equal(status, 200, text)
    const { body: read } = await call('GET', `/people/${body.id}`)
    deepEqual(Object.fromEntries(Object.keys(given).map((name) => [name, read[name]])), given)
    deepEqual([read.email, read.phone, body.created], [given.emails[0], given.phones[0], true])
    const [created] = await eventsOf(call, ({ kind }) => kind === 'person.created', 1)
    deepEqual(created?.data.members?.toSorted(), [
      ...['city', 'company', 'emails', 'externalId', 'fields', 'jobTitle', 'linkedin', 'name'],
      ...['phones', 'tags'],
    ])
  })

  it('takes one address before a list of its kind, each once', async () => {
    const { call } = await room()
    const { body } = await call('POST', '/people', {
      email: 'b@x.test',
      emails: ['a@x.test', 'B@x.test', 'a@x.test'],
      phones: ['+4930123456'],
    })
    deepEqual([body.emails, body.phones], [['b@x.test', 'a@x.test'], ['+4930123456']])
  })

  it('completes a card that any of the addresses leads to, and overwrites nothing', async () => {
    const { call, product } = await room()
    const known = { name: 'N. Roth', city: 'Braga', emails: ['n@roth.example'] }
    const { body: card } = await call('POST', '/people', known)
    const { externalId, ...given } = members(product.name)
    given.tags = [{ label: product.name, side: 'partner' }]
    const { body } = await call('POST', '/people', given)
    deepEqual(
      [body.id, body.created, body.name, body.city, body.jobTitle, body.emails],
      [card.id, false, 'N. Roth', 'Braga', 'Owner', ['n@roth.example', 'nadia@roth.example']],
    )
    deepEqual(body.tags, [{ label: product.id, side: 'seller' }])
    const { body: again } = await call('POST', '/people', given)
    equal(again.updatedAt, body.updatedAt)
  })

  it('replaces what stands on a card with its externalId, and puts given addresses first', async () => {
    const { call, product } = await room()
    const { body: card } = await call('POST', '/people', members(product.id))
    const { body } = await call('POST', '/people', {
      ...{ externalId: 'crm-1', city: 'Faro', jobTitle: '' },
      emails: ['n@roth.example', 'new@roth.example'],
    })
    deepEqual(
      [body.id, body.city, body.jobTitle, body.company, body.emails, body.tags.length],
      [
        ...[card.id, 'Faro', '', 'Roth'],
        ['n@roth.example', 'new@roth.example', 'nadia@roth.example'],
        1,
      ],
    )
  })

  it('refuses addresses of two people and names each by its place', async () => {
    const { call } = await room()
    for (const email of ['a@x.test', 'b@x.test']) await call('POST', '/people', { email })
    const emails = ['new@x.test', 'a@x.test', 'b@x.test']
    const { status, body } = await call('POST', '/people', { emails })
    deepEqual(
      [status, body.errors.map(({ pointer }: { pointer: string }) => pointer)],
      [422, ['/emails/1', '/emails/2']],
    )
  })

  const wrong: [body: object, pointer: string][] = [
    [{ emails: ['a@x.test', 'nothing'] }, '/emails/1'],
    [{ phones: ['call me'] }, '/phones/0'],
    [{ emails: [] }, ''],
    [
      { emails: ['a@x.test'], tags: [{ label: 'no such product', side: 'buyer' }] },
      '/tags/0/label',
    ],
    [{ emails: ['a@x.test'], tags: [{ label: 'x', side: 'none' }] }, '/tags/0/side'],
    [{ emails: ['a@x.test'], city: 7 }, '/city'],
  ]
  for (const [body, pointer] of wrong)
    it(`is refused at "${pointer}" with ${JSON.stringify(body)}`, async () => {
      const { call } = await room()
      const refused = await call('POST', '/people', body)
      deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, pointer])
      equal((await call('GET', '/people')).body.people.length, 0)
    })

  it('says what was left out of the addresses', async () => {
    const { call } = await room()
    const { body } = await call('POST', '/people', {
      email: 'na\u00addia@roth.example',
      emails: ['Nadia <n@roth.example>', 'plain@roth.example'],
    })
    deepEqual(body.cleaned, [
      {
        pointer: '/email',
        given: 'na\u00addia@roth.example',
        read: 'nadia@roth.example',
        leftOut: 'invisible characters',
      },
      {
        pointer: '/emails/0',
        given: 'Nadia <n@roth.example>',
        read: 'n@roth.example',
        leftOut: 'a name or brackets around it',
      },
    ])
  })
})
