import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectionSecrets, type SecretKey } from '../../db/secrets.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { runFolder } from '../support/hooks.ts'
import { startService, type TestService } from '../support/service.ts'

const secretKey = { current: 'a secret key of the tests' }
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

describe('the bridge of a connection in a workspace file', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const file = (bridge: string, kind = 'messenger') => `
workspace: { id: wsp_bridge, name: Bridged, timezone: Europe/Berlin }
members: [{ id: mem_bridge, name: Ana, email: ana@example.test }]
connections: [{ id: con_bridge, kind: ${kind}, account: "+4930123456", member: mem_bridge, bridge: ${bridge} }]
`
  async function apply(text: string, key: SecretKey | null = secretKey) {
    const path = join(mkdtempSync(join(runFolder(), 'bridge-')), 'workspace.yml')
    writeFileSync(path, text)
    const now = service.clock.now()
    const env = { BRIDGE_SECRET: secret }
    return applyWorkspaceFile(service.db, { path, env, secretKey: key ?? undefined, now })
  }
  const said = (refused: Awaited<ReturnType<typeof apply>>) =>
    (refused.problems ?? []).map(({ message }) => message).join('\n')

  it('is refused if it is not valid', async () => {
    match(said(await apply(file('{ url: ftp://x, secret: x }'))), /http or https address/)
    match(said(await apply(file('{ url: http://x.example }'))), /secret/)
    match(said(await apply(file(`{ url: http://x.example, secret: short }`))), /24 to 64 bytes/)
    const right = `{ url: http://x.example, secret: "\${BRIDGE_SECRET}" }`
    const mail = file(right, 'email').replace('+4930123456', 'ana@example.test')
    match(said(await apply(mail)), /messenger and professional_network/)
    match(said(await apply(file(right), null)), /SECRET_KEY/)
  })

  it('is stored with its secret sealed, and changed by applying the file again', async () => {
    const bridge = (url: string) => file(`{ url: "${url}", secret: "\${BRIDGE_SECRET}" }`)
    const row = () =>
      service.db
        .selectFrom('connections')
        .select(['bridge', 'secrets'])
        .where('id', '=', 'con_bridge')
        .executeTakeFirstOrThrow()
    equal(said(await apply(bridge('http://one.example'))), '')
    const { bridge: kept, secrets } = await row()
    deepEqual(kept, { url: 'http://one.example' })
    deepEqual(connectionSecrets(secretKey, { id: 'con_bridge', secrets }), { bridge: secret })
    const again = await apply(bridge('http://one.example'))
    deepEqual('changes' in again && again.changes, [])
    const other = await apply(bridge('http://two.example'))
    deepEqual('changes' in other && other.changes, ['~ connection con_bridge: bridge'])
    deepEqual((await row()).bridge, { url: 'http://two.example' })
  })
})
