import type { Db } from '../../../db/database.ts'
import { listProspects } from '../../../db/people/prospects.ts'
import { readAddress } from '../../../rules/addresses.ts'
import { filtersOf, matcherOf, refusalOf } from './filters.ts'
import type { FindChannel, Finder } from './finder.ts'

// The embedded finder searches the prospects from the operator's file, page by page. It is good for some hundred thousand; with
// more, operators use a finder of their own.

const pageSize = 1000

export const prospectsFinder = (db: Db): Finder => ({
  name: 'the prospects of the workspace',

  async search({ workspace, channel, words, filters: given }) {
    const filters = given ?? filtersOf(words)
    const refusal = refusalOf(filters)
    if (refusal) return refusal
    let count = 0
    for await (const _ of fitting(db, workspace, channel, filters, '')) count++
    return { filters, count }
  },

  // One person more than asked for is searched, to know whether the page is the last.
  async people({ workspace, channel, filters, cursor, limit }) {
    const refusal = refusalOf(filters)
    if (refusal) return refusal
    const people = []
    let last: string | null = null
    for await (const { id, ...person } of fitting(db, workspace, channel, filters, cursor ?? '')) {
      if (people.length === limit) return { people, cursor: last }
      people.push(person)
      last = id
    }
    return { people, cursor: null }
  },
})

async function* fitting(
  db: Db,
  workspace: string,
  channel: FindChannel,
  filters: Record<string, unknown>,
  after: string,
) {
  const fits = matcherOf(filters)
  for (let from: string | undefined = after; from !== undefined; ) {
    const page = await listProspects(db, workspace, channel, from, pageSize)
    for (const person of page) {
      // The country is recognised by the phone number, in the form that cards have.
      const phone = readAddress('phone', person.phone)?.value ?? ''
      if (fits({ ...person, phone })) yield person
    }
    from = page.length === pageSize ? page.at(-1)?.id : undefined
  }
}
