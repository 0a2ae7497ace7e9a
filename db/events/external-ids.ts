import { sql } from 'kysely'

// The id that the caller's own system gave the person whom an event is about. It is read with the event and not kept in it: so it is the
// one that the card has now, it goes when the person is erased, and recording an event costs nothing more.

const conversation = sql`coalesce(events.data ->> 'conversation',
  case when events.kind like 'conversation.%' then events.resource end,
  case when events.kind like 'message.%' then (
    select m.conversation from messages m where m.workspace = events.workspace and m.id = events.resource) end)`

const person = sql`coalesce(case when events.kind like 'person.%' then events.resource end, events.data ->> 'person', (
  select c.person from conversations c where c.workspace = events.workspace and c.id = ${conversation}))`

/** For a query of `events`: the external id of their person; null if they have none, or are about nobody. */
export const externalId = sql<string | null>`(
  select p.external_id from people p where p.workspace = events.workspace and p.id = ${person})`

/** The data of an event as readers get it. */
export const dataWith = (row: { data: Record<string, unknown>; externalId: string | null }) => ({
  ...row.data,
  ...(row.externalId !== null && { externalId: row.externalId }),
})
