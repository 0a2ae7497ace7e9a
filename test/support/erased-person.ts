import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { Inbound } from '../../db/inbox/inbound.ts'
import { receiveMessage } from '../../db/inbox/receive-message.ts'
import { givenWebhook, secretKey } from './given.ts'
import type { SharedService } from './service.ts'

// Somebody who has left traces everywhere, and a search of the whole database for them.

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Everything by which she is known and what she has said, in small letters. None of it is anybody else's. */
export const traces = [
  ...['tilda', 'quistgaard', '30112233', 'crm-q-77', 'okapi'],
  ...['pangolin', 'narwhal', 'walrus', 'axolotl'],
]

export async function givenTraces(service: Pick<SharedService, 'db' | 'clock' | 'workspace'>) {
  const { db, clock } = service
  const workspace = await service.workspace()
  const { id, call, connections, member, product, agent } = workspace
  const [connection] = connections
  const now = clock.now()
  const email = 'tilda@quistgaard.example'
  const name = 'Tilda Quistgaard'
  const made = { key: randomUUID() }
  const created = await call(
    'POST',
    '/people',
    {
      ...{ name, email, phone: '+45 30 11 22 33', linkedin: 'linkedin.com/in/tilda-quistgaard' },
      ...{ company: 'Quistgaard Cooling', externalId: 'crm-q-77', fields: { wish: 'okapi' } },
      tags: [{ label: product, side: 'buyer' }],
    },
    made,
  )
  const person: string = created.body.id
  const bo = (await call('POST', '/people', { name: 'Bo Lind', email: 'bo@lind.example' })).body.id
  const receive = (more: Partial<Inbound>) =>
    db.transaction().execute((trx) =>
      receiveMessage(
        trx,
        {
          ...{ workspace: id, connection, externalId: `<${randomUUID()}@client>` },
          ...{ from: { name, address: email }, to: 'ana@us.example', subject: 'An order' },
          ...{ text: '', at: clock.now(), references: [], files: [], automated: false },
          ...more,
        },
        clock.now(),
        secretKey,
      ),
    )

  // A conversation of her own.
  const own = await receive({
    externalId: '<pangolin-1@quistgaard.example>',
    subject: 'Pangolin order',
    text: 'We want pangolin coolers for the harbour.\n\nTilda',
    html: '<p>We want <b>pangolin</b> coolers for the harbour.</p>',
    files: [
      { name: 'pangolin.txt', type: 'text/plain', content: Buffer.from('A pangolin.') },
      { name: 'photo.bin', type: 'application/octet-stream', content: Buffer.from('A walrus.') },
    ],
  })
  const path = `/conversations/${own.conversation}`
  const queued = { key: randomUUID() }
  const sendAt = '2099-01-01T09:00:00Z'
  const reply = { text: 'Dear Tilda, pangolins it is.', sendAt }
  const message = (await call('POST', `${path}/messages`, reply, queued)).body.id
  const edited = { key: randomUUID() }
  await call('PATCH', path, { snoozeUntil: sendAt, why: 'Tilda is away' }, edited)
  const noted = { key: randomUUID() }
  await call('POST', `${path}/notes`, { text: 'She said axolotl.' }, noted)
  await call('POST', `${path}/tasks`, { text: 'Write: Dear Tilda, axolotl.', due: sendAt })
  await call('POST', `${path}/labels`, { label: 'Tilda Quistgaard' })

  // One that Bo began, in which she has written too.
  const begun = await receive({
    ...{ externalId: '<bo-1@lind.example>', from: { name: 'Bo Lind', address: 'bo@lind.example' } },
    ...{ subject: 'Freezers', text: 'Hello, may I add a colleague?', cc: [email] },
  })
  await receive({
    ...{ externalId: '<narwhal-1@quistgaard.example>', references: ['<bo-1@lind.example>'] },
    subject: 'Re: Freezers',
    text: 'The narwhal freezers have to be white and quiet.\nPlease order twelve of them by Friday.',
  })
  const answered = await receive({
    ...{ externalId: '<bo-2@lind.example>', from: { name: 'Bo Lind', address: 'bo@lind.example' } },
    references: ['<bo-1@lind.example>', '<narwhal-1@quistgaard.example>'],
    ...{ subject: 'Re: Freezers', cc: [email] },
    replyTo: [{ name, address: email }],
    text: [
      'I agree with Tilda Quistgaard, and the budget is mine.',
      '',
      'On Monday, Tilda Quistgaard <tilda@quistgaard.example> wrote:',
      '> The narwhal freezers have to be white and',
      '> quiet. Please order twelve of them by Friday.',
      '> > Hello, may I add a colleague?',
      '',
      'Best, Bo',
    ].join('\n'),
    html: '<p>I agree with Tilda&nbsp;<b>Quistgaard</b>.</p><blockquote>narwhal</blockquote>',
  })
  await call('POST', `/conversations/${begun.conversation}/notes`, {
    text: `Ask ${email} about it.`,
  })

  // Letters of a campaign, of which one has gone.
  const campaign = newId('cmp')
  const segment = newId('seg')
  const times = { createdAt: now, updatedAt: now }
  await db
    .insertInto('segments')
    .values({
      ...{ id: segment, workspace: id, name: 'S', query: 'cooling', rules: '[]', saved: true },
      ...times,
    })
    .execute()
  await db
    .insertInto('segmentPeople')
    .values(
      [person, bo].map((one) => ({
        ...{ segment, person: one, matches: true, version: 1, at: now },
        reason: one === person ? 'Tilda buys walrus cooling' : 'Bo buys',
      })),
    )
    .execute()
  await db
    .insertInto('campaigns')
    .values({
      ...{ id: campaign, workspace: id, name: 'C', goal: '', state: 'running', segment, agent },
      ...{ ...times, startedAt: new Date(+now - 1000), runEpoch: 1 },
    })
    .execute()
  const letter = {
    ...{ workspace: id, campaign, person, connection, toAddress: email, createdAt: now },
    ...{ subject: 'Dear Tilda', text: 'Dear Tilda, walrus.', html: '<p>walrus</p>' },
  }
  const touches = [newId('tch'), newId('tch'), newId('tch')]
  await db
    .insertInto('touches')
    .values([
      ...[
        { ...letter, id: touches[0] as string, place: 1, state: 'sent' as const, dueAt: now },
        { ...letter, id: touches[1] as string, place: 2, state: 'queued' as const, dueAt: now },
      ].map((row) => ({ ...row, sentAt: row.state === 'sent' ? now : null })),
      // Somebody wrote its words for her.
      {
        ...{ ...letter, id: touches[2] as string, place: 3, state: 'review' as const, dueAt: now },
        ownWords: true,
      },
    ])
    .execute()
  await db
    .updateTable('touches')
    .set({ messageId: '<tch-1@us.example>', said: `550 ${email} unknown` })
    .where('id', '=', touches[0] as string)
    .execute()
  await db
    .insertInto('campaignLetters')
    .values({ campaign, place: 1, subject: 'Dear Tilda Quistgaard', text: email, writtenAt: now })
    .execute()

  // A meeting, a deal, lists, a file of people, and a webhook whose address does not answer.
  const meeting = newId('mtg')
  await db
    .insertInto('meetings')
    .values({
      ...{ id: meeting, uid: meeting, workspace: id, calendar: `cal_${member}`, own: true },
      ...{ title: 'Demo with Tilda Quistgaard', zone: 'Europe/Berlin', startsAt: now },
      ...{ endsAt: new Date(+now + 1), guests: [email, 'bo@lind.example'], remote: 'none' },
      replies: JSON.stringify([{ address: email, answer: 'accepted', at: now.toISOString() }]),
      createdAt: now,
    })
    .execute()
  await db
    .insertInto('invitations')
    .values({
      ...{ id: newId('inv'), workspace: id, meeting, address: email, method: 'request' },
      ...{ sequence: 0, dueAt: now, state: 'queued' },
    })
    .execute()
  const deal = newId('dea')
  await db
    .insertInto('deals')
    .values({
      ...{ id: deal, workspace: id, label: product, seller: bo, buyer: person, agent },
      ...{ stage: 'waits for Tilda Quistgaard', createdAt: now },
    })
    .execute()
  await db
    .insertInto('prospects')
    .values({
      ...{ id: newId('pro'), workspace: id, name, email: email.toUpperCase(), phone: '' },
      ...{ linkedin: '', company: '', city: '', jobTitle: '' },
    })
    .execute()
  await call('POST', '/suppressions', { address: email })
  const [webhook] = await givenWebhook(db, workspace, now)
  await call('PATCH', `/people/${person}`, { city: 'Narwhal Bay' })
  const file = { name: 'quistgaard.csv', content: base64(`name,email\n${name},${email}\n`) }
  const planned = { key: randomUUID() }
  await call('POST', '/people/import', { file }, planned)
  await call('POST', '/files', {
    ...{ name: 'for-tilda-quistgaard.txt', type: 'text/plain' },
    content: base64(`for ${email}`),
  })
  await db
    .updateTable('connections')
    .set({ refusedTo: email })
    .where('id', '=', connection)
    .execute()
  return {
    ...{ ...workspace, person, email, name, bo, receive, own, begun, answered, message, touches },
    ...{ campaign, segment, meeting, deal, webhook, file },
    keys: { made, queued, edited, noted, planned },
  }
}

