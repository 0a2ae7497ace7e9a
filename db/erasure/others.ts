import { type SqlBool, sql } from 'kysely'
import { erasedMark } from '../../rules/people/erased-words.ts'
import { eraseInFiles, type Page, patternsOf, type Work } from './work.ts'

// Where else somebody may be named: in meetings, letters to others, lists and settings. One file, because each place is a statement or
// two, and all of them together are the list that the test of whole databases holds against the schema.

const meetingsAtOnce = 200

/** Meetings stay, without them. */
export async function eraseMeetings(
  { trx, workspace, eraser }: Work,
  after: unknown,
): Promise<Page> {
  const [endsAt, id] = (after as string[] | null) ?? ['-infinity', '']
  const { rows } = await sql<{
    id: string
    at: string
    title: string
    agenda: string
    guests: string[]
    replies: { address: string }[]
    proposals: { by: string }[]
  }>`
    select id, ends_at::text as at, title, agenda, guests, replies, proposals from meetings
    where workspace = ${workspace} and (ends_at, id) > (${endsAt}::timestamptz, ${id})
    order by ends_at, id limit ${meetingsAtOnce}`.execute(trx)
  for (const { id: meeting, at: _, ...was } of rows) {
    const now = {
      title: eraser.text(was.title),
      agenda: eraser.text(was.agenda),
      guests: was.guests.filter((guest) => !eraser.isTheirs(guest)),
      replies: eraser.json(was.replies.filter(({ address }) => !eraser.isTheirs(address))),
      proposals: eraser.json(was.proposals.filter(({ by }) => !eraser.isTheirs(by))),
    }
    if (JSON.stringify(now) === JSON.stringify(was)) continue
    const { replies, proposals, ...plain } = now
    await trx
      .updateTable('meetings')
      .set({ ...plain, replies: JSON.stringify(replies), proposals: JSON.stringify(proposals) })
      .where('workspace', '=', workspace)
      .where('id', '=', meeting)
      .execute()
  }
  const last = rows.at(-1)
  return last && rows.length === meetingsAtOnce ? { after: [last.at, last.id] } : undefined
}

const lettersAtOnce = 500

/** Letters of campaigns to others in which an address of theirs stands. */
export async function eraseInLetters(work: Work, after: unknown): Promise<Page> {
  const { trx, workspace, eraser } = work
  const patterns = patternsOf(work)
  if (patterns.length === 0) return undefined
  const place = (after as string[] | null) ?? ['', '-infinity', '']
  const [campaign = '', due = '', id = ''] = place
  const { rows } = await sql<{
    id: string
    campaign: string
    due: string
    hit: boolean
    subject: string | null
    text: string | null
    html: string | null
    toAddress: string | null
    said: string | null
  }>`
    select id, campaign, due_at::text as due, subject, text, html, to_address, said,
      lower(concat_ws(' ', subject, text, html, to_address, said)) like any(${patterns}::text[]) as hit
    from touches
    where workspace = ${workspace} and campaign in (select c.id from campaigns c where c.workspace = ${workspace})
      and (campaign, due_at, id) > (${campaign}, ${due}::timestamptz, ${id})
    order by campaign, due_at, id limit ${lettersAtOnce}`.execute(trx)
  const words = (text: string | null) => (text === null ? null : eraser.text(text))
  for (const row of rows.filter(({ hit }) => hit))
    await trx
      .updateTable('touches')
      .set({ subject: words(row.subject), text: words(row.text), html: words(row.html) })
      .set({ toAddress: words(row.toAddress), said: words(row.said) })
      .where('workspace', '=', workspace)
      .where('id', '=', row.id)
      .execute()
  const last = rows.at(-1)
  return last && rows.length === lettersAtOnce
    ? { after: [last.campaign, last.due, last.id] }
    : undefined
}

