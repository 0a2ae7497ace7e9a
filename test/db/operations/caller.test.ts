import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { operationId } from '../../../db/operations/operations.ts'
import { createToken, findToken, findTokenAndOperations } from '../../../db/workspace/tokens.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { startService, type TestService } from '../../support/service.ts'
import { openExplained } from '../../support/touched.ts'

describe('the token of a call, with the operations of its keys', () => {
  const many = 20_000
  let service: TestService
  let explained: ReturnType<typeof openExplained>
  before(async () => {
    service = await startService()
    explained = openExplained(service.databaseUrl)
  })
  after(async () => {
    await explained.close()
    await service.close()
  })

  const analyze = () => withClient(service.ownerUrl, (client) => client.query('analyze operations'))

  async function given() {
    const { db } = service
    const { id: workspace, member } = await service.workspace()
    const { token } = await createToken(db, { workspace, member, client: 'a', scopes: ['send'] })
    await sql`insert into operations
        (id, workspace, key, kind, fingerprint, state, accepted_at, last_used_at)
      select ${workspace} || ':k' || i, ${workspace}, 'k' || i, 'note.added', '', 'done', now(), now()
      from generate_series(1, ${sql.lit(many)}) i`.execute(db)
    return { db, workspace, token }
  }

  it('is one lookup for each key, however many operations the workspace has', async () => {
    await analyze()
    const { token } = await given()
    const keys = Array.from({ length: 50 }, (_, i) => `k${i * 300 + 1}`)
    for (const state of ['with statistics of few', 'with those of all']) {
      const touched = await explained.touched((db) => findTokenAndOperations(db, token, keys))
      for (const { pages, rows, plan } of touched)
        ok(pages < 6 * keys.length && rows < 6 * keys.length, `${state}: ${pages} pages\n${plan}`)
      await analyze()
    }
  })

  it('is found with those of its workspace alone', async () => {
    const { db, workspace, token } = await given()
    const other = await service.workspace()
    await sql`update operations set workspace = ${other.id} where id = ${operationId(workspace, 'k2')}`.execute(
      db,
    )
    const found = await findTokenAndOperations(db, token, ['k1', 'k2', 'none'])
    deepEqual(
      found.operations.map(({ id, key }) => [id, key]),
      [[operationId(workspace, 'k1'), 'k1']],
    )
    deepEqual(found.token?.id, (await findToken(db, token))?.id)
    const none = await findTokenAndOperations(db, token, ['none'])
    deepEqual([none.token?.workspace, none.operations], [workspace, []])
    const stranger = await findTokenAndOperations(db, `${token}x`, ['k1'])
    equal(stranger.token, undefined)
    deepEqual(stranger.operations, [])
  })
})
