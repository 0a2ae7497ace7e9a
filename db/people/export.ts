import { type SqlBool, sql } from 'kysely'
import { isAbout } from '../accounts/suppressions.ts'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'

// Everything that is held about a person, a page of rows at a time, so that no conversation is in memory as a whole. One file,
// because a test compares the tables that it reads with all that there are.

export type Exported = { id: string; workspace: string }
type Row = Record<string, unknown>

/** A member of the export: what it holds, the tables that it is read from, and its rows, read as they are asked for. */
export type Section = {
  name: string
  tables: (keyof Schema)[]
  rows(db: Db, person: Exported): AsyncIterable<Row>
}

const pageRows = 200
/** Bodies of messages may have some megabytes each. */
const pageMessages = 5

/** The rows of pages that are read one after the other; `read` answers those after the last row. */
async function* inPages<R extends Row>(
  read: (after: R | undefined, limit: number) => Promise<R[]>,
  limit = pageRows,
): AsyncGenerator<R> {
  for (let after: R | undefined; ; ) {
    const rows = await read(after, limit)
    yield* rows
    after = rows.at(-1)
    if (rows.length < limit) return
  }
}

/** What only says how the service goes about its work, and the tokens of unsubscribe links, which are keys. */
const workings = new Set([
  ...['attempt', 'tries', 'claimedAt', 'claimedDay', 'epoch', 'workflow', 'leasedUntil', 'token'],
  ...['firstClaimedAt', 'nextTryAt', 'operation', 'seq', 'workspace', 'snoozeOperation'],
  ...['snoozeVersion', 'brief', 'lateBySeconds', 'filed'],
])
/** Rows without these. */
async function* plain(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows)
    yield Object.fromEntries(Object.entries(row).filter(([name]) => !workings.has(name)))
}

