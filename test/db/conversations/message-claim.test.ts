import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beginRest } from '../../../db/accounts/rests.ts'
import {
  claimMessage,
  findOutgoing,
  type OutgoingRow,
} from '../../../db/conversations/message-sending.ts'
import type { Trx } from '../../../db/database.ts'
import { givenClient, givenPeople } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('the claim of a message', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function queued() {
    const workspace = await service.workspace()
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${conversation}/messages`
    const { body } = await workspace.call('POST', path, { text: 'Hello' }, { key: randomUUID() })
    return (await findOutgoing(service.db, body.id)) as OutgoingRow
  }

  let waitedAt: Date
  const head = {
    date: '2026-11-02T09:00:00.000Z',
    from: 'Ana',
    to: 'Kim',
    cc: [],
    inReplyTo: null,
    references: [],
  }

  /** Claims while another transaction has done `first`; answers which rows were locked meanwhile, and what was found then. */
  async function claimBeside(
    message: OutgoingRow,
    first: (trx: Trx) => Promise<unknown>,
    { unreachable = [], isProbe = false }: { unreachable?: string[]; isProbe?: boolean } = {},
  ) {
    const { db, clock } = service
    const connection = message.connection as string
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = db.transaction().execute(async (trx) => {
      await first(trx)
      begun.resolve()
      await ended.promise
    })
    await begun.promise
    const marker = { connection, attempt: randomUUID(), messageId: '<claim@us.example>', head }
    const claiming = claimMessage(db, clock, message, marker, { unreachable, isProbe })
    const waits = async () =>
      (
        await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      ).rows.length
    await eventually(waits, (n) => n === 1)
    waitedAt = clock.now()
    const free = async (table: string, id: string) =>
      (
        await sql`select id from ${sql.table(table)} where id = ${id} for update skip locked`.execute(
          db,
        )
      ).rows.length === 1
    const locked: string[] = []
    for (const [table, id] of [
      ['people', message.person],
      ['connections', connection],
      ['conversations', message.conversation],
    ] as const)
      if (!(await free(table, id))) locked.push(table)
    ended.resolve()
    await other
    const { claimed, ...found } = await claiming
    return { locked, ...found, claimed, isClaimed: claimed !== undefined }
  }

  const lock = (table: 'people' | 'connections', id: string) => (trx: Trx) =>
    sql`select id from ${sql.table(table)} where id = ${id} for update`.execute(trx)

  it('locks the person, then the account, then the conversation', async () => {
    const message = await queued()
    const first = await claimBeside(message, lock('people', message.person))
    deepEqual([first.locked, first.isClaimed], [['people'], true])
    const other = await queued()
    const second = await claimBeside(other, lock('connections', other.connection as string))
    deepEqual([second.locked, second.isClaimed], [['people', 'connections'], true])
  })

  it('answers the message as those it has waited for have left it, and keeps the head of its letter', async () => {
    const message = await queued()
    const { claimed } = await claimBeside(message, async (trx) => {
      await lock('people', message.person)(trx)
      await trx
        .updateTable('messages')
        .set({ text: 'Hello again' })
        .where('id', '=', message.id)
        .execute()
    })
    deepEqual([claimed?.text, claimed?.state], ['Hello again', 'sending'])
    deepEqual([claimed?.person, claimed?.head], [message.person, head])
  })

  it('is noted with the instant at which it got its account, not with that at which it began to wait for it', async () => {
    const message = await queued()
    await claimBeside(message, lock('connections', message.connection as string))
    const row = await findOutgoing(service.db, message.id)
    ok(row?.claimedAt && row.claimedAt > waitedAt, `${row?.claimedAt?.toISOString()}`)
    deepEqual(row.firstClaimedAt, row.claimedAt)
  })

  it('sees what those it has waited for have committed, and then claims nothing', async () => {
    const message = await queued()
    const spam = await claimBeside(message, (trx) =>
      trx
        .updateTable('conversations')
        .set({ state: 'closed', reason: 'spam' })
        .where('id', '=', message.conversation)
        .execute(),
    )
    const suppressed = await claimBeside(message, async (trx) => {
      await lock('people', message.person)(trx)
      await trx
        .insertInto('suppressions')
        .values({
          id: `sup_${randomUUID()}`,
          workspace: message.workspace,
          address: message.toAddress.toLowerCase(),
          reason: 'complaint',
          at: service.clock.now(),
        })
        .execute()
    })
    deepEqual([spam.isSpam, spam.isClaimed], [true, false])
    deepEqual([suppressed.isSuppressed, suppressed.isClaimed], [true, false])
    equal((await findOutgoing(service.db, message.id))?.state, 'queued')
  })

  it('sees that its account has begun to rest, and then claims nothing unless it tries alone whether that is over', async () => {
    const now = service.clock.now()
    const resting = (account: string) => async (trx: Trx) => {
      await lock('connections', account)(trx)
      await beginRest(trx, { account, server: 'smtp', cause: 'smtp_quota', words: 'No', now })
    }
    for (const isProbe of [false, true]) {
      const message = await queued()
      const found = await claimBeside(message, resting(message.connection as string), { isProbe })
      equal(found.isClaimed, isProbe)
    }
  })

  it('leaves out who of Cc and Bcc was suppressed by those it has waited for, or cannot be told to its server', async () => {
    const { db, clock } = service
    const message = await queued()
    const other = `other-${randomUUID()}@client.example`
    const people = [{ name: 'Mia', email: other }]
    const [person = ''] = await givenPeople(db, message.workspace, people, clock.now())
    const copies = { cc: [other, '大山@client.example'], bcc: ['bcc@client.example'] }
    await db.updateTable('messages').set(copies).where('id', '=', message.id).execute()
    const found = await claimBeside(
      { ...message, ...copies },
      async (trx) => {
        await lock('people', person)(trx)
        const { workspace } = message
        const suppressed = { id: `sup_${randomUUID()}`, workspace, address: other, at: clock.now() }
        await trx
          .insertInto('suppressions')
          .values({ ...suppressed, reason: 'operator' })
          .execute()
      },
      { unreachable: ['大山@client.example'] },
    )
    const refused = [
      { address: other, code: 'suppressed' },
      { address: '大山@client.example', code: '5.6.7' },
    ]
    deepEqual(found.claimed?.refused, refused)
    deepEqual((await findOutgoing(db, message.id))?.refused, refused)
  })
})
