import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import { letterAddress, type Told, touchesHappened } from './touches.ts'

/** `readdressLetters` for those of these locked people who have letters that wait. */
export async function readdressAll(trx: Trx, people: string[], now: Date) {
  const { rows } = await sql<{ person: string }>`
    select distinct person from touches
    where person = any(${people}::text[]) and state in ('queued', 'review') and to_address is not null
    order by person`.execute(trx)
  for (const { person } of rows) await readdressLetters(trx, person, now)
}

/**
 * The addresses of a locked person have changed: first letters that have not gone yet go to the first address, later ones stay
 * with the address of their thread as long as the person has it. A letter to somebody without an address is written again when
 * its turn comes, and fails then; one in own words fails at once, which a trigger of migration 0038 sees to. With `touch`, only
 * that letter.
 */
export async function readdressLetters(trx: Trx, person: string, now: Date, touch?: string) {
  const known = sql`case when place > 1 then to_address end`
  const { rows } = await sql<Told & { state: string }>`
    with wanted as (
      select id as touch, to_address as was, ${letterAddress(sql.ref('touches.person'), known)} as address from touches
      where person = ${person} and state in ('queued', 'review') and to_address is not null
        ${touch === undefined ? sql`` : sql`and id = ${touch}`})
    update touches set to_address = wanted.address,
      state = case when wanted.address is null then 'queued' else state end,
      subject = case when wanted.address is not null then subject end,
      text = case when wanted.address is not null then text end,
      html = case when wanted.address is not null then html end,
      written_at = case when wanted.address is not null then written_at end,
      brief = case when wanted.address is not null then brief end
    from wanted where id = wanted.touch and wanted.address is distinct from wanted.was
    returning id, workspace, campaign, person, place, connection, conversation, state`.execute(trx)
  const failed = rows.filter(({ state }) => state === 'failed')
  if (failed.length > 0) await touchesHappened(trx, failed, now, 'failed', 'no_contact')
}