/** The ids of the person's conversations. */
const conversationsOf = (db: Db, { id, workspace }: Exported) =>
  inPages<{ id: string }>((after, limit) =>
    db
      .selectFrom('conversations')
      .select('id')
      .where('workspace', '=', workspace)
      .where('person', '=', id)
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

/** The messages of a conversation, in the order of its index, newest first. */
const messagesOf = (db: Db, conversation: string) =>
  inPages(
    (after: { id: string; at: Date } | undefined, limit) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('conversation', '=', conversation)
        .$if(after !== undefined, (q) =>
          q.where(sql<SqlBool>`(at, id) < (${after?.at}::timestamptz, ${after?.id})`),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    pageMessages,
  )

/** Their ids alone. */
const messageIdsOf = (db: Db, conversation: string) =>
  inPages((after: { id: string; at: Date } | undefined, limit) =>
    db
      .selectFrom('messages')
      .select(['id', 'at'])
      .where('conversation', '=', conversation)
      .$if(after !== undefined, (q) =>
        q.where(sql<SqlBool>`(at, id) < (${after?.at}::timestamptz, ${after?.id})`),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  )

/** The person's e-mail addresses, for tables that know people by them. */
const emailsOf = async (db: Db, person: string) =>
  (
    await db
      .selectFrom('addresses')
      .select('value')
      .where('person', '=', person)
      .where('kind', '=', 'email')
      .execute()
  ).map(({ value }) => value)

/** Everything but the card itself. */
export const sections: Section[] = [
  {
    name: 'addresses',
    tables: ['addresses'],
    rows: (db, { id, workspace }) =>
      inPages((after: { value: string; kind: string } | undefined, limit) =>
        db
          .selectFrom('addresses')
          .select(['kind', 'value', 'given', 'position'])
          .where('workspace', '=', workspace)
          .where('person', '=', id)
          .$if(after !== undefined, (q) =>
            q.where(sql<SqlBool>`(kind, value) > (${after?.kind}, ${after?.value})`),
          )
          .orderBy('kind')
          .orderBy('value')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'tags',
    tables: ['personTags'],
    rows: async function* (db, { id }) {
      yield* await db
        .selectFrom('personTags')
        .select(['label', 'side', 'addedAt', 'removedAt'])
        .where('person', '=', id)
        .orderBy('addedAt')
        .execute()
    },
  },
  {
    name: 'suppressions',
    tables: ['suppressions'],
    rows: async function* (db, { id, workspace }) {
      for (const email of await emailsOf(db, id))
        yield* await db
          .selectFrom('suppressions')
          .select(['id', 'address', 'reason', 'at', 'evidence'])
          .where('workspace', '=', workspace)
          .where(isAbout(sql`${email}::text`))
          .execute()
    },
  },
  {
    name: 'prospects',
    tables: ['prospects'],
    rows: async function* (db, { id, workspace }) {
      const emails = await emailsOf(db, id)
      yield* inPages<{ id: string } & Row>((after, limit) =>
        db
          .selectFrom('prospects')
          .select(['id', 'name', 'email', 'phone', 'linkedin', 'company', 'city', 'jobTitle'])
          .where('workspace', '=', workspace)
          .where(sql<SqlBool>`lower(email) = any(${emails}::text[])`)
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
    },
  },
  {
    name: 'segments',
    tables: ['segmentPeople'],
    rows: (db, { id, workspace }) =>
      inPages((after: { segment: string } | undefined, limit) =>
        db
          .selectFrom('segmentPeople as member')
          .innerJoin('segments', 'segments.id', 'member.segment')
          .select(['member.segment', 'segments.name', 'member.matches', 'member.byHand'])
          .select(['member.takenOut', 'member.reason', 'member.at'])
          .where('segments.workspace', '=', workspace)
          .where('member.person', '=', id)
          .where('member.segment', '>', after?.segment ?? '')
          .orderBy('member.segment')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'letters',
    tables: ['touches'],
    rows: async function* (db, { id, workspace }) {
      const letters = inPages<{ id: string } & Row>((after, limit) =>
        db
          .selectFrom('touches')
          .selectAll()
          .where('workspace', '=', workspace)
          .where('person', '=', id)
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      yield* plain(letters)
    },
  },
  {
    name: 'letterTests',
    tables: ['letterTests'],
    rows: (db, { id, workspace }) =>
      inPages((after: { operation: string } | undefined, limit) =>
        db
          .selectFrom('letterTests')
          .select(['operation', 'campaign', 'place', 'toAddress', 'state'])
          .where('workspace', '=', workspace)
          .where('person', '=', id)
          .where('operation', '>', after?.operation ?? '')
          .orderBy('operation')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'conversations',
    tables: ['conversations', 'conversationLabels'],
    rows: async function* (db, { id, workspace }) {
      const conversations = inPages<{ id: string } & Row>((after, limit) =>
        db
          .selectFrom('conversations')
          .selectAll()
          .select(
            sql<string[]>`array(select labels.name from conversation_labels on_it
              join labels on labels.id = on_it.label
              where on_it.conversation = conversations.id order by labels.name)`.as('labels'),
          )
          .where('workspace', '=', workspace)
          .where('person', '=', id)
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      yield* plain(conversations)
    },
  },
  {
    name: 'messages',
    tables: ['messages'],
    rows: async function* (db, person) {
      for await (const { id } of conversationsOf(db, person)) yield* plain(messagesOf(db, id))
    },
  },
  {
    name: 'files',
    tables: ['files'],
    rows: async function* (db, person) {
      for await (const conversation of conversationsOf(db, person))
        for await (const { id: message } of messageIdsOf(db, conversation.id))
          yield* await db
            .selectFrom('files')
            .select(['id', 'message', 'name', 'type', 'size', 'cid'])
            .where('workspace', '=', person.workspace)
            .where('message', '=', message)
            .orderBy('seq')
            .execute()
    },
  },
  {
    name: 'notes',
    tables: ['notes'],
    rows: async function* (db, person) {
      for await (const { id: conversation } of conversationsOf(db, person))
        yield* inPages((after: { at: Date; id: string } | undefined, limit) =>
          db
            .selectFrom('notes')
            .selectAll()
            .where('conversation', '=', conversation)
            .$if(after !== undefined, (q) =>
              q.where(sql<SqlBool>`(at, id) > (${after?.at}::timestamptz, ${after?.id})`),
            )
            .orderBy('at')
            .orderBy('id')
            .limit(limit)
            .execute(),
        )
    },
  },
  {
    name: 'tasks',
    tables: ['tasks'],
    rows: async function* (db, person) {
      for await (const { id: conversation } of conversationsOf(db, person)) {
        const tasks = inPages<{ seq: string } & Row>((after, limit) =>
          db
            .selectFrom('tasks')
            .selectAll()
            .where('conversation', '=', conversation)
            .where('seq', '>', after?.seq ?? '0')
            .orderBy('seq')
            .limit(limit)
            .execute(),
        )
        yield* plain(tasks)
      }
    },
  },
  {
    name: 'deals',
    tables: ['deals'],
    rows: (db, { id, workspace }) =>
      inPages((after: { id: string } | undefined, limit) =>
        db
          .selectFrom('deals')
          .select(['id', 'label', 'seller', 'buyer', 'agent', 'stage', 'createdAt', 'closedAt'])
          .where('workspace', '=', workspace)
          .where((eb) => eb.or([eb('seller', '=', id), eb('buyer', '=', id)]))
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'meetings',
    tables: ['meetings', 'invitations'],
    rows: async function* (db, { id, workspace }) {
      const emails = await emailsOf(db, id)
      const meetings = inPages<{ id: string } & Row>((after, limit) =>
        db
          .selectFrom('meetings')
          .selectAll()
          .select(
            sql<unknown>`(select coalesce(json_agg(json_build_object('address', address, 'method', method,
                'state', state, 'sentAt', sent_at) order by sent_at), '[]') from invitations
              where meeting = meetings.id and lower(address) = any(${emails}::text[]))`.as(
              'invitations',
            ),
          )
          .where('workspace', '=', workspace)
          .where(sql<SqlBool>`lower(guests::text)::text[] && ${emails}::text[]`)
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      yield* plain(meetings)
    },
  },
  {
    name: 'imports',
    tables: ['importRows'],
    rows: (db, { id, workspace }) =>
      inPages((after: { import: string; row: number } | undefined, limit) =>
        db
          .selectFrom('imports')
          .innerJoin('importRows as done', 'done.operation', 'imports.operation')
          .select(['imports.id as import', 'imports.name as file', 'done.row', 'done.outcome'])
          .select(['done.joined', 'done.errors'])
          .where('imports.workspace', '=', workspace)
          .where('done.person', '=', id)
          .$if(after !== undefined, (q) =>
            q.where(sql<SqlBool>`(imports.id, done.row) > (${after?.import}, ${after?.row}::int)`),
          )
          .orderBy('imports.id')
          .orderBy('done.row')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'merged',
    tables: ['mergedPeople'],
    rows: (db, { id, workspace }) =>
      inPages((after: { id: string } | undefined, limit) =>
        db
          .selectFrom('mergedPeople')
          .select(['id', 'at'])
          .where('workspace', '=', workspace)
          .where('person', '=', id)
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .limit(limit)
          .execute(),
      ),
  },
  {
    name: 'audit',
    tables: ['audit'],
    rows: (db, { id, workspace }) =>
      inPages((after: { at: Date; id: string } | undefined, limit) =>
        db
          .selectFrom('audit')
          .select(['id', 'at', 'member', 'action', 'resource', 'before', 'after'])
          .where('workspace', '=', workspace)
          .where((eb) =>
            eb.or([
              eb('resource', '=', id),
              eb('resource', 'in', (of) =>
                of
                  .selectFrom('mergedPeople')
                  .select('mergedPeople.id')
                  .where('mergedPeople.person', '=', id),
              ),
              eb('resource', 'in', (of) =>
                of
                  .selectFrom('conversations')
                  .select('conversations.id')
                  .where('conversations.person', '=', id),
              ),
            ]),
          )
          .$if(after !== undefined, (q) =>
            q.where(sql<SqlBool>`(at, id) < (${after?.at}::timestamptz, ${after?.id})`),
          )
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .execute(),
      ),
  },
]
