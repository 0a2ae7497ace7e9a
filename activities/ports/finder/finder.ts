import type { FoundPerson } from '../../../db/segments/found-people.ts'

// The port of what finds people beyond the contacts. The embedded one looks through the operator's prospects
// (prospects-finder.ts); FINDER_URL puts another one in its place (http-finder.ts).

export type FindChannel = 'email' | 'professional_network'
/** Opaque to everyone but the finder that made them; they are shown to clients and come back unchanged. */
export type Filters = Record<string, unknown>

/**
 * The finder does not take what is asked, and asking again would not help. The text is shown to the caller, with the members of
 * the filters that it is about where they are known.
 */
export type Refusal = { refused: string; problems?: FilterProblem[] }
/** `member` names it as a JSON pointer below the filters does, e.g. `/jobTitle/0`. */
export type FilterProblem = { member: string; code: string; message: string }

export type Finder = {
  name: string
  /** What the words ask for as filters (given ones win and stay as they are), and how many people fit them. */
  search(ask: {
    workspace: string
    channel: FindChannel
    words: string
    filters: Filters | null
  }): Promise<{ filters: Filters; count: number } | Refusal>
  /** The next at most `limit` people behind a cursor (null: from the first); a cursor of null says that they are the last. */
  people(ask: {
    workspace: string
    channel: FindChannel
    filters: Filters
    cursor: string | null
    limit: number
  }): Promise<{ people: FoundPerson[]; cursor: string | null } | Refusal>
}
