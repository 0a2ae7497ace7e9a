import { newId } from '../../db/ids.ts'
import type { CampaignState } from '../../rules/campaign.ts'
import { givenCards } from './segments.ts'
import type { SharedService } from './service.ts'

/** A workspace with three people in a segment, and a complete campaign in a state. */
export async function givenCampaign(service: SharedService, state: CampaignState = 'draft') {
  const room = await givenCards(service, [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cem' }])
  const { db, clock } = service
  const segment = newId('seg')
  const now = clock.now()
  const row = { id: segment, workspace: room.workspace, name: 'S', query: 'q', rules: '[]' }
  await db
    .insertInto('segments')
    .values({ ...row, createdAt: now, updatedAt: now })
    .execute()
  const people = ['Ada', 'Ben', 'Cem'].map(room.idOf)
  await db
    .insertInto('segmentPeople')
    .values(people.map((person) => ({ segment, person, matches: true, version: 1, at: now })))
    .execute()
  const words = { name: 'Spring', goal: 'Book a demo' }
  const { body } = await room.call('POST', '/campaigns', { ...words, segment, agent: room.agent })
  const id: string = body.id
  if (state !== 'draft')
    await db.updateTable('campaigns').set({ state }).where('id', '=', id).execute()
  const letter = { campaign: id, subject: 'S', text: 'T', writtenAt: now }
  return {
    ...room,
    segment,
    id,
    read: async () => (await room.call('GET', `/campaigns/${id}`)).body,
    patch: (edit: object) => room.call('PATCH', `/campaigns/${id}`, edit),
    move: (to: string, options = {}) =>
      room.call('POST', `/campaigns/${id}/state`, { to }, options),
    letters: async (agreed: boolean) =>
      db
        .insertInto('campaignLetters')
        .values([1, 2, 3].map((place) => ({ ...letter, place, agreed })))
        .execute(),
    actions: async () =>
      (await room.call('GET', '/audit')).body.entries.map((e: { action: string }) => e.action),
  }
}
