import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { search, textsOf } from '../../../db/conversations/search.ts'
import { isTimeout } from '../../../db/database.ts'
import { findMerged } from '../../../db/people/people.ts'
import { nextDayIn } from '../../../rules/hours.ts'
import { dayStart } from '../../../rules/local-time.ts'
import { readQuery } from '../../../rules/search/query.ts'
import { searchKinds } from '../../../rules/search/searched.ts'
import { snippetOf } from '../../../rules/search/snippet.ts'
import { searching } from '../../http/call-limits.ts'
import { ApiError, unavailable } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { personId } from '../../shapes/person-ids.ts'
import {
  cursorOf,
  Day,
  iso,
  next,
  OwnId,
  Paging,
  QueryTimestamp,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

const When = z.union([QueryTimestamp, Day], {
  error: 'must be a timestamp with an offset, or a day as YYYY-MM-DD',
})

const Kind = z.enum(searchKinds)
const kinds = {
  message: 'a message, by its text without quotations, its subject and the names of its files',
  conversation: 'a conversation, by its subject',
  person: 'a person, by name, company and addresses',
  note: 'a note of a member, by its text',
}

const Result = z
  .object({
    kind: Kind.describe(withValues('What was found.', kinds)),
    id: OwnId,
    conversation: z
      .string()
      .nullable()
      .describe('The id of the conversation that it belongs to or is; null for a person.'),
    person: z.string().nullable().describe('The id of the person that it is about or is.'),
    at: z
      .string()
      .describe('When it was received or sent, written, begun, or added, depending on the kind.'),
    snippet: z
      .string()
      .describe('The text around the first match, on one line and at most 200 characters long.'),
    matches: z
      .array(z.array(z.int()).length(2))
      .describe(
        'Where the words stand in the snippet: the start and the end of each, counted in UTF-16 units as JavaScript counts; the end is behind the last one.',
      ),
  })
  .meta({ id: 'SearchResult' })

const named = (what: string) => z.string().max(255).optional().describe(what)

const Query = Paging.extend({
  q: z
    .string()
    .min(1)
    .max(200)
    .refine((q) => readQuery(q) !== undefined, { message: 'must have a word to look for' })
    .describe(
      'What to look for: words, all of which are there, the last one as a beginning; `"words in quotes"` in that order; `-word` for what is not there. Addresses and numbers are found whole and in part. Case and accents do not matter.',
    ),
  kind: z
    .array(Kind)
    .max(searchKinds.length)
    .optional()
    .describe(`${withValues('Only results of this kind; may be given several times.', kinds)}`),
  person: personId(z.string().max(255))
    .optional()
    .describe('Only what belongs to this person, by id.'),
  conversation: named('Only what belongs to this conversation, by id.'),
  owner: named(
    'Only what belongs to conversations of this member, by id; empty or `null` for those without an owner.',
  ),
  label: named('Only what belongs to conversations with this label, by its id or name.'),
  from: When.optional().describe('Only from this time on, or from the beginning of this day.'),
  to: When.optional().describe('Only before this time, or until the end of this day.'),
  has: z
    .enum(['files'])
    .optional()
    .describe(withValues('Only messages that have this.', { files: 'at least one file' })),
  order: z
    .enum(['newest', 'relevance'])
    .default('newest')
    .describe(
      withValues('The order of the results.', {
        newest: 'the newest first',
        relevance: 'the best of the newest 300 of each kind first',
      }),
    ),
})

export const routes = [
  read({
    path: '/search',
    operationId: 'search',
    summary: 'Find messages, people and notes',
    description:
      'Finds words in messages as their writers wrote them (without what they quote), in subjects, notes, names, addresses and names of files. What a suspect message says is not searched. For one page so many texts are looked at: a page may have few results or none, and more are behind `next` until that is null. At most two searches of a workspace run at once; one that takes longer than half a second is refused with 503: ask for more words, or for less with the filters.',
    scopes: ['inbox:read'],
    query: Query,
    response: z
      .object({ results: z.array(Result).describe('What was found, in order.'), next })
      .meta({ id: 'SearchResultList' }),
    async handler({ query }, { db, workspace }) {
      const asked = readQuery(query.q)
      if (!asked) throw new ApiError('invalid_query', 'q: must have a word to look for')
      const [rank, at, ref] = readCursor(query.cursor, 'number', 'time', 'text') ?? []
      const after = at !== undefined && ref !== undefined ? { rank: rank ?? 0, at, ref } : undefined
      const zone = workspace.timezone
      const instant = (when: string) => (when.includes('T') ? new Date(when) : dayStart(zone, when))
      const { from, to, owner } = query
      const named = query.person === undefined ? [] : [query.person]
      const merged = await findMerged(db, workspace.id, named)
      const filter = {
        ...{ kind: query.kind && [...new Set(query.kind)], label: query.label },
        conversation: query.conversation,
        // The id of a card that has become part of another one leads to that.
        person: query.person && (merged.get(query.person) ?? query.person),
        owner: owner === 'null' ? '' : owner,
        from: from === undefined ? undefined : instant(from),
        before:
          to === undefined
            ? undefined
            : to.includes('T')
              ? new Date(to)
              : nextDayIn(zone, dayStart(zone, to)),
        hasFiles: query.has === 'files',
      }
      const find = () => search(db, workspace.id, asked, filter, query.order, after, query.limit)
      const found = await searching(workspace.id, () => inTime(find))
      const next = found.next && cursorOf(found.next.rank, found.next.at, found.next.ref)
      const texts = await textsOf(db, workspace.id, found.hits)
      const results: z.infer<typeof Result>[] = []
      for (const [i, { kind, ref, conversation, at }] of found.hits.entries()) {
        // Long texts take a millisecond each: others have their turn in between.
        if (i % 10 === 9) await setImmediate()
        const { text = '', person = null } = texts.get(ref) ?? {}
        const shown = snippetOf(text, asked)
        results.push({ kind, id: ref, conversation, person, at: iso(at), ...shown })
      }
      return { results, next }
    },
  }),
]

async function inTime<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (isTimeout(error)) throw unavailable('ask for more words, or for less with the filters')
    throw error
  }
}
