import { type SqlBool, sql } from 'kysely'
import { erasedMark } from '../../rules/people/erased-words.ts'
import { isAboutThem, type Page, type Work } from './work.ts'

// What was recorded about somebody: notifications, audit lines, stored answers, events and imports. Each is read from its beginning to
// its end, a page at a time.

const rowsAtOnce = 500

/** Sentences to members: about their own conversations, nothing is left of them. */
export async function eraseNotifications(work: Work, after: unknown): Promise<Page> {
  const { trx, workspace, sought, eraser } = work
  const [member, at, id] = (after as string[] | null) ?? ['', '-infinity', '']
  const { rows } = await sql<{
    id: string
    member: string
    at: string
    text: string
    own: boolean
  }>`
    select n.id, n.member, n.at::text as at, n.text, exists (select from conversations c
      where c.id = n.conversation and c.workspace = ${workspace} and c.person = any(${sought.people}::text[])) as own
    from notifications n
    where n.workspace = ${workspace} and n.member in (select m.id from members m where m.workspace = ${workspace})
      and (n.member, n.at, n.id) > (${member}, ${at}::timestamptz, ${id})
    order by n.member, n.at, n.id limit ${rowsAtOnce}`.execute(trx)
  for (const row of rows) {
    const text = row.own ? erasedMark : eraser.text(row.text)
    if (text !== row.text)
      await trx
        .updateTable('notifications')
        .set({ text })
        .where('workspace', '=', workspace)
        .where('id', '=', row.id)
        .execute()
  }
  const last = rows.at(-1)
  return last && rows.length === rowsAtOnce ? { after: [last.member, last.at, last.id] } : undefined
}

/** The values of audit lines: who changed what, and when, stays. */
export async function eraseAudit(work: Work, after: unknown): Promise<Page> {
  const { trx, workspace, eraser } = work
  const [at, id] = (after as string[] | null) ?? ['-infinity', '']
  const { rows } = await sql<{ id: string; at: string; values: string; own: boolean }>`
    select a.id, a.at::text as at, coalesce(a.before::text, '') || ' ' || coalesce(a.after::text, '') as values,
      ${isAboutThem(work, sql`a.resource`)} as own
    from (select * from audit
      where workspace = ${workspace} and (at, id) > (${at}::timestamptz, ${id})
      order by at, id limit ${rowsAtOnce}) a
    order by a.at, a.id`.execute(trx)
  const told = rows.filter((row) => row.own || eraser.has(row.values)).map((row) => row.id)
  await trx
    .updateTable('audit')
    .set({ before: null, after: null })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`id = any(${told}::text[])`)
    .execute()
  const last = rows.at(-1)
  return last && rows.length === rowsAtOnce ? { after: [last.at, last.id] } : undefined
}

/** Answers that are kept for repeats, and results: whoever asks for one again is told that it is gone. */
export async function eraseAnswers(work: Work, after: unknown): Promise<Page> {
  const { trx, workspace, operation, eraser } = work
  const { rows } = await sql<{
    id: string
    answer: string | null
    result: string | null
    own: boolean
  }>`
    select o.id, o.answer_body as answer, o.result::text as result, ${isAboutThem(work, sql`o.resource`)} as own
    from (select id, answer_body, result, resource from operations
      where workspace = ${workspace} and id > ${(after as string | null) ?? `${workspace}:`}
      order by id limit ${rowsAtOnce}) o
    order by o.id`.execute(trx)
  const told = rows
    .filter(({ id }) => id !== operation)
    .filter(
      ({ own, answer, result }) => own || eraser.has(answer ?? '') || eraser.has(result ?? ''),
    )
    .map(({ id }) => id)
  await trx
    .updateTable('operations')
    .set({
      answerStatus: sql`case when answer_body is null then answer_status else 410 end`,
      answerBody: sql`case when answer_body is null then null else 'erased' end`,
      result: sql`case when ended_at is null then result end`,
    })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`id = any(${told}::text[])`)
    .execute()
  return rows.length === rowsAtOnce ? { after: rows.at(-1)?.id } : undefined
}

/** Events have ids alone, and the client's own id of the person. */
export async function eraseEvents({ trx, workspace, sought }: Work, after: unknown): Promise<Page> {
  if (sought.externalIds.length === 0) return undefined
  const [xid, id] = (after as string[] | null) ?? ['0', '0']
  const { rows } = await sql<{ xid: string; id: string; told: boolean }>`
    select e.xid::text as xid, e.id, coalesce(e.data ->> 'externalId' = any(${sought.externalIds}::text[]), false) as told
    from (select xid, id, data from events
      where workspace = ${workspace} and (xid, id) > (${xid}::xid8, ${id}::bigint)
      order by events.xid, id limit ${rowsAtOnce}) e
    order by e.xid, e.id`.execute(trx)
  const told = rows.filter((row) => row.told).map((row) => row.id)
  await sql`update events set data = data - 'externalId'
    where workspace = ${workspace} and id = any(${told}::bigint[])`.execute(trx)
  const last = rows.at(-1)
  return last && rows.length === rowsAtOnce ? { after: [last.xid, last.id] } : undefined
}

const importsAtOnce = 20

/** Imports lose their file when they end, so those that are running are waited for. */
export async function eraseImports(
  { trx, workspace, eraser }: Work,
  after: unknown,
): Promise<Page> {
  const running = await trx
    .selectFrom('imports')
    .select('id')
    .where('workspace', '=', workspace)
    .where('content', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (running) return 'wait'
  const imports = await trx
    .selectFrom('imports')
    .select(['id', 'operation', 'name', 'columns', 'errors'])
    .where('workspace', '=', workspace)
    .where('id', '>', (after as string | null) ?? '')
    .orderBy('id')
    .limit(importsAtOnce)
    .execute()
  for (const { id, operation, ...was } of imports) {
    const [columns, errors] = [was.columns, was.errors].map((value) =>
      JSON.stringify(eraser.json(value)),
    )
    const name = eraser.text(was.name)
    await trx
      .updateTable('imports')
      .set({ name, columns: columns as string, errors: errors as string })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute()
    const rows = await trx
      .selectFrom('importRows')
      .select(['row', 'errors'])
      .where('operation', '=', operation)
      .where('errors', 'is not', null)
      .execute()
    for (const { row, errors } of rows) {
      if (!eraser.has(JSON.stringify(errors))) continue
      await trx
        .updateTable('importRows')
        .set({ errors: JSON.stringify(eraser.json(errors)) })
        .where('operation', '=', operation)
        .where('row', '=', row)
        .execute()
    }
  }
  return imports.length === importsAtOnce ? { after: imports.at(-1)?.id } : undefined
}
