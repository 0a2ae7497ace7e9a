import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectionSecrets, type SecretKey } from '../../db/secrets.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { secretKey } from '../support/given.ts'
import { runFolder } from '../support/hooks.ts'
import { startService, type TestService } from '../support/service.ts'

const key = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const smtp = 'smtp: { host: smtp.firm.example, port: 465, secure: true, user: box }'

describe('the login by OAuth 2.0 of a connection in a workspace file', () => {
  let service: TestService
  let made = 0
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const file = (id: string, given: string, kind = 'email') => `
workspace: { id: wsp_${id}, name: Connected, timezone: Europe/Berlin }
members: [{ id: mem_${id}, name: Ana, email: ana@firm.example }]
connections:
  - { id: con_${id}, kind: ${kind}, account: ana@firm.example, member: mem_${id}, ${given} }
`
  async function apply(text: string, sealing: SecretKey | null = secretKey) {
    const path = join(mkdtempSync(join(runFolder(), 'oauth-')), 'workspace.yml')
    writeFileSync(path, text)
    const now = service.clock.now()
    const env = { CLIENT_SECRET: 'of the client', SERVER_SECRET: key }
    return applyWorkspaceFile(service.db, { path, env, secretKey: sealing ?? undefined, now })
  }
  const problems = async (given: string, kind?: string) => {
    const refused = await apply(file(`x${++made}`, given, kind))
    return (refused.problems ?? []).map(({ line, message }) => `${line}: ${message}`)
  }
  async function stored(given: string) {
    const id = `y${++made}`
    const applied = await apply(file(id, given))
    deepEqual(applied.problems ?? [], [])
    const row = await service.db
      .selectFrom('connections')
      .select(['id', 'smtp', 'imap', 'oauth', 'secrets'])
      .where('id', '=', `con_${id}`)
      .executeTakeFirstOrThrow()
    return { ...row, id, opened: connectionSecrets(secretKey, row) }
  }

  it('at a provider that is known by name brings its hosts and ports', async () => {
    const google = await stored('oauth: google')
    deepEqual(google.oauth, 'google')
    deepEqual(google.smtp, { host: 'smtp.gmail.com', port: 465, secure: true })
    deepEqual(google.imap, { host: 'imap.gmail.com', port: 993, secure: true, filesSent: true })
    const microsoft = await stored('oauth: microsoft')
    deepEqual(microsoft.smtp, { host: 'smtp.office365.com', port: 587, secure: false })
    equal(microsoft.imap?.host, 'outlook.office365.com')
    equal((await stored(`oauth: google, ${smtp}`)).smtp?.host, 'smtp.firm.example')
  })

  it('at another provider keeps the secret of the client sealed', async () => {
    const { oauth, opened, secrets } = await stored(
      `${smtp}, oauth: { issuer: "https://login.firm.example", clientId: post, clientSecret: "\${CLIENT_SECRET}", scopes: [mail] }`,
    )
    deepEqual(oauth, { issuer: 'https://login.firm.example', clientId: 'post', scopes: ['mail'] })
    deepEqual(opened, { oauth: 'of the client' })
    ok(!secrets?.includes('of the client'))
  })

  it('with a token server keeps its secret sealed, and may be taken back', async () => {
    const { id, oauth, opened } = await stored(
      `${smtp}, oauth: { tokenServer: { url: "https://crm.example/token", secret: "\${SERVER_SECRET}" } }`,
    )
    deepEqual(oauth, { tokenServer: { url: 'https://crm.example/token' } })
    deepEqual(opened, { oauth: key })
    const back = await apply(file(id, `${smtp}, oauth: none`))
    deepEqual('changes' in back && back.changes, [`~ connection con_${id}: oauth`])
  })

  it('names every line that is wrong, by what is wrong with it', async () => {
    const one = async (given: string, kind?: string) => {
      const all = await problems(given, kind)
      equal(all.length, 1, all.join('\n'))
      return all[0] as string
    }
    match(await one(`${smtp}, oauth: yahoo`), /oauth must be google, microsoft, none, or an object/)
    const issuer = (more: string) => `${smtp}, oauth: { issuer: "https://x.example", ${more} }`
    match(await one(issuer('scopes: []')), /oauth\.clientId/)
    match(await one(issuer('clientId: c, scope: [a]')), /oauth\.scope .*unknown/)
    match(await one(issuer('clientId: c, scopes: ["a b"]')), /scopes\[0\] must be a scope/)
    match(await one(issuer('clientId: c, grant: password')), /oauth\.grant/)
    match(await one(issuer('clientId: c, grant: client_credentials')), /clientSecret is needed/)
    match(
      await one(`${smtp}, oauth: { issuer: "http://x.example", clientId: c }`),
      /issuer must be https/,
    )
    for (const [address, said] of [
      ['login.firm.example', /issuer must be an https address/],
      ['http://', /issuer must be an https address/],
      ['', /issuer must be an https address/],
      ['https://me:secret@x.example', /issuer must not have a user/],
      ['https://x.example/?a=1', /issuer must not have a query/],
      ['https://x.example/#a', /issuer must not have a query/],
    ] as const)
      match(await one(`${smtp}, oauth: { issuer: "${address}", clientId: c }`), said)
    for (const url of ['nope', ''])
      match(
        await one(`${smtp}, oauth: { tokenServer: { url: "${url}", secret: "${key}" } }`),
        /url must be an https address/,
      )
    const server = (more: string) => `${smtp}, oauth: { tokenServer: { ${more} } }`
    match(
      await one(server(`url: "http://x.example", secret: "\${SERVER_SECRET}"`)),
      /must be https/,
    )
    match(await one(server('url: "https://x.example", secret: short')), /24 to 64 bytes/)
    match(await one('oauth: { issuer: "https://x.example", clientId: c }'), /needs smtp, imap/)
    match(await one('oauth: google', 'messenger'), /only email connections/)
    const both = smtp.replace('user: box', 'password: p')
    match(await one(`${both}, oauth: google`), /smtp\.password is given beside oauth/)
    const [none] = (await apply(file('none', 'oauth: google'), null)).problems ?? []
    match(none?.message ?? '', /SECRET_KEY/)
  })
})
