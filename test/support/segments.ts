import { newId } from '../../db/ids.ts'
import type { CampaignState } from '../../rules/campaign.ts'
import type { SharedService } from './service.ts'

export type Card = {
  name: string
  city?: string
  jobTitle?: string
  company?: string
  email?: string
}

/** Three people of whom two are sales directors and two are in Berlin. */
export const three: Card[] = [
  { name: 'Ada', city: 'Berlin', jobTitle: 'Sales Director' },
  { name: 'Ben', city: 'Munich', jobTitle: 'Sales Directors of all' },
  { name: 'Cem', city: 'Berlin', jobTitle: 'Cook' },
]

/** A workspace of the test's own that knows these people; `idOf` finds one by name. */
export async function givenCards(service: SharedService, cards: Card[]) {
  const { db, clock } = service
  const given = await service.workspace()
  const workspace = given.id
  const ids = new Map<string, string>()

  async function add({ email, ...fields }: Card) {
    const id = newId('per')
    const now = clock.now()
    const blank = { city: '', jobTitle: '', company: '', createdAt: now, updatedAt: now }
    await db
      .insertInto('people')
      .values({ ...blank, ...fields, id, workspace })
      .execute()
    const value = email ?? `${id}@client.example`
    await db
      .insertInto('addresses')
      .values({ workspace, kind: 'email', value, given: value, person: id, position: 0 })
      .execute()
    ids.set(fields.name, id)
    return id
  }
  for (const card of cards) await add(card)

  return {
    ...given,
    workspace,
    add,
    idOf: (name: string) => ids.get(name) as string,
    /** A campaign on a segment; a running one has the runner `<workspace>:run`. */
    async campaignOn(segment: string, state: CampaignState) {
      const id = newId('cmp')
      const now = clock.now()
      const runner = state === 'running' ? `${workspace}:run` : null
      await db
        .insertInto('campaigns')
        .values({
          id,
          workspace,
          name: 'C',
          goal: '',
          state,
          segment,
          runner,
          createdAt: now,
          updatedAt: now,
        })
        .execute()
      return id
    },
    /** What was signalled to the runner of this workspace. */
    async signals() {
      const rows = await db
        .selectFrom('outbox')
        .select('signal')
        .where('workflowId', '=', `${workspace}:run`)
        .execute()
      return rows.map(({ signal }) => signal)
    },
  }
}
