import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { messageForbidden } from '../../../db/conversations/message-life.ts'
import { findOutgoing, type OutgoingRow } from '../../../db/conversations/message-sending.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a message that must not go', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A queued message, and what was told of it once it is forbidden as it was read before `meanwhile`. */
  async function forbidden(meanwhile: 'cancelled' | 'nothing') {
    const { db, clock } = service
    const { id: workspace, connections, call } = await service.workspace()
    const email = `client-${randomUUID()}@client.example`
    const at = clock.now()
    const [person = ''] = await givenPeople(db, workspace, [{ name: 'Cleo', email }], at)
    const conversation = await givenConversation(db, workspace, {
      person,
      connection: connections[0],
      from: email,
      at,
    })
    const path = `/conversations/${conversation}/messages`
    const { body } = await call('POST', path, { text: 'Hello.' })
    const read = (await findOutgoing(db, body.id)) as OutgoingRow
    if (meanwhile === 'cancelled') equal((await call('DELETE', `/messages/${body.id}`)).status, 200)
    await db.transaction().execute((trx) => messageForbidden(trx, read, 'suppressed', clock.now()))
    const told = await db
      .selectFrom('notifications')
      .select('kind')
      .where('workspace', '=', workspace)
      .execute()
    const events = await db
      .selectFrom('events')
      .select('kind')
      .where('workspace', '=', workspace)
      .where('resource', '=', body.id)
      .orderBy('id')
      .execute()
    return {
      state: (await findOutgoing(db, body.id))?.state,
      told: told.map(({ kind }) => kind),
      events: events.map(({ kind }) => kind),
    }
  }

  it('fails, and its owner is told', async () => {
    deepEqual(await forbidden('nothing'), {
      state: 'failed',
      told: ['message.failed'],
      events: ['message.queued', 'message.failed'],
    })
  })

  it('stays cancelled where it was cancelled meanwhile, and nobody is told of a failure', async () => {
    deepEqual(await forbidden('cancelled'), {
      state: 'cancelled',
      told: [],
      events: ['message.queued', 'message.cancelled'],
    })
  })
})
