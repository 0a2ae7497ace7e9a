import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type KyselyPlugin, sql } from 'kysely'
import { forgetPast } from '../../../db/erasure/retention.ts'
import { newId } from '../../../db/ids.ts'
import type { Inbound } from '../../../db/inbox/inbound.ts'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import type { Retention } from '../../../db/workspace/tables.ts'
import { searchAll } from '../../support/erased-person.ts'
import { secretKey } from '../../support/given.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

const day = 24 * 60 * 60_000
const longAgo = '2026-09-01T09:00:00Z'
const now = '2026-11-23T09:00:00Z'

describe('retention', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService({ now: longAgo })
  })
  after(() => service.close())
  beforeEach(() => service.clock.set(longAgo))

  /** A client who wrote long ago, and what was said since: each with a word of its own. */
  async function given() {
    const client = await givenSender(service)
    const { db } = service
    const first = await client.receive({
      externalId: '<first@client.example>',
      subject: 'Pangolin order',
      text: 'We want pangolin coolers.',
      html: '<p>We want <b>pangolin</b> coolers.</p>',
      files: [{ name: 'pangolin.txt', type: 'text/plain', content: Buffer.from('A walrus.') }],
      replyTo: [{ name: 'Cleo', address: client.email }],
    })
    const path = `/conversations/${first.conversation}`
    const key = randomUUID()
    const answer = { subject: 'Re: Pangolin order', text: 'An axolotl for you.' }
    const ours = (await client.call('POST', `${path}/messages`, answer, { key })).body.id as string
    equal((await client.call('POST', `${path}/notes`, { text: 'Say okapi.' })).status, 200)
    await client.call('PATCH', path, { snoozeUntil: '2026-09-03T09:00:00Z', why: 'narwhal' })
    await sent(ours)
    const messageId = `<${randomUUID()}@us.example>`
    await db.updateTable('messages').set({ messageId }).where('id', '=', ours).execute()
    return { ...client, ...first, path, key, ours, messageId }
  }
  const words = ['pangolin', 'walrus', 'axolotl', 'okapi', 'narwhal']

  const sent = (message: string) =>
    service.db
      .updateTable('messages')
      .set({ state: 'sent', sentAt: new Date(longAgo), head: JSON.stringify({ date: longAgo }) })
      .where('id', '=', message)
      .execute()

  const keep = (workspace: string, retention: Retention) =>
    service.db
      .updateTable('workspaces')
      .set({ retention: JSON.stringify(retention) })
      .where('id', '=', workspace)
      .execute()

  async function forget() {
    await service.clock.set(now)
    const aged = { acceptedAt: new Date(Date.now() - 50 * day), endedAt: new Date() }
    await service.db.updateTable('operations').set(aged).execute()
    // The audit log has a retention of its own.
    await service.db.deleteFrom('audit').execute()
    return forgetPast(service.db, service.clock.now(), () => {})
  }

  it('leaves nothing of what messages said, and keeps what finds the conversation of a later answer', async () => {
    const { id, call, path, conversation, message, ours, messageId, key, receive } = await given()
    await keep(id, { messages: 30 })
    const gone = await forget()
    deepEqual([gone.messages, gone.files], [3, 0], 'two messages and a note')
    const read = (await call('GET', `/messages/${message}`)).body
    deepEqual(
      { ...read, inReplyTo: null },
      {
        ...{ id: message, conversation, direction: 'inbound', subject: '', text: '' },
        ...{
          sender: { name: 'Cleo Marsh', handle: read.sender.handle },
          at: read.at,
        },
        ...{
          automated: false,
          agent: null,
          voice: null,
          files: 0,
          state: 'received',
          reason: null,
        },
        ...{ code: null, suspect: false, report: null, to: ['ana@us.example'], cc: [], bcc: [] },
        ...{
          html: false,
          inReplyTo: null,
          via: null,
          replyTo: read.replyTo,
          refused: [],
          invitation: null,
        },
        ...{ folder: null, removedAt: read.removedAt, filesRemoved: 1 },
      },
    )
    ok(Date.parse(read.removedAt) >= Date.parse(now))
    equal((await call('GET', `/messages/${message}/html`)).status, 404)
    equal((await call('GET', `/search?q=pangolin`)).body.results.length, 0)
    equal(
      (await call('POST', `${path}/messages`, { text: 'x' }, { key })).body.code,
      'idempotency_key_reused',
    )
    const answer = { subject: 'Re: Pangolin order', text: 'An axolotl for you.' }
    const repeat = await call('POST', `${path}/messages`, answer, { key })
    deepEqual([repeat.status, repeat.body.code], [410, 'erased'])
    equal((await call('POST', `/messages/${ours}/again`)).status, 409)

    deepEqual(await searchAll(service.db, words), [])

    const later = await receive({ references: [messageId], subject: 'Re: hello', text: 'At last.' })
    equal(later.conversation, conversation)
    // The mailbox is read again.
    const twice = await receive({ externalId: '<first@client.example>', text: 'pangolin' })
    deepEqual([twice.fresh, twice.message], [false, message])
  })

  it('removes nothing of a workspace that keeps it', async () => {
    const [short, forever, other] = [await given(), await given(), await given()]
    await keep(short.id, { messages: 30 })
    await keep(forever.id, { messages: 'forever' })
    await forget()
    for (const { call, message, path } of [forever, other]) {
      equal((await call('GET', `/messages/${message}`)).body.text, 'We want pangolin coolers.')
      equal((await call('GET', '/search?q=pangolin')).body.results.length, 3)
      equal((await call('GET', path)).body.subject, 'Pangolin order')
    }
  })

  it('leaves alone what is young, queued, being sent, unconfirmed, or open for a follow-up', async () => {
    const { db } = service
    const reads: (() => Promise<string>)[] = []
    const cases = async (
      change: (client: Awaited<ReturnType<typeof given>>) => Promise<unknown>,
    ) => {
      const client = await given()
      await change(client)
      await keep(client.id, { messages: 30, files: 30 })
      reads.push(async () => (await client.call('GET', `/messages/${client.message}`)).body.text)
    }
    const set = (id: string, row: object) =>
      db.updateTable('messages').set(row).where('id', '=', id).execute()
    await cases(async ({ message }) => {
      const at = new Date('2026-11-20T09:00:00Z')
      await set(message, { at })
      await sql`update search_words set at = ${at} where ref = ${message}`.execute(db)
    })
    await cases(({ ours }) => set(ours, { state: 'queued' }))
    await cases(({ ours }) => set(ours, { state: 'sending' }))
    await cases(({ ours }) => set(ours, { state: 'sending', reason: 'unconfirmed' }))
    await cases(({ path, call }) =>
      call('POST', `${path}/tasks`, { text: 'Write.', due: '2099-01-01T09:00:00Z' }),
    )
    await cases(async (client) => {
      const { ids } = await lettersTo(service, client)
      await db
        .updateTable('touches')
        .set({ conversation: client.conversation })
        .where('id', '=', ids[0] as string)
        .execute()
    })
    const gone = await forget()
    deepEqual(
      await Promise.all(reads.map((read) => read())),
      reads.map(() => 'We want pangolin coolers.'),
    )
    deepEqual(
      [gone.messages, gone.files],
      [1 + reads.length, 0],
      'one answer of ours and the notes',
    )
  })

  it('removes files alone, and says how many', async () => {
    const { id, call, message } = await given()
    await keep(id, { files: 30 })
    const [file] = (await call('GET', `/messages/${message}/files`)).body.files
    equal((await forget()).files, 1)
    const read = (await call('GET', `/messages/${message}`)).body
    deepEqual(
      [read.text, read.files, read.filesRemoved, read.removedAt],
      ['We want pangolin coolers.', 0, 1, null],
    )
    equal((await call('GET', `/files/${file.id}`)).status, 404)
    equal((await call('GET', '/search?q=coolers')).body.results.length, 1)
  })

  it('removes what letters of campaigns said, also of those that never went', async () => {
    const client = await given()
    const { db } = service
    const { ids } = await lettersTo(service, client)
    await db
      .updateTable('touches')
      .set({ text: 'A quokka.', ownWords: true })
      .where('id', 'in', ids)
      .execute()
    const [first = ''] = ids
    await db
      .updateTable('touches')
      .set({ conversation: client.conversation, message: client.ours })
      .where('id', '=', first)
      .execute()
    await db.updateTable('messages').set({ touch: first }).where('id', '=', client.ours).execute()
    await db
      .updateTable('touches')
      .set({ state: 'failed', reason: 'replied' })
      .where('id', 'in', ids.slice(1))
      .execute()
    await keep(client.id, { messages: 30 })
    await forget()
    deepEqual(await searchAll(db, ['quokka']), [])
    const rows = await db
      .selectFrom('touches')
      .select(['state', 'removedAt'])
      .where('id', 'in', ids)
      .execute()
    deepEqual(
      rows.filter(({ removedAt }) => removedAt === null),
      [],
    )
  })

  it('forgets who has written and is nobody we know, and begins anew with them', async () => {
    const { db, clock } = service
    const workspace = await service.workspace()
    const receive = (address: string, more: Partial<Inbound> = {}) =>
      db.transaction().execute((trx) =>
        receiveMessage(
          trx,
          {
            ...{
              workspace: workspace.id,
              connection: workspace.connections[0],
              externalId: `<${randomUUID()}@x>`,
            },
            ...{
              from: { name: 'Quokka Stranger', address },
              to: 'ana@us.example',
              subject: 'Buy quokkas',
            },
            ...{
              text: 'Cheap quokkas.',
              at: clock.now(),
              references: [],
              files: [],
              automated: false,
            },
            ...more,
          },
          clock.now(),
          secretKey,
        ),
      )
    const [stranger, known, answered] = [
      await receive('quokka@spam.example'),
      await receive('known@client.example'),
      await receive('answered@client.example'),
    ]
    equal((await workspace.call('POST', '/people', { email: 'known@client.example' })).status, 200)
    await workspace.call('POST', `/conversations/${answered.conversation}/messages`, {
      text: 'Hello.',
    })
    await keep(workspace.id, { inboxWithoutPerson: 30 })
    const before = (await workspace.call('GET', `/conversations/${stranger.conversation}`)).body
    equal((await forget()).inboxWithoutPerson, 1)
    equal((await forget()).inboxWithoutPerson, 0)
    for (const { message } of [known, answered])
      equal((await workspace.call('GET', `/messages/${message}`)).body.text, 'Cheap quokkas.')
    const { text, sender, removedAt } = (
      await workspace.call('GET', `/messages/${stranger.message}`)
    ).body
    deepEqual([text, sender, typeof removedAt], ['', { name: '', handle: '' }, 'string'])
    equal((await workspace.call('GET', `/people/${before.person}`)).status, 404)
    deepEqual(await searchAll(db, ['quokka@spam']), [])
    const again = await receive('quokka@spam.example')
    ok(again.conversation !== stranger.conversation)
    equal((await workspace.call('GET', `/conversations/${again.conversation}`)).status, 200)
  })

  it('may be broken off at every statement, and pages do the same as one', async () => {
    const { db } = service
    const client = await given()
    const many = Array.from({ length: 110 }, () => newId('msg'))
    for (const id of many) {
      const { message } = await client.receive({ subject: `Quokka ${id}`, text: `A quokka ${id}` })
      ok(message)
    }
    await keep(client.id, { messages: 30, files: 10, inboxWithoutPerson: 5 })
    let most = 1
    for (; ; most += 3) {
      let statements = 0
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => {
          if (++statements > most) throw new Error('broken off')
          return node
        },
        transformResult: async ({ result }) => result,
      }
      await service.clock.set(now)
      const done = await forgetPast(db.withPlugin(plugin), service.clock.now(), () => {}).catch(
        (error: Error) => {
          if (error.message !== 'broken off') throw error
        },
      )
      if (done) break
    }
    ok(most > 20)
    const { rows } = {
      rows: await db
        .selectFrom('messages')
        .select('text')
        .where('workspace', '=', client.id)
        .execute(),
    }
    deepEqual(rows.filter(({ text }) => text !== '' && text !== 'An axolotl for you.').length, 0)
    equal(rows.length, 112)
  })
})
