import type { Db } from './database.ts'

/** What a writer is told for a campaign's letters: goal, company, product, rules, materials, signature. */
export async function findBrief(db: Db, campaignId: string) {
  const campaign = await db
    .selectFrom('campaigns')
    .innerJoin('workspaces', 'workspaces.id', 'campaigns.workspace')
    .select([
      'campaigns.goal',
      'campaigns.agent',
      'campaigns.addRules',
      'campaigns.materials',
      'campaigns.segment',
      'workspaces.houseRules',
      'workspaces.id as workspace',
    ])
    .where('campaigns.id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const agent = campaign.agent
    ? await db.selectFrom('agents').selectAll().where('id', '=', campaign.agent).executeTakeFirst()
    : undefined
  const [company, product, first] = await Promise.all([
    agent?.company
      ? db
          .selectFrom('companies')
          .select(['name', 'pitch'])
          .where('id', '=', agent.company)
          .executeTakeFirst()
      : undefined,
    agent?.labels[0]
      ? db
          .selectFrom('products')
          .select(['name', 'description'])
          .where('id', '=', agent.labels[0])
          .executeTakeFirst()
      : undefined,
    db
      .selectFrom('campaignLetters')
      .select('subject')
      .where('campaign', '=', campaignId)
      .where('place', '=', 1)
      .executeTakeFirst(),
  ])
  return {
    goal: campaign.goal || (agent?.goal ?? ''),
    company: company ?? null,
    product: product ?? null,
    rules: [
      campaign.houseRules,
      agent?.rules ?? '',
      agent?.knowledge ?? '',
      ...campaign.addRules,
    ].filter(Boolean),
    materials: campaign.materials.map(({ title, text }) => ({
      title: title ?? '',
      text: text ?? '',
    })),
    signature: agent?.name ?? '',
    firstSubject: first?.subject ?? null,
    segment: campaign.segment,
  }
}

/** Somebody of the segment, to write an example letter to. */
export const findExamplePerson = async (db: Db, segment: string | null) =>
  segment === null
    ? null
    : ((await db
        .selectFrom('segmentPeople')
        .innerJoin('people', 'people.id', 'segmentPeople.person')
        .select(['people.name', 'people.jobTitle', 'people.company'])
        .where('segmentPeople.segment', '=', segment)
        .where((eb) => eb.or([eb('matches', '=', true), eb('byHand', '=', true)]))
        .orderBy('people.id')
        .limit(1)
        .executeTakeFirst()) ?? null)

export const findWrittenPerson = (db: Db, person: string) =>
  db
    .selectFrom('people')
    .select(['name', 'jobTitle', 'company'])
    .where('id', '=', person)
    .executeTakeFirstOrThrow()

/** The letter of a person that was sent before this place: what a follow-up answers. */
export const findLetterBefore = (db: Db, campaign: string, person: string, place: number) =>
  db
    .selectFrom('touches')
    .select(['subject', 'messageId', 'place'])
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('place', '<', place)
    .where('state', '=', 'sent')
    .orderBy('place')
    .execute()
