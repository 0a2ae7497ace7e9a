import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { places } from '../../rules/campaign.ts'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { TouchRow } from './touches.ts'

// A letter that failed is sent again as another one. A person has one letter of each place, so the failed one gives its place up.

/**
 * Queues a locked letter anew with its words, which are agreed with that, and answers the id of the new one. Those that would
 * have followed it give up their places too, and are planned again once the new one was sent.
 */
export async function sendAnew(
  trx: Trx,
  letter: TouchRow,
  toAddress: string,
  now: Date,
): Promise<string> {
  const again = newId('tch')
  await giveUpPlaces(trx, letter)
  // It did not reach its person, who may get another letter that day.
  await trx
    .updateTable('touches')
    .set({ again, claimedDay: null })
    .where('id', '=', letter.id)
    .execute()
  const { workspace, campaign, person, place, subject, text, html, language, variant, signedBy } =
    letter
  // A first letter may go through any account, and begins its own conversation.
  const { connection, conversation } =
    place === 1 ? { connection: null, conversation: null } : letter
  await trx
    .insertInto('touches')
    .values({
      ...{ id: again, workspace, campaign, person, place, state: 'queued', dueAt: now },
      ...{ connection, conversation, toAddress, subject, text, html, language, variant, signedBy },
      ...{ ownWords: true, agreed: true, writtenAt: now, createdAt: now },
      token: randomBytes(24).toString('base64url'),
    })
    .execute()
  return again
}

/** Each time, places go down by three: what they were is still known (placeOf), and no two are the same. */
const giveUpPlaces = (trx: Trx, { id, campaign, person, place }: TouchRow) =>
  sql`
    update touches t
    set place = t.place - ${places.length}::int * (
      select (${places.length}::int - least(min(place), 1)) / ${places.length}::int + 1
      from touches where campaign = ${campaign} and person = ${person})
    where t.campaign = ${campaign} and t.person = ${person}
      and (t.id = ${id} or t.place > ${place} and t.state = 'failed' and t.reason = 'bounced' and t.sent_at is null)`.execute(
    trx,
  )
