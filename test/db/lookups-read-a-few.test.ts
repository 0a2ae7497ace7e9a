import { ok } from 'node:assert/strict'
import { findSendingRecord } from '../../db/accounts/sending-record.ts'
import { listNotes } from '../../db/conversations/notes.ts'
import type { Db } from '../../db/database.ts'
import { isOfOurs } from '../../db/inbox/our-letters.ts'
import { findReferred } from '../../db/inbox/thread.ts'
import {
  countWebhooks,
  findBacklog,
  findOldestUnconfirmed,
  findOverdue,
} from '../../db/operations/gauges.ts'
import { isOutboxBehind } from '../../db/operations/outbox.ts'
import { givenManyRows } from '../support/many-rows.ts'
import { openExplained } from '../support/touched.ts'

// What is looked up for each mail that comes in, each account and each scrape of metrics reads no table from end to end. Rows are
// counted, not timed.

const many = 30_000
const few = 100

const ids = ['<one@x.example>', '<two@x.example>']

const lookups: Record<string, (db: Db, workspace: string) => Promise<unknown>> = {
  'what a mail refers to': async (db, w) => findReferred(db, w, 'con_a', ids),
  'what a mail refers to, of a person': async (db, w) =>
    findReferred(db, w, 'con_a', ids, `per_${w}`),
  'whether a mail refers to a letter of ours': (db, w) =>
    isOfOurs(db, { workspace: w, connection: 'con_a' }, ids),
  'the record of an account': (db) => findSendingRecord(db, 'con_a', new Date(0), '2026-11-23'),
  'the notes of a conversation': (db, w) => listNotes(db, `cnv_${w}`),
  'the deliveries that are queued': (db) => countWebhooks(db),
  'the backlog of commands': (db) => findBacklog(db),
  'whether commands are behind': (db) => isOutboxBehind(db),
  'how late the oldest letter is': (db) => findOverdue(db, new Date()),
  'the oldest unconfirmed letter': (db) => findOldestUnconfirmed(db, new Date()),
}

describe(`a lookup among ${many} rows`, () => {
  let given: Awaited<ReturnType<typeof givenManyRows>>
  let explained: ReturnType<typeof openExplained>
  before(async function () {
    this.timeout(180_000)
    given = await givenManyRows(many)
    await given.analyse()
    explained = openExplained(given.url)
  })
  after(async () => {
    await explained.close()
    await given.close()
  })

  for (const [name, look] of Object.entries(lookups))
    it(`reads at most ${few} rows: ${name}`, async () => {
      for (const { rows, plan } of await explained.touched((db) => look(db, given.many)))
        ok(rows <= few, `${rows} rows are read:\n${plan}`)
    })
})
