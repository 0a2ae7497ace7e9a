import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { forgetPast } from '../../../db/erasure/retention.ts'
import { steps } from '../../../db/migrations/index.ts'
import { forgetOld } from '../../../db/operations/upkeep.ts'
import { insertImport } from '../../../db/people/imports.ts'
import { foldAllStored, foldStored } from '../../../db/workspace/quotas.ts'
import type { Quotas } from '../../../rules/quotas.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { testMail } from '../../support/mail.ts'
import { type Caller, startService, type TestService } from '../../support/service.ts'

const day = 24 * 60 * 60_000

describe('quotas', function () {
  this.timeout(120_000)
  let service: TestService
  let admin: Caller
  before(async () => {
    service = await startService()
    admin = (await service.administration()).call
  })
  after(() => service.close())

  const bound = async (workspace: string, quotas: Quotas) => {
    const { status, body } = await admin('PUT', `/workspaces/${workspace}`, {
      workspace: { name: 'Bounded', timezone: 'Europe/Berlin' },
      quotas,
    })
    equal(status, 200, JSON.stringify(body))
  }
  const usedOf = async (workspace: string) => {
    const token = await service.administration({ workspace })
    return (await token.call('GET', '/workspaces')).body.workspaces[0].quotas
  }
  /** What the workspace stores, by the rows themselves, and by what is counted. */
  async function stored(workspace: string) {
    const { rows } = await sql<{ there: number; counted: number }>`
      select (select coalesce(sum(octet_length(text) + coalesce(octet_length(html), 0)), 0) from messages where workspace = ${workspace})::int
        + (select coalesce(sum(octet_length(content)), 0) from files where workspace = ${workspace})::int
        + (select coalesce(sum(coalesce(octet_length(text), 0) + coalesce(octet_length(html), 0)), 0) from touches
          where workspace = ${workspace})::int
        + (select coalesce(sum(octet_length(content)), 0) from imports where workspace = ${workspace})::int as there,
        (select coalesce(sum(bytes), 0) from stored_bytes where workspace = ${workspace})::int as counted`.execute(
      service.db,
    )
    const { there, counted } = rows[0] as (typeof rows)[number]
    equal(counted, there)
    return counted
  }
  const base64 = (bytes: number) => Buffer.alloc(bytes, 'a').toString('base64')
  const file = (bytes: number) => ({ name: 'a.txt', type: 'text/plain', content: base64(bytes) })

  it('of twenty messages at once, as many are queued as there is room for, and the others leave nothing', async () => {
    const client = await givenSender(service)
    const { conversation } = await client.receive({ externalId: `<${randomUUID()}@c.example>` })
    await bound(client.id, { queuedMessages: 7 })
    const sendAt = '2026-12-24T09:00:00Z'
    const send = (key = randomUUID()) =>
      client.call(
        'POST',
        `/conversations/${conversation}/messages`,
        { text: 'Hello', sendAt },
        { key },
      )
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
    const refused = answers.filter(({ status }) => status === 429)
    equal(answers.filter(({ status }) => status === 200).length, 7)
    equal(refused.length, 13)
    const [one] = refused
    const { code, quota, most, used, retryable } = one?.body ?? {}
    deepEqual(
      { code, quota, most, used, retryable },
      { code: 'quota_exceeded', quota: 'queuedMessages', most: 7, used: 7, retryable: true },
    )
    equal(one?.headers.get('retry-after'), '60')
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from messages
      where workspace = ${client.id} and state = 'queued'`.execute(service.db)
    equal(rows[0]?.count, 7)
    deepEqual(await usedOf(client.id), [{ quota: 'queuedMessages', most: 7, used: 7 }])
  })

  it('an accepted key is answered as before, and a refused one is carried out once there is room', async () => {
    const client = await givenSender(service)
    const { conversation } = await client.receive({ externalId: `<${randomUUID()}@c.example>` })
    await bound(client.id, { queuedMessages: 1 })
    const send = (key: string) =>
      client.call(
        'POST',
        `/conversations/${conversation}/messages`,
        { text: 'Hello', sendAt: '2026-12-24T09:00:00Z' },
        { key },
      )
    const [first, second] = [randomUUID(), randomUUID()]
    const accepted = await send(first)
    equal(accepted.status, 200)
    equal((await send(second)).status, 429)
    const repeated = await send(first)
    deepEqual([repeated.status, repeated.body], [200, accepted.body])
    equal((await client.call('DELETE', `/messages/${accepted.body.id}`)).status, 200)
    equal((await send(second)).status, 200)
  })

  it('files and texts beyond the bound are refused whole, and what comes in by mail is kept', async () => {
    const client = await givenSender(service)
    const { conversation } = await client.receive({ externalId: `<${randomUUID()}@c.example>` })
    const before = await stored(client.id)
    await bound(client.id, { bytes: before + 10_000 })
    const uploaded = await client.call('POST', '/files', file(6_000))
    equal(uploaded.status, 200)
    const refused = await client.call('POST', '/files', file(5_000))
    deepEqual(
      [refused.status, refused.body.code, refused.body.quota, refused.body.used],
      [422, 'quota_exceeded', 'bytes', before + 6_000],
    )
    const path = `/conversations/${conversation}/messages`
    const html = `<p>${'a'.repeat(4_000)}</p>`
    equal((await client.call('POST', path, { html })).status, 422)
    equal((await client.call('POST', path, { text: 'a'.repeat(5_000) })).status, 422)
    equal((await client.call('POST', path, { text: 'Hi', files: [file(5_000)] })).status, 422)
    equal(await stored(client.id), before + 6_000)
    // A message that takes an uploaded file adds its own words alone.
    equal((await client.call('POST', path, { text: 'Hi', files: [uploaded.body.id] })).status, 200)
    await client.receive({ externalId: `<${randomUUID()}@c.example>`, text: 'a'.repeat(20_000) })
    ok((await stored(client.id)) > before + 10_000)
  })

  it('the counter says what is stored, however it was written and removed', async () => {
    const client = await givenSender(service)
    const { db } = service
    const long = { text: 'We want coolers. '.repeat(500), html: `<p>${'é'.repeat(3_000)}</p>` }
    const { conversation } = await client.receive({
      externalId: `<${randomUUID()}@c.example>`,
      ...long,
      files: [{ name: 'a.txt', type: 'text/plain', content: Buffer.alloc(50_000, 'b') }],
    })
    ok((await stored(client.id)) > 60_000)
    const path = `/conversations/${conversation}/messages`
    const sent = await client.call('POST', path, { ...long, files: [file(3_000)] })
    equal(sent.status, 200, JSON.stringify(sent.body))
    await client.call('POST', path, { text: 'A message that only adds rows.' })
    await stored(client.id)
    const content = Buffer.from('email\nzoe@c.example\n')
    const imported = { operation: 'none', name: 'a.csv', content, columns: [], region: null }
    const row = { ...imported, mode: 'complete' as const, headings: null, sheet: null }
    const id = await insertImport(db as never, { ...row, workspace: client.id })
    await lettersTo(service, client)
    await sql`update touches set text = 'A letter', html = '<p>A letter</p>' where workspace = ${client.id}`.execute(
      db,
    )
    await stored(client.id)
    await sql`update imports set content = null where id = ${id}`.execute(db)
    const before = await stored(client.id)
    await foldStored(db, client.id)
    await foldAllStored(db, () => {})
    equal(await stored(client.id), before)
    await sql`update messages set state = 'sent', sent_at = now() where workspace = ${client.id} and state = 'queued'`.execute(
      db,
    )
    await sql`update workspaces set retention = '{"messages": 1}' where id = ${client.id}`.execute(
      db,
    )
    await sql`update operations set accepted_at = ${new Date(Date.now() - 50 * day)}, ended_at = now() where workspace = ${client.id}`.execute(
      db,
    )
    const was = service.clock.now()
    await service.clock.set(new Date(was.getTime() + 30 * day).toISOString())
    await forgetPast(db, service.clock.now(), () => {})
    await forgetOld(db, 30 * day)
    await service.clock.set(was.toISOString())
    ok((await stored(client.id)) < 1_000, 'little is left')
    await sql`delete from files where workspace = ${client.id}`.execute(db)
    await stored(client.id)
  })

  it('what was there before an upgrade is counted in batches, once', async () => {
    const client = await givenSender(service)
    await client.receive({ externalId: `<${randomUUID()}@c.example>`, text: 'a'.repeat(5_000) })
    await client.receive({ externalId: `<${randomUUID()}@c.example>`, text: 'b'.repeat(300) })
    const counted = await stored(client.id)
    const { rows } = await sql<{
      id: string
    }>`update messages set counted = false where workspace = ${client.id} returning id`.execute(
      service.db,
    )
    await sql`delete from stored_bytes where workspace = ${client.id}`.execute(service.db)
    // One that goes before it is counted takes nothing away.
    const [first] = rows.map(({ id }) => id).sort()
    const { rows: gone } = await sql<{
      bytes: number
    }>`delete from messages where id = ${first} returning octet_length(text) as bytes`.execute(
      service.db,
    )
    const backfill = steps['0126-quotas']?.backfill
    const fill = async () => {
      for (let after: string | undefined = ''; after !== undefined; )
        after = await service.db
          .transaction()
          .execute((trx) => backfill?.(trx as never, after ?? '', 1) ?? Promise.resolve(undefined))
    }
    await fill()
    equal(await stored(client.id), counted - Number(gone[0]?.bytes))
    await fill()
    await stored(client.id)
  })

  it('campaigns, imports and accounts have bounds too, and a pause never meets one', async function () {
    await service.work(this, {}, { only: ['rows', 'remote'] })
    const campaign = await givenCampaign(service, await testMail(), { people: 1, places: [1] })
    const { id, call } = campaign
    await bound(id, { runningCampaigns: 0, openImports: 0, connections: 2 })
    const start = await call('POST', `/campaigns/${campaign.campaign}/state`, { to: 'running' })
    deepEqual([start.status, start.body.quota, start.body.used], [422, 'runningCampaigns', 0])
    await bound(id, { runningCampaigns: 1 })
    equal(
      (await call('POST', `/campaigns/${campaign.campaign}/state`, { to: 'running' })).status,
      200,
    )
    await bound(id, { runningCampaigns: 0, openImports: 0, connections: 2 })
    equal(
      (await call('POST', `/campaigns/${campaign.campaign}/state`, { to: 'paused' })).status,
      200,
    )
    const file = {
      name: 'a.csv',
      content: Buffer.from('email\nzoe@c.example\n').toString('base64'),
    }
    const refused = await call('POST', '/people/import', { file, commit: true })
    deepEqual(
      [refused.status, refused.body.quota, refused.body.retryable],
      [429, 'openImports', true],
    )
    const connections = Array.from({ length: 3 }, (_, i) => ({
      id: `con_quota${i}`,
      kind: 'email',
      account: `quota${i}@shop.example`,
      member: campaign.member,
      smtp: { host: 'smtp.shop.example', port: 465, secure: true, user: 'a', password: 'b' },
    }))
    const workspace = { name: 'Bounded', timezone: 'Europe/Berlin' }
    const put = await admin('PUT', `/workspaces/${id}`, { workspace, connections })
    deepEqual([put.status, put.body.quota, put.body.most], [422, 'connections', 2])
    // What is there already stays editable beyond the bound, and quotas are not for the workspace's own application.
    equal(
      (await admin('PUT', `/workspaces/${id}`, { workspace: { ...workspace, name: 'New' } }))
        .status,
      200,
    )
    const own = await service.administration({ workspace: id })
    const raised = await own.call('PUT', `/workspaces/${id}`, {
      workspace,
      quotas: { connections: 9 },
    })
    deepEqual(
      [raised.status, raised.body.errors[0].code, raised.body.errors[0].pointer],
      [422, 'operator_only', '/quotas'],
    )
  })
})
