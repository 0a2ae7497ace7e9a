import { deepEqual, equal } from 'node:assert/strict'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('the default connection of a member', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const { id, call, member, connections } = workspace
    const email = 'cleo@client.example'
    const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], clock.now())
    const where = { person, connection: connections[0], from: email, at: clock.now() }
    const conversation = await givenConversation(db, id, where)
    // The account of the conversation is gone.
    await db
      .updateTable('conversations')
      .set({ connection: null })
      .where('id', '=', conversation)
      .execute()
    const choose = (defaultConnection: unknown) =>
      call('PATCH', `/members/${member}`, { defaultConnection })
    const viaOf = async (path: string, body: object) => {
      const { status, body: answer } = await call('POST', path, { text: 'Hello.', ...body })
      return status === 200 ? (answer.message ?? answer).id : answer.code
    }
    const sentVia = async (message: string) =>
      (
        await db
          .selectFrom('messages')
          .select('connection')
          .where('id', '=', message)
          .executeTakeFirst()
      )?.connection ?? message
    return {
      ...workspace,
      choose,
      shown: async () => (await call('GET', '/members')).body.members[0].defaultConnection,
      /** The account of an answer, of a first message to a person, and to an address; or why there is none. */
      ways: async () => [
        await sentVia(await viaOf(`/conversations/${conversation}/messages`, {})),
        await sentVia(await viaOf('/conversations', { person })),
        await sentVia(await viaOf('/conversations', { to: 'fresh@client.example' })),
      ],
    }
  }

  it('decides where several accounts fit, in place of a refusal', async () => {
    const { choose, shown, ways, connections } = await given()
    equal(await shown(), null)
    deepEqual(await ways(), Array(3).fill('sender_ambiguous'))
    const { status, body } = await choose(connections[1])
    deepEqual(
      [status, body.defaultConnection, await shown()],
      [200, connections[1], connections[1]],
    )
    deepEqual(await ways(), Array(3).fill(connections[1]))
    equal((await choose(null)).body.defaultConnection, null)
    deepEqual(await ways(), Array(3).fill('sender_ambiguous'))
  })

  it('does not decide against the call', async () => {
    const { choose, call, connections } = await given()
    await choose(connections[1])
    const to = 'fresh@client.example'
    const body = { to, text: 'Hello.', via: connections[0] }
    equal((await call('POST', '/conversations', body)).body.conversation.channel, connections[0])
  })

  it('is refused unless the account is theirs, and counts only as long as it is', async () => {
    const { choose, shown, ways, connections, id } = await given()
    const other = await service.workspace()
    for (const connection of ['con_none', other.connections[0]]) {
      const { status, body } = await choose(connection)
      equal(`${status} ${body.code} ${body.errors[0].pointer}`, refusal)
    }
    await choose(connections[1])
    const colleague = `mem_other_${id}`
    await service.db
      .insertInto('members')
      .values({
        ...{ id: colleague, workspace: id, name: 'Ben', email: 'ben@us.example' },
        ...{ jobTitle: '', zone: '', signature: '' },
      })
      .execute()
    await service.db
      .updateTable('connections')
      .set({ member: colleague })
      .where('id', '=', connections[1])
      .execute()
    deepEqual([await shown(), await ways()], [null, Array(3).fill('sender_ambiguous')])
    const { status, body } = await choose(connections[1])
    equal(`${status} ${body.code} ${body.errors[0].pointer}`, refusal)
  })
  const refusal = '422 validation_failed /defaultConnection'
})
