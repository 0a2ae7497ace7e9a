import type { FoundPerson } from '../../../db/segments/found-people.ts'

// The port that finds people beyond the contacts. The embedded finder searches the operator's prospects (prospects-finder.ts);
// FINDER_URL replaces it (http-finder.ts).

export type FindChannel = 'email' | 'professional_network'
/** Opaque to everyone but the finder that made them. They are shown to clients and come back unchanged. */
export type Filters = Record<string, unknown>

/**
 * The finder refuses the request, and asking again would not help. The text is shown to the caller, with the members of the
 * filters that it is about, if they are known.
 */
export type Refusal = { refused: string; problems?: FilterProblem[] }
/** `member` names it as a JSON pointer relative to the filters, e.g. `/jobTitle/0`. */
export type FilterProblem = { member: string; code: string; message: string }

export type Finder = {
  name: string
  /** The filters for the words (given filters win and stay as they are), and how many people fit them. */
  search(ask: {
    workspace: string
    channel: FindChannel
    words: string
    filters: Filters | null
  }): Promise<{ filters: Filters; count: number } | Refusal>
  /**
   * The next people after a cursor (null: from the first), at most `limit`; a returned cursor of null says that they are the
   * last.
   */
  people(ask: {
    workspace: string
    channel: FindChannel
    filters: Filters
    cursor: string | null
    limit: number
  }): Promise<{ people: FoundPerson[]; cursor: string | null } | Refusal>
}