/** Where texts occur in the database, in whatever form it holds them: `table.column: text`. */
export async function searchAll(db: Db, texts: string[], skip: string[] = []): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as "table", column_name as "column", data_type as type
    from information_schema.columns join pg_tables on schemaname = 'public' and tablename = table_name
    where table_schema = 'public'`.execute(db)
  const found = new Set<string>()
  for (const { table, column, type } of columns) {
    if (skip.includes(table)) continue
    const { rows } = await sql<{ value: string | Buffer | null }>`
      select ${type === 'bytea' ? sql.ref(column) : sql`${sql.ref(column)}::text`} as value
      from ${sql.table(table)}`.execute(db)
    for (const { value } of rows) {
      if (value === null) continue
      for (const text of readings(value))
        for (const wanted of texts)
          if (text.toLowerCase().includes(wanted)) found.add(`${table}.${column}: ${wanted}`)
    }
  }
  return [...found].sort()
}

/** A value as it stands, and as what may be packed in it. */
function readings(value: string | Buffer): string[] {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value)
  const texts = [bytes.toString('utf8'), bytes.toString('latin1')]
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) texts.push(gunzipSync(bytes).toString('utf8'))
  const [text = ''] = texts
  // Quoted-printable (RFC 2045, 6.7), also of a line that goes on, and its form in heads (RFC 2047, 4.2).
  if (text.includes('='))
    texts.push(
      Buffer.from(
        text
          .replace(/=\r?\n/g, '')
          .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
          .replaceAll('_', ' '),
        'latin1',
      ).toString('utf8'),
    )
  const coded = texts.flatMap((one) => one.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? [])
  return [...texts, ...coded.map((one) => Buffer.from(one, 'base64').toString('utf8'))]
}
