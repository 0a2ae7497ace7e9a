import { type RawBuilder, sql } from 'kysely'
import type { Eraser, Sought } from '../../rules/people/erased-words.ts'
import type { Trx } from '../database.ts'

// What the steps of an erasure share. A step does a page of its work in a transaction, and says where the next one goes on.

export type Work = {
  trx: Trx
  workspace: string
  operation: string
  sought: Sought
  eraser: Eraser
  now: Date
}

/** Where the step goes on; `wait` that it cannot yet; undefined that it is done. `names` are further names to look for. */
export type Page = { after: unknown; names?: string[] } | 'wait' | undefined
export type Step = (work: Work, after: unknown) => Promise<Page>

/** For a query: whether an id is that of something which belongs to them. */
export const isAboutThem = (
  { workspace, sought: { people } }: Work,
  id: RawBuilder<unknown>,
) => sql<boolean>`
  (${id} = any(${people}::text[])
    or exists (select from conversations c
      where c.id = ${id} and c.workspace = ${workspace} and c.person = any(${people}::text[]))
    or exists (select from messages m join conversations c on c.id = m.conversation
      where m.id = ${id} and m.workspace = ${workspace} and c.person = any(${people}::text[]))
    or exists (select from tasks t join conversations c on c.id = t.conversation
      where t.id = ${id} and t.workspace = ${workspace} and c.person = any(${people}::text[]))
    or exists (select from touches t
      where t.id = ${id} and t.workspace = ${workspace} and t.person = any(${people}::text[])))`

/** Patterns of `like` that find their addresses in a text in small letters. */
export const patternsOf = ({ sought }: Work): string[] => [
  ...new Set(
    sought.addresses.flatMap(({ value, given }) =>
      [value, given, value.replace('@', '%40')].map(
        (form) => `%${form.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`,
      ),
    ),
  ),
]

const readableType = /^(?:text\/|message\/|application\/(?:json|xml|ics|calendar))/i
const longestReadable = 2 * 1024 * 1024

/** Files, without their addresses and names; content that is no text stays as it is. */
export async function eraseInFiles(
  { trx, workspace, eraser }: Work,
  files: { id: string; name: string; type: string; size: number }[],
) {
  for (const { id, type, size, ...file } of files) {
    const name = eraser.text(file.name)
    const isReadable = readableType.test(type) && size <= longestReadable
    const content = isReadable ? await contentOf(trx, workspace, id) : undefined
    const text = content?.toString('utf8')
    const kept = text !== undefined && eraser.has(text) ? Buffer.from(eraser.text(text)) : undefined
    if (name === file.name && !kept) continue
    await trx
      .updateTable('files')
      .set({ name, ...(kept && { content: kept, size: kept.length }) })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute()
  }
}

const contentOf = async (trx: Trx, workspace: string, id: string) =>
  (
    await trx
      .selectFrom('files')
      .select('content')
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.content
