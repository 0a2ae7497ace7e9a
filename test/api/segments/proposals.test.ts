import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenConversation } from '../../support/given.ts'
import { givenCards } from '../../support/segments.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('GET /segments/proposals', () => {
  let service: SharedService

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  const times = (n: number, card: object, name: string) =>
    Array.from({ length: n }, (_, i) => ({ name: `${name} ${i}`, ...card }))

  /** Five owners in Ulm of whom two are buyers, four kitchen managers at Azahar, and a chef alone. */
  async function given() {
    const room = await givenCards(service, [
      ...times(5, { jobTitle: 'Owner', city: 'Ulm' }, 'Owner'),
      ...times(4, { jobTitle: 'Kitchen manager', company: 'Casa Azahar' }, 'Kim'),
      { name: 'Alone', jobTitle: 'Chef', city: 'Bonn' },
      ...times(3, { jobTitle: 'Yes, or / no' }, 'Odd'),
    ])
    for (const name of ['Owner 0', 'Owner 1'])
      await room.call('POST', `/people/${room.idOf(name)}/tags`, {
        label: room.product,
        side: 'buyer',
      })
    const proposals = async () => {
      const { status, body, text } = await room.call('GET', '/segments/proposals')
      equal(status, 200, text)
      equal(body.next, null)
      return body.proposals
    }
    return { ...room, proposals }
  }

  it('proposes the buyers of a product, and jobs, cities and companies beside them', async () => {
    const { proposals, product } = await given()
    const all = await proposals()
    deepEqual(
      all.map(({ name, size }: { name: string; size: { contacts: number } }) => [
        name.replace(/CRM .*/, 'CRM'),
        size.contacts,
      ]),
      [
        ['Buyers of CRM', 2],
        ['Kitchen manager: new to CRM', 4],
        ['Owner: new to CRM', 3],
        ['Ulm: new to CRM', 3],
        ['Casa Azahar: new to CRM', 4],
      ],
    )
    for (const proposal of all) {
      equal(proposal.product.id, product)
      deepEqual([proposal.channels, proposal.channel], [['email'], 'email'])
      deepEqual(proposal.size.reach, {
        email: proposal.size.contacts,
        professional_network: 0,
        messenger: 0,
      })
      equal(proposal.size.fresh, proposal.size.contacts)
      ok(proposal.why.includes(String(proposal.size.fresh)))
    }
  })

  it('proposes words by which the judge finds the same people', async () => {
    const { proposals, call } = await given()
    for (const { name, query, size } of await proposals()) {
      const { status, body } = await call('POST', '/segments', { name, query })
      equal(status, 200)
      equal(`${query}: ${body.members}`, `${query}: ${size.contacts}`)
    }
  })

  it('counts people without letters as fresh, and leaves out buyers when all have had one', async () => {
    const { proposals, connections, workspace, idOf } = await given()
    const write = async (name: string, daysAgo: number) => {
      const at = new Date(service.clock.now().getTime() - daysAgo * 86_400_000)
      const person = idOf(name)
      const place = { person, connection: connections[0], from: 'x@client.example', at }
      const conversation = await givenConversation(service.db, workspace, place)
      await service.db
        .updateTable('messages')
        .set({ direction: 'outbound', state: 'sent' })
        .where('conversation', '=', conversation)
        .execute()
      return conversation
    }
    const buyers = async () =>
      (await proposals()).find(({ name }: { name: string }) => name.startsWith('Buyers'))
    await write('Owner 0', 90)
    equal((await buyers()).size.fresh, 2)
    await write('Owner 0', 3)
    equal((await buyers()).size.fresh, 1)
    const conversation = await write('Owner 1', 3)
    equal(await buyers(), undefined)
    await service.db
      .updateTable('conversations')
      .set({ intent: 'quote' })
      .where('id', '=', conversation)
      .execute()
    ok((await buyers()).why.endsWith('1 wait for a quote.'))
  })

  it('has none for a workspace without people', async () => {
    const { call } = await service.workspace()
    deepEqual((await call('GET', '/segments/proposals')).body, { proposals: [], next: null })
  })
})
