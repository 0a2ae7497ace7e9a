import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type CampaignState, weekdaysBefore } from '../../rules/campaign.ts'
import { addWeekdays } from '../../rules/hours.ts'
import { replySubject } from '../../rules/mail/subjects.ts'
import { cut } from '../../rules/text.ts'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { findLetterAddress } from './touch-sending.ts'
import { failTouches, findTouch, type TouchRow } from './touches.ts'

// What somebody changes in one letter that waits: its words, and whether it goes.

/**
 * Locks the campaign, the person and the letter, in this order, so that no claim is made beside an edit; undefined if the
 * campaign has no such letter.
 */
export async function lockForEdit(
  trx: Trx,
  workspace: string,
  { campaign, touch }: { campaign: string; touch: string },
) {
  const { rows } = await sql<{
    id: string
    state: CampaignState
    runner: string | null
    placeAgreed: boolean
  }>`
    select t.id, k.state, k.runner,
      exists (select from campaign_letters l
        where l.campaign = k.id and l.place = t.place and l.agreed) as place_agreed
    from campaigns k, people p, touches t
    where k.id = ${campaign} and k.workspace = ${workspace} and t.id = ${touch} and t.campaign = k.id
      and p.id = t.person
    for share of k for update of p for update of t`.execute(trx)
  const [locked] = rows
  const letter = locked && (await findTouch(trx, locked.id))
  return letter && { ...locked, letter }
}

export type OwnWords = {
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
}

/**
 * Gives a locked letter words of its own, as if it had been written. The HTML is kept only as long as the text that belongs to
 * it. False if the person has no address.
 */
export async function giveWords(
  trx: Trx,
  letter: TouchRow,
  words: OwnWords & { text: string },
  /** What the template of the letter makes; empty if that makes none. */
  ofTemplate: string,
  now: Date,
): Promise<boolean> {
  const toAddress = letter.toAddress ?? (await findLetterAddress(trx, letter))
  if (toAddress === null) return false
  const html = words.text === letter.text ? letter.html : null
  const before = letter.place === 1 ? undefined : await findBefore(trx, letter)
  const made = words.subject === undefined ? letter.subject || ofTemplate : ''
  const subject = words.subject?.trim() || made || subjectOf(words.text, before?.subject ?? null)
  // An attempt that has read the letter finds it changed, even within the same millisecond.
  const isSame = letter.writtenAt?.getTime() === now.getTime()
  await trx
    .updateTable('touches')
    .set({
      subject,
      text: words.text,
      html: words.html ?? html,
      toAddress,
      writtenAt: isSame ? new Date(now.getTime() + 1) : now,
      // They follow no brief, so no edit of one makes them old.
      brief: null,
      ownWords: true,
      language: letter.language ?? before?.language ?? null,
      token: letter.token ?? randomBytes(24).toString('base64url'),
    })
    .where('id', '=', letter.id)
    .execute()
  return true
}

/** Lets a letter in review go, or keeps it from a review to come; a hold still holds it. */
export const agreeLetter = (trx: Trx, { id }: TouchRow) =>
  trx
    .updateTable('touches')
    .set({ ...queued, agreed: true })
    .where('id', '=', id)
    .execute()

/** Whatever kept the words of a letter in review counts no more; with `goes`, the agreement to its place lets it go. */
export const settleReview = (trx: Trx, { id }: TouchRow, goes: boolean) =>
  trx
    .updateTable('touches')
    .set(goes ? queued : { reason: null, missing: null })
    .where('id', '=', id)
    .where('state', '=', 'review')
    .execute()

const queued = {
  state: 'queued' as const,
  missing: null,
  reason: sql<string | null>`case when held_from is not null then 'held' end`,
}

/**
 * Fails a locked letter that is not to go. The one after a skipped second letter answers the first all the same, so it keeps its
 * turn. After a skipped first letter there is nothing to come back to: the person gets no more.
 */
export async function skipLetter(trx: Trx, letter: TouchRow, now: Date): Promise<void> {
  const { id, workspace, campaign, person, place, agent, timezone, connection, conversation } =
    letter
  await failTouches(trx, { id }, 'skipped', now)
  const weekdays = weekdaysBefore(3, letter)
  if (place !== 2 || weekdays === undefined) return
  const writer = await trx
    .selectFrom('agents')
    .select(sql<string | null>`hours ->> 'zone'`.as('zone'))
    .where('workspace', '=', workspace)
    .where('id', '=', agent)
    .executeTakeFirst()
  // Counted from when the skipped one would have gone.
  const from = letter.dueAt > now ? letter.dueAt : now
  const dueAt = addWeekdays(writer?.zone ?? timezone, from, weekdays)
  await trx
    .insertInto('touches')
    .values({
      ...{ id: newId('tch'), workspace, campaign, person, place: 3, state: 'queued' as const },
      ...{ dueAt, connection, conversation, createdAt: now },
    })
    .onConflict((oc) => oc.columns(['campaign', 'person', 'place']).doNothing())
    .execute()
}

/** The letter that the person had last. */
const findBefore = (trx: Trx, { campaign, person }: TouchRow) =>
  trx
    .selectFrom('touches')
    .select(['subject', 'language'])
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('state', '=', 'sent')
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The subject of the thread or, in a new one, the first line. */
const subjectOf = (text: string, before: string | null): string =>
  before ? replySubject(before) : cut(text.trim().split('\n', 1)[0]?.trim() ?? '', 100)
