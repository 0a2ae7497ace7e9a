import { deepEqual, equal } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenPeople } from '../../support/given.ts'
import { givenRouting, type RoutingRoom } from '../../support/routing.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('routing gives a new conversation', () => {
  let service: TestService
  before(async function () {
    this.timeout(60_000)
    service = await startService()
  })
  after(() => service.close())
  const givenRoom = () => givenRouting(service)

  it('to nobody while routing is switched off', async () => {
    const room = await givenRoom()
    await room.add('sender', room.email)
    equal(await room.route(), null)
    await room.edit({ do: 'switch', enabled: true })
    equal(await room.route(), room.ben)
    equal(await room.owner(), room.ben)
  })

  it('to the member of the first rule that matches, with an audit line and a notification', async () => {
    const room = await givenRoom()
    await room.edit({ do: 'switch', enabled: true })
    await room.tag('buyer')
    await room.add('side', 'seller', room.member)
    const rule = await room.add('side', 'buyer', room.ben)
    await room.add('product', room.product, room.member)
    equal(await room.route(), room.ben)
    const [line] = (await room.call('GET', '/audit')).body.entries
    deepEqual(
      [line.action, line.resource, line.member, line.before, line.after],
      ['conversation.routed', room.conversation, '', { owner: null }, { owner: room.ben, rule }],
    )
    const told = await service.db
      .selectFrom('notifications')
      .select(['member', 'kind', 'conversation'])
      .where('workspace', '=', room.id)
      .execute()
    deepEqual(told, [
      { member: room.ben, kind: 'conversation.assigned', conversation: room.conversation },
    ])
  })

  it('to no other member once it has an owner', async () => {
    const room = await givenRoom()
    await room.edit({ do: 'switch', enabled: true })
    await room.add('sender', room.email)
    await room.call('PATCH', `/conversations/${room.conversation}`, { owner: room.member })
    equal(await room.route(), null)
    equal(await room.owner(), room.member)
  })

  const holds: Record<string, (room: RoutingRoom) => Promise<string>> = {
    'label when it carries the label': async ({ conversation, label }) => {
      await service.db.insertInto('conversationLabels').values({ conversation, label }).execute()
      return label
    },
    'label when its person carries the product tag': async (room) => {
      await room.tag('seller')
      return room.product
    },
    'side when its person is one': async (room) => {
      await room.tag('seller')
      return 'seller'
    },
    'product when its person is tagged with it': async (room) => {
      await room.tag('buyer')
      return room.product
    },
    'sender when the client wrote from the address': async ({ email }) => email.toLowerCase(),
    'sender when the client wrote from the domain': async () => '@client.example',
    'sender when it came to the account': async ({ connections }) => connections[0],
    'agent when it has written to the person': async (room) => {
      await service.db
        .updateTable('messages')
        .set({ agent: room.agent })
        .where('conversation', '=', room.conversation)
        .execute()
      return room.agent
    },
    'agent when it leads a deal with the person': async (room) => {
      const { db, clock } = service
      const [seller = ''] = await givenPeople(
        db,
        room.id,
        [{ name: 'S', email: `${newId('s')}@x.example` }],
        clock.now(),
      )
      const parties = { label: room.product, seller, buyer: room.person, agent: room.agent }
      const deal = { id: newId('dea'), workspace: room.id, ...parties, createdAt: clock.now() }
      await db.insertInto('deals').values(deal).execute()
      return room.agent
    },
    'company when its agent has written to the person': async (room) => {
      await service.db
        .updateTable('messages')
        .set({ agent: room.agent })
        .where('conversation', '=', room.conversation)
        .execute()
      return room.company
    },
  }
  for (const [name, make] of Object.entries(holds))
    it(`by a rule on ${name}, and only when it matches`, async () => {
      const field = name.split(' ')[0] as string
      const [room, other] = [await givenRoom(), await givenRoom()]
      await room.add(field, await make(room))
      await room.edit({ do: 'switch', enabled: true })
      equal(await room.route(), room.ben)

      // The same rule for a conversation to which it does not apply.
      const elsewhere = {
        label: other.label,
        side: 'seller',
        product: other.product,
        sender: name.includes('account')
          ? other.connections[1]
          : name.includes('domain')
            ? '@lient.example'
            : `x${other.email}`,
        agent: other.agent,
        company: other.company,
      }[field] as string
      await other.add(field, elsewhere)
      await other.edit({ do: 'switch', enabled: true })
      equal(await other.route(), null)
    })

  it('ignoring removed tags and closed deals', async () => {
    const room = await givenRoom()
    await room.tag('buyer')
    await service.db
      .updateTable('personTags')
      .set({ removedAt: service.clock.now() })
      .where('person', '=', room.person)
      .execute()
    for (const [field, value] of [
      ['side', 'buyer'],
      ['product', room.product],
      ['agent', room.agent],
    ] as const)
      await room.add(field, value)
    const now = service.clock.now()
    const deal = {
      label: room.product,
      seller: room.person,
      buyer: room.person,
      agent: room.agent,
    }
    await service.db
      .insertInto('deals')
      .values({ id: newId('dea'), workspace: room.id, ...deal, createdAt: now, closedAt: now })
      .execute()
    await room.edit({ do: 'switch', enabled: true })
    equal(await room.route(), null)
  })
})
