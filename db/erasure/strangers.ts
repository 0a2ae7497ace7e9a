import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import { type Forgotten, type Past, removeWords } from './words.ts'

// Conversations whose sender is nobody's person: a mail made the card, and since then nobody has written to them or said anything about
// them. Past their time they go with their messages as others do, and name and addresses of their sender with them. The card is
// closed like that of somebody who was erased, but no hash of it stays: whoever writes again begins anew.

const strangersAtOnce = 20

type Stranger = { id: string; at: string; isKnown: boolean; isQuiet: boolean }

export async function forgetStrangers(
  trx: Trx,
  past: Past,
  [at = '-infinity', id = '']: string[],
): Promise<Forgotten> {
  const { workspace, before } = past
  const { rows } = await sql<Stranger>`
    select p.id, p.created_at::text as at,
      p.external_id is not null or p.fields <> '{}' or concat(p.city, p.job_title, p.company) <> ''
        or exists (select from person_tags t where t.person = p.id)
        or exists (select from segment_people s where s.person = p.id)
        or exists (select from touches t where t.person = p.id)
        or exists (select from merged_people m where m.workspace = ${workspace} and m.person = p.id)
        or exists (select from conversations c join messages m on m.conversation = c.id
          where c.workspace = ${workspace} and c.person = p.id and m.workspace = ${workspace} and m.direction = 'outbound')
        as is_known,
      not exists (select from conversations c where c.workspace = ${workspace} and c.person = p.id and (
        c.last_message_at >= ${before} or exists (select from tasks t where t.conversation = c.id and t.state = 'queued' offset 0)))
        as is_quiet
    from (select * from people
      where workspace = ${workspace} and from_mail and erased_at is null and created_at < ${before}
        and (created_at, id) > (${at}::timestamptz, ${id})
      order by created_at, id limit ${strangersAtOnce} for update skip locked) p
    order by p.created_at, p.id`.execute(trx)
  const known = rows.filter(({ isKnown }) => isKnown).map((row) => row.id)
  await sql`update people set from_mail = false
    where workspace = ${workspace} and id = any(${known}::text[])`.execute(trx)
  let place = [at, id]
  let gone = 0
  for (const row of rows) {
    if (row.isQuiet && !row.isKnown) {
      // Where there is more of one than fits into a page, the next page begins with it.
      if (!(await forgetStranger(trx, past, row.id))) return { rows: gone, after: place }
      gone++
    }
    place = [row.at, row.id]
  }
  return { rows: gone, after: rows.length === strangersAtOnce ? place : undefined }
}

const messagesAtOnce = 100

/** A page of what somebody wrote; true once nothing of them is left, and their card is closed. */
async function forgetStranger(trx: Trx, past: Past, person: string): Promise<boolean> {
  const { workspace, now } = past
  const { rows } = await sql<Parameters<typeof removeWords>[2][number]>`
    select m.id, m.conversation, m.touch, m.operation from messages m
    join conversations c on c.id = m.conversation
    where c.workspace = ${workspace} and c.person = ${person} and m.workspace = ${workspace}
      and (m.removed_at is null or m.sender_handle <> '')
    order by m.id limit ${messagesAtOnce} for update of m`.execute(trx)
  if (rows.length > 0) await removeWords(trx, past, rows)
  await sql`
    update messages set sender_name = '', sender_handle = '', to_address = '', to_addresses = null, cc = '{}', reply_to = null,
      via = null, report = report || '{"recipient": null}'::jsonb
    where workspace = ${workspace} and id = any(${rows.map(({ id }) => id)}::text[])`.execute(trx)
  if (rows.length === messagesAtOnce) return false
  await sql`
    update notes n set text = '' from conversations c
    where c.id = n.conversation and c.workspace = ${workspace} and c.person = ${person}`.execute(
    trx,
  )
  await trx
    .deleteFrom('addresses')
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute()
  await trx
    .updateTable('people')
    .set({ name: '', erasedAt: now, updatedAt: now, fromMail: false })
    .where('workspace', '=', workspace)
    .where('id', '=', person)
    .execute()
  return true
}
