import { equal } from 'node:assert/strict'
import { routeConversation } from '../../db/conversations/routing.ts'
import { newId } from '../../db/ids.ts'
import { givenConversation, givenPeople } from './given.ts'
import type { TestService } from './service.ts'

type Rule = { id: string }

export type RoutingRoom = Awaited<ReturnType<typeof givenRouting>>

/** A workspace with a second member, a label, a person tagged as a buyer of the product, and a conversation with them. */
export async function givenRouting(service: TestService) {
  const { db, clock } = service
  const room = await service.workspace()
  const now = clock.now()
  const [ben, label] = [newId('mem'), newId('lbl')]
  const card = { workspace: room.id, name: 'Ben', email: 'ben@us.example' }
  await db
    .insertInto('members')
    .values({ id: ben, ...card, jobTitle: '', zone: '', signature: '' })
    .execute()
  await db.insertInto('labels').values({ id: label, workspace: room.id, name: 'VIP' }).execute()
  const email = `${label}@Client.example`
  const [person = ''] = await givenPeople(db, room.id, [{ name: 'Kim', email }], now)
  const at = { person, connection: room.connections[0], from: email, at: now }
  const conversation = await givenConversation(db, room.id, at)
  const edit = (body: object) => room.call('POST', '/routing', body)
  return {
    ...room,
    ben,
    label,
    email,
    person,
    conversation,
    edit,
    read: async () => (await room.call('GET', '/routing')).body,
    add: async (field: string, value: string, member = ben) => {
      const reply = await edit({ do: 'add', field, value, member })
      equal(reply.status, 200, reply.text)
      return reply.body.rule as string
    },
    order: async () => ((await room.call('GET', '/routing')).body.rules as Rule[]).map((r) => r.id),
    route: (of = conversation) =>
      db.transaction().execute((trx) => routeConversation(trx, room.id, of, clock.now())),
    tag: (side: 'buyer' | 'seller') =>
      db
        .insertInto('personTags')
        .values({ person, label: room.product, side, addedAt: now })
        .execute(),
    owner: async () => (await room.call('GET', `/conversations/${conversation}`)).body.owner,
  }
}
