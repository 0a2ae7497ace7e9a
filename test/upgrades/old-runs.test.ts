import { deepEqual, equal, ok } from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { openClock } from '../../db/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { applyCluster } from '../../dev/operator/cluster.ts'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { prepareDatabase } from '../../dev/stack/postgres.ts'
import { root } from '../../dev/stack/services.ts'
import { startTemporal, type Temporal, TemporalMissing } from '../../dev/stack/temporal.ts'
import { type FaultClient, faultClient } from '../faults/client.ts'
import { type MailSink, testMail } from '../support/mail.ts'
import { testPostgres } from '../support/postgres.ts'
import { eventually } from '../support/service.ts'
import {
  campaignPeople,
  clientOf,
  funnel,
  gapMs,
  loseMessages,
  loseSome,
  operation,
  prospect,
  putOff,
  startCampaign,
  workspace,
} from './old-work.ts'
import { command, type Release, startRelease, unpackRelease } from './release.ts'

// Work that an installation of an earlier release has begun, and that ends under today's code: the same Postgres, the same
// Temporal, other processes. Both releases run as an operator runs them, and all that happens is seen at the mail server.

const monday = '2026-11-23T09:00:00.000Z'

const former = '0.4.0'

describe(`what was running under ${former}`, function () {
  this.timeout(150_000)
  let folder: string
  let mail: MailSink
  let temporal: Temporal
  let connection: Connection
  let old: Release
  let now: Release
  let running: { stop(): Promise<unknown> } | undefined
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'postroom-upgrade-'))
    chmodSync(folder, 0o755)
    try {
      temporal = await startTemporal({ folder, say: notice })
    } catch (error) {
      if (error instanceof TemporalMissing) this.skip()
      throw error
    }
    await applyCluster({ address: temporal.address }, declared.namespace, () => {})
    mail = await testMail()
    const postgres = await testPostgres()
    const database = await prepareDatabase(postgres, 'upgrade', {
      owner: postgres.password,
      service: postgres.password,
    })
    const port = String(await freePort())
    const env = {
      DATA_DIR: folder,
      SECRET_KEY: 'a secret key of the upgrade',
      TEMPORAL_ADDRESS: temporal.address,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CLOCK: monday,
    }
    const roles = { DATABASE_URL: database.url, MIGRATE_DATABASE_URL: database.ownerUrl }
    old = { place: unpackRelease(former, folder), folder, env: { ...env, ...roles } }
    now = { place: root, folder, env: { ...env, ...roles } }
    connection = Connection.lazy({ address: temporal.address })
  })
  after(async () => {
    await running?.stop()
    await connection?.close()
    await temporal?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends under this release: each letter goes once, and no workflow task fails', async () => {
    const client = new Client({ connection })
    const { api, campaign, far } = await begin()
    const before = mail.messages().length

    await command(now, 'dev/operator/migrate.ts')
    mail.script({})
    running = await startRelease(now, 'now')

    const parked: { id: string; person: string; workflow: { id: string } }[] = (
      await api.read(`/campaigns/${campaign}/touches?state=sending`)
    ).touches
    const touchOf = (person: string) => parked.find((one) => one.person === person)
    const resolve = (workflow: string | undefined, outcome: string) =>
      client.workflow.getHandle(workflow ?? '').executeUpdate('resolve', { args: [outcome] })
    await resolve('wsp_old:lost-after', 'sent')
    await resolve(touchOf('per_p0')?.workflow.id, 'again')
    await command(now, 'dev/operator/operation.ts', 'resolve', 'lost-before', 'again')
    await command(now, 'dev/operator/operation.ts', 'resolve', touchOf('per_p1')?.id ?? '', 'sent')
    await api.change('DELETE', `/messages/${far}`, undefined)
    await api.change('PATCH', '/conversations/cnv_1', { snoozeUntil: null })

    const ended = ['lost-after', 'lost-before', 'near', 'soon', 'snooze-soon', 'snooze-far', 'task']
    for (const key of ended) await until(api, key, 'done')
    await until(api, 'far', 'cancelled')
    const all = await eventually(
      () => funnel(api, campaign),
      ({ sent }) => sent === campaignPeople,
      60_000,
    )
    equal(all['sending'], 0)
    await api.change('POST', `/campaigns/${campaign}/state`, { to: 'done' })
    await until(api, 'campaign', 'done')

    deepEqual(
      mail
        .messages()
        .map(({ to }) => to.join())
        .sort(),
      [
        ...Array.from({ length: campaignPeople }, (_, i) => prospect(i)),
        ...[1, 2, 3, 4, 7].map(clientOf),
      ].sort(),
    )
    const ids = mail.messages().map(({ messageId }) => messageId)
    equal(new Set(ids).size, ids.length)
    ok(before < ids.length)
    deepEqual(gapsBelow(gapMs), [])
    deepEqual(await failedTasks(client), [])
  })

  /** All that is begun under the old release, which then ends. */
  async function begin() {
    await command(old, 'dev/operator/migrate.ts')
    const file = join(folder, 'workspace.yml')
    writeFileSync(file, JSON.stringify(workspace(mail.smtpPort)))
    await command(old, 'dev/operator/workspace.ts', 'apply', file)
    const token = await command(
      old,
      ...(['dev/operator/token.ts', 'create', '--workspace', 'wsp_old'] as const),
      ...['--member', 'mem_ana'],
      ...['--client', 'tests', '--scopes', 'inbox:read,inbox:write,send,campaigns:write'],
    )
    running = await startRelease(old, former)
    const api = faultClient(old.env['PUBLIC_URL'] as string, token)
    loseSome(mail)
    const campaign = await startCampaign(api)
    await loseMessages(api)
    const db = openDatabase(old.env['DATABASE_URL'] as string, 1)
    const clock = await openClock(db).finally(() => db.destroy())
    // Two are unconfirmed by now.
    await eventually(
      () => funnel(api, campaign),
      ({ sent = 0 }) => sent >= 2,
      30_000,
    )
    const { far } = await putOff(api, clock.now())
    const { sent = 0, sending } = await funnel(api, campaign)
    equal(sending, 2)
    ok(sent < campaignPeople - 2, `${sent} letters have gone already`)
    await running.stop()
    running = undefined
    return { api, campaign, far }
  }

  const until = (api: FaultClient, key: string, ends: string) =>
    eventually(
      () => operation(api, key),
      ({ state }) => state === ends,
      60_000,
    )

  /** Letters of the campaign that followed the one before them too early; an instant is the server's, so a little less passes. */
  function gapsBelow(ms: number): number[] {
    const at = mail
      .messages()
      .filter(({ from }) => from === 'ben@us.example')
      .map(({ acceptedAt }) => Date.parse(acceptedAt))
    return at.slice(1).flatMap((one, i) => {
      const gap = one - (at[i] as number)
      return gap < ms - 500 ? [gap] : []
    })
  }

  async function failedTasks(client: Client): Promise<string[]> {
    const found: string[] = []
    for await (const { workflowId, runId, type } of client.workflow.list()) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
      for (const { workflowTaskFailedEventAttributes: failed } of events ?? [])
        if (failed) found.push(`${type} ${workflowId}: ${failed.failure?.message ?? failed.cause}`)
    }
    return found
  }
})
