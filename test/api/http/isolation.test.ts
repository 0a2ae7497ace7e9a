import { deepEqual, equal } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('two workspaces that know the same people', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A workspace whose first account has written to Vera; answers what its check finds of complaints. */
  async function wroteToVera() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const email = 'vera@client.example'
    const [person = ''] = await givenPeople(
      db,
      workspace.id,
      [{ name: 'Vera', email }],
      clock.now(),
    )
    const connection = workspace.connections[0]
    const at = clock.now()
    const conversation = await givenConversation(db, workspace.id, {
      person,
      connection,
      from: email,
      at,
    })
    await db
      .insertInto('messages')
      .values({
        id: newId('msg'),
        workspace: workspace.id,
        conversation,
        connection,
        state: 'sent',
        direction: 'outbound',
        senderName: 'Ana',
        senderHandle: 'ana@us.example',
        at,
        toAddress: email,
        subject: 'Hello',
        text: 'Hello.',
        sentAt: at,
      })
      .execute()
    return {
      id: workspace.id,
      complain: () =>
        db
          .insertInto('suppressions')
          .values({ workspace: workspace.id, address: email, reason: 'complaint', at })
          .execute(),
      async complaints() {
        equal((await workspace.call('POST', '/senders/health/check', {})).status, 200)
        const { body } = await workspace.call('GET', '/senders/health')
        const account = body.accounts.find((one: { connection: string }) => {
          return one.connection === connection
        })
        const signals: { key: string; level: string; facts: unknown }[] = account.health.signals
        const { level, facts } = signals.find(({ key }) => key === 'complaints') ?? {}
        return { level, facts }
      },
    }
  }

  it("a complaint to one does not affect the health of the other's accounts", async function () {
    this.timeout(120_000)
    await service.work(this.test?.ctx, { lookUpTxt: async () => [] })
    const [theirs, ours] = [await wroteToVera(), await wroteToVera()]
    const before = await ours.complaints()
    await theirs.complain()
    deepEqual(await ours.complaints(), before)
    deepEqual((await theirs.complaints()).facts, { count: 1, of: 1, rate: 1, floor: 100 })
  })
})
