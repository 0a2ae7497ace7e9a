import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { withClient } from '../../dev/stack/postgres.ts'
import { comesTo, eventually } from '../support/service.ts'
import { faultClient } from './client.ts'
import { withoutTemporal } from './pending.ts'
import { isLetter, workspaceFile } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

const frozenMs = 120_000
/** How long anybody may wait for a process that stands still. */
const mostMs = 60_000

describe('a worker that stands still within a claim', function () {
  this.timeout(580_000)
  const workspace = 'wsp_frozen'
  let stack: Stack
  let client: ReturnType<typeof faultClient>

  before(async function () {
    stack = await startStack('frozen').catch(withoutTemporal(this.test?.ctx))
    const file = workspaceFile(workspace, 'frozen', stack.mail.smtpPort, 1_000)
    client = faultClient(stack.url, await stack.workspace(file))
  })
  after(() => stack?.stop())

  async function campaignOf(emails: string[]) {
    const csv = ['name,email', ...emails.map((email, i) => `Person ${i},${email}`)].join('\n')
    const file = { name: 'people.csv', content: Buffer.from(csv).toString('base64') }
    const { operation } = await client.change('POST', '/people/import', { file, commit: true })
    const importing = () => client.read(`/operations/${operation}`)
    await eventually(importing, ({ state }) => state === 'done', 60_000)
    const segment = await client.change('POST', '/segments', { query: 'everyone' })
    const { id } = await client.change('POST', '/campaigns', {
      ...{ goal: 'Book a demo', segment: segment.id, agent: 'agt_eva' },
    })
    await client.change('POST', `/campaigns/${id}/letters`, { write: [1], agree: [1] })
    return id as string
  }

  const backends = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'postroom' and ${condition}`.execute(
      stack.db,
    )
    return rows[0]?.n ?? 0
  }

  it('keeps nobody waiting for longer than a minute, and its letter goes once', async () => {
    const emails = ['one@frozen.example', 'two@frozen.example', 'three@frozen.example']
    const campaign = await campaignOf(emails)
    // Its claims wait for the accounts, so the worker can be stopped in the middle of one.
    const frozenAt = await withClient(stack.ownerUrl, async (owner) => {
      await owner.query('begin; select id from connections for no key update')
      await client.change('POST', `/campaigns/${campaign}/state`, { to: 'running' })
      const waits = sql`wait_event_type = 'Lock' and query like '%connections%'`
      await eventually(() => backends(waits), Boolean, mostMs)
      stack.kill('worker', 'SIGSTOP')
      await owner.query('commit')
      return performance.now()
    })
    const since = () => performance.now() - frozenAt
    const isHeld = () => backends(sql`state = 'idle in transaction'`)
    ok((await eventually(isHeld, Boolean)) > 0)
    await stack.up('second')

    /** Work that others do meanwhile, and how long it took since the worker stood still. */
    const waited: Record<string, number> = {}
    const measured = async (what: string, work: () => Promise<unknown>) => {
      await work()
      waited[what] = Math.round(since())
    }
    const { people } = await client.read('/people?limit=50')
    const text = `A word of ${randomUUID()}`
    const arrived = (to: string) =>
      stack.mail.messages().filter((mail) => isLetter(mail) && mail.to.includes(to)).length
    const told = async (id: string) => {
      const { events } = await client.read('/events?limit=200&kinds=person.created')
      return JSON.stringify(events).includes(id)
    }
    await Promise.all([
      // Every person, and so the one that is locked.
      measured('edits', () =>
        Promise.all(
          people.map(({ id }: { id: string }) =>
            client.change('PATCH', `/people/${id}`, { city: 'Berlin' }),
          ),
        ),
      ),
      measured('events', async () => {
        const made = { name: 'Kim', email: 'kim@frozen.example' }
        const { id } = await client.change('POST', '/people', made)
        await comesTo(() => told(id), true, 2 * mostMs)
      }),
      measured('a message', async () => {
        await client.change('POST', '/conversations/cnv_0/messages', { text })
        const sent = () => stack.mail.messages().filter((mail) => mail.text.includes(text)).length
        await comesTo(sent, 1, 2 * mostMs)
      }),
      measured('the campaign', () =>
        eventually(
          async () => emails.map(arrived),
          (counts) => counts.every((n) => n > 0),
          2 * mostMs,
        ),
      ),
      measured('its locks', () => comesTo(isHeld, 0, 2 * mostMs)),
    ])
    stack.say(`ms since the worker stood still: ${JSON.stringify(waited)}`)
    for (const [what, ms] of Object.entries(waited)) ok(ms < mostMs, `${what}: ${ms} ms`)

    await sleep(Math.max(0, frozenMs - since())) // The rest of its time.
    stack.kill('worker', 'SIGCONT')
    // Whatever it goes on with has a moment.
    await sleep(15_000) // As long as an attempt and its retry take.
    deepEqual(emails.map(arrived), [1, 1, 1])
    const touches = await stack.db
      .selectFrom('touches')
      .select(['state', 'reason'])
      .where('campaign', '=', campaign)
      .where('place', '=', 1)
      .where('state', '<>', 'queued')
      .execute()
    for (const { state, reason } of touches)
      ok(state === 'sent' || reason === 'unconfirmed', JSON.stringify({ state, reason }))
    equal(stack.deaths['worker'] ?? 0, 0)
  })
})