/** Lists of addresses, what is left of what refers to them, and settings in which they stand. */
export async function eraseLists(work: Work): Promise<Page> {
  const { trx, workspace, sought, eraser } = work
  const emails = sought.addresses.flatMap(({ kind, value }) => (kind === 'email' ? value : []))
  const forms = [
    ...new Set(
      sought.addresses.flatMap(({ value, given }) => [
        value,
        given,
        value.toLowerCase(),
        given.toLowerCase(),
      ]),
    ),
  ]
  const ofThem = sql<SqlBool>`person = any(${sought.people}::text[])`
  await sql`delete from suppressions
    where workspace = ${workspace} and (address = any(${forms}::text[])
      or mailbox_of(address) in (select mailbox_of(email) from unnest(${emails}::text[]) as email))`.execute(
    trx,
  )
  const digits = sought.addresses.flatMap(({ kind, value }) =>
    kind === 'phone' ? value.replace(/\D/g, '') : [],
  )
  await sql`delete from prospects
    where workspace = ${workspace} and (lower(email) = any(${forms}::text[])
      or regexp_replace(phone, '\\D', '', 'g') = any(${digits}::text[])
      or lower(linkedin) like any(${patternsOf(work)}::text[]))`.execute(trx)
  await sql`delete from invitations
    where workspace = ${workspace} and lower(address) = any(${forms}::text[])`.execute(trx)
  await trx.deleteFrom('addresses').where('workspace', '=', workspace).where(ofThem).execute()
  await trx.deleteFrom('segmentPeople').where(ofThem).execute()
  await trx
    .updateTable('connections')
    .set({ refusedTo: null })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`lower(refused_to) = any(${forms}::text[])`)
    .execute()
  await eraseWords(work)
  const uploads = await trx
    .selectFrom('files')
    .select(['id', 'name', 'type', 'size'])
    .where('workspace', '=', workspace)
    .where('message', 'is', null)
    .execute()
  await eraseInFiles(work, uploads)
  await sql`delete from meeting_checks
    where workspace = ${workspace} and lower(draft::text) like any(${patternsOf(work)}::text[])`.execute(
    trx,
  )
  const rules = await trx
    .selectFrom('routingRules')
    .select(['id', 'value'])
    .where('workspace', '=', workspace)
    .execute()
  for (const { id } of rules.filter(({ value }) => eraser.has(value)))
    await trx
      .updateTable('routingRules')
      .set({ value: erasedMark })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute()
  return undefined
}

/** Texts that members have written, or that were made for them; their tables have few rows. */
const words: { table: string; key: string[]; columns: string[]; of: RowsOf }[] = [
  { table: 'deals', key: ['id'], columns: ['stage'], of: 'workspace' },
  { table: 'labels', key: ['id'], columns: ['name'], of: 'workspace' },
  {
    table: 'campaigns',
    key: ['id'],
    columns: ['name', 'goal', 'add_rules', 'materials'],
    of: 'workspace',
  },
  {
    table: 'campaign_letters',
    key: ['campaign', 'place'],
    columns: ['subject', 'text'],
    of: 'campaign',
  },
  {
    table: 'campaign_templates',
    key: ['campaign', 'place', 'variant'],
    columns: ['subject', 'text', 'html'],
    of: 'campaign',
  },
  {
    table: 'segments',
    key: ['id'],
    columns: ['name', 'query', 'rules', 'found_filters'],
    of: 'workspace',
  },
  { table: 'finds', key: ['operation'], columns: ['words', 'filters'], of: 'segment' },
  { table: 'find_runs', key: ['id'], columns: ['filters'], of: 'segment' },
  { table: 'rests', key: ['account', 'server'], columns: ['words'], of: 'account' },
]
type RowsOf = 'workspace' | 'campaign' | 'segment' | 'account'

async function eraseWords({ trx, workspace, eraser }: Work) {
  const rowsOf: Record<RowsOf, ReturnType<typeof sql>> = {
    workspace: sql`workspace = ${workspace}`,
    campaign: sql`campaign in (select id from campaigns where workspace = ${workspace})`,
    segment: sql`segment in (select id from segments where workspace = ${workspace})`,
    account: sql`account in (select id from connections where workspace = ${workspace})`,
  }
  for (const { table, key, columns, of } of words) {
    const named = [...key, ...columns].map((column) => sql`${sql.ref(column)} as ${sql.id(column)}`)
    const { rows } = await sql<Record<string, unknown>>`
      select to_jsonb(found) as row from (
        select ${sql.join(named)} from ${sql.table(table)} where ${rowsOf[of]} for update) found`.execute(
      trx,
    )
    for (const { row } of rows as { row: Record<string, unknown> }[]) {
      const changed = columns.filter(
        (column) => JSON.stringify(eraser.json(row[column])) !== JSON.stringify(row[column]),
      )
      if (changed.length === 0) continue
      // The names of labels are unique.
      const value = (column: string) =>
        table === 'labels' ? `${erasedMark} ${row['id']}` : eraser.json(row[column])
      const set = changed.map(
        (column) =>
          sql`${sql.ref(column)} = (jsonb_populate_record(null::${sql.table(table)},
            ${JSON.stringify({ [column]: value(column) })}::jsonb)).${sql.ref(column)}`,
      )
      const isRow = key.map((column) => sql`${sql.ref(column)}::text = ${String(row[column])}`)
      await sql`update ${sql.table(table)} set ${sql.join(set)}
        where ${rowsOf[of]} and ${sql.join(isRow, sql` and `)}`.execute(trx)
    }
  }
}
