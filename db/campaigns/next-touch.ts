import { type RawBuilder, sql } from 'kysely'
import { compiledPerShape } from '../compiled.ts'
import type { Db } from '../database.ts'
import { instructionsAbout } from './briefs.ts'
import { goesAt, letterAddress, touchRows } from './touches.ts'

// Which letter of a campaign goes next, and through which accounts.

/** Those of some accounts that may send a letter of this place: no follow-up where an answer may lie unread. */
export const allowedFor = (place: number, accounts: string[], behind: string[]): string[] =>
  place === 1 ? accounts : accounts.filter((id) => !behind.includes(id))

/** Which letters of a campaign may go now, and through which accounts. */
export type Free = {
  campaign: string
  /** The places that are agreed; at the others, a letter may go whose own text is agreed. */
  agreed: number[]
  connections: string[]
  behind: string[]
  now: Date
  /** Only letters whose text is written. */
  written?: boolean
}

/**
 * The next due letter, with an agreed place or an agreed text, that one of these accounts may send. Follow-ups come first, so
 * that they keep their day, unless their account is `behind`; among equals, the letter that has been due longest.
 */
function nextTouch({ campaign, agreed, first, following, now, written }: Sought) {
  // One index probe for each account and one for letters that are not bound to any, however long the queue is. The limit takes
  // nothing away: with it, Postgres expects so few accounts that it keeps one plan, and does not plan again for every letter.
  const due = [3, 2, 1].map((place) => {
    const accounts = place === 1 ? first : following
    return sql`
      select t.id, t.goes_at, ${place}::int as place
      from (select unnest(${accounts}::text[]) as id limit cardinality(${accounts}::text[])) account
      cross join lateral (
        select id, ${goesAt} as goes_at from touches
        where campaign = ${campaign} and place = ${place} and state = 'queued'
          and coalesce(connection, '') = account.id and ${goesAt} <= ${now}
          ${agreed.includes(place) ? sql`` : sql`and agreed`} ${written ? sql`and text is not null` : sql``}
        order by ${goesAt}, id limit 1) t`
  })
  return sql<string>`(select id from (${sql.join(due, sql` union all `)}) due order by place desc, goes_at, id limit 1)`
}

type Sought = Pick<Free, 'campaign' | 'agreed' | 'now'> & {
  /** The accounts that first letters may go through, and follow-ups; '' stands for letters that are bound to none. */
  first: string[]
  following: string[]
  written: boolean
}

function soughtBy({ campaign, agreed, connections, behind, now, written = false }: Free): Sought {
  const allowed = allowedFor(2, connections, behind)
  const following = allowed.length > 0 ? ['', ...allowed] : []
  return { campaign, agreed, now, first: ['', ...connections], following, written }
}

/** The next letter, with everything that it takes to write it and to hand it over. */
export async function readNextTouch(db: Db, free: Free): Promise<NextTouch | undefined> {
  const { agreed, written, ...values } = soughtBy(free)
  const shape = `${agreed.toSorted().join()}${written ? ' written' : ''}`
  return (await nextTouchOf(db, values, shape)).at(0)
}

const nextTouchOf = compiledPerShape(
  (db, values: Omit<Sought, 'agreed' | 'written'>, shape: string) => {
    const agreed = [1, 2, 3].filter((place) => shape.includes(String(place)))
    const written = shape.endsWith('written')
    return nextTouchRows(db, nextTouch({ ...values, agreed, written })).compile()
  },
)

const nextTouchRows = (db: Db, id: RawBuilder<string>) =>
  touchRows(db)
    .select([
      'people.heldUntil',
      'people.heldWhy',
      'people.jobTitle',
      'people.company',
      'people.city',
      'people.fields',
      letterAddress(sql.ref('touches.person'), sql.ref('touches.toAddress')).as('address'),
      sql<string[]>`case when touches.text is null
        then array(${instructionsAbout(sql.ref('touches.person'))}) else '{}' end`.as(
        'instructions',
      ),
    ])
    .where('touches.id', '=', id)

export type NextTouch = Awaited<
  ReturnType<ReturnType<typeof nextTouchRows>['executeTakeFirstOrThrow']>
>
