import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { startService, type TestService } from '../../support/service.ts'

// A secret that is shown once is shown again for an hour to the token that asked, in case the answer was lost.

const minute = 60_000

describe('a confidential answer', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const key = randomUUID()
    const create = async (token = workspace.token) => {
      const body = { url: 'https://client.example/events' }
      const {
        status,
        body: answer,
        headers,
      } = await workspace.call('POST', '/webhooks', body, {
        key,
        token,
      })
      return { status, answer, replayed: headers.get('idempotent-replayed') }
    }
    const operation = service.db
      .updateTable('operations')
      .where('id', '=', `${workspace.id}:${key}`)
    return { ...workspace, create, operation }
  }

  it('is repeated in full to its own token, and without the secret to any other', async () => {
    const { create, tokenWith } = await given()
    const first = await create()
    match(first.answer.secret, /^whsec_/)
    deepEqual(await create(), { ...first, replayed: 'true' })
    const other = await create(await tokenWith(['inbox:read', 'inbox:write']))
    deepEqual(other, { ...first, answer: { ...first.answer, secret: null }, replayed: 'true' })
  })

  it('is repeated in full to its own token for an hour', async () => {
    const { create, operation } = await given()
    const { answer } = await create()
    const accepted = (minutes: number) =>
      operation.set({ acceptedAt: new Date(Date.now() - minutes * minute) }).execute()
    await accepted(59)
    deepEqual((await create()).answer, answer)
    await accepted(61)
    deepEqual((await create()).answer, { ...answer, secret: null })
  })
})

describe('an answer that is asked for again', () => {
  it('is noted as used hourly, not each time', async () => {
    const service = await startService()
    const { call, id } = await service.workspace()
    const key = randomUUID()
    const repeat = () => call('PATCH', '/workspace', {}, { key })
    const { db } = service
    const operation = `${id}:${key}`
    const used = async () =>
      (
        await db
          .selectFrom('operations')
          .select('lastUsedAt')
          .where('id', '=', operation)
          .executeTakeFirstOrThrow()
      ).lastUsedAt.getTime()
    const usedAgo = async (minutes: number) => {
      const lastUsedAt = new Date(Date.now() - minutes * minute)
      await db.updateTable('operations').set({ lastUsedAt }).where('id', '=', operation).execute()
      return used()
    }
    await repeat()
    const recent = await usedAgo(50)
    equal((await repeat()).headers.get('idempotent-replayed'), 'true')
    equal(await used(), recent)
    const earlier = await usedAgo(70)
    await repeat()
    notEqual(await used(), earlier)
    await service.close()
  })
})
