import { z } from 'zod'
import { readFilePieces } from '../../../db/conversations/files.ts'
import type { Db } from '../../../db/database.ts'
import { type Exported, sections } from '../../../db/people/export.ts'
import { findPersonOrMerged } from '../../../db/people/people.ts'
import { found } from '../../http/errors.ts'
import { streamOf } from '../../http/stream-answer.ts'
import { read } from '../../route.ts'
import { PersonShape, presentPerson } from '../../shapes/people.ts'
import { PersonParams } from '../../shapes/person-ids.ts'
import { iso } from '../../shapes/shapes.ts'

const Rows = z.array(z.record(z.string(), z.unknown()))

const Export = z
  .object({
    exportedAt: z.string().describe('When the export was begun.'),
    person: PersonShape.describe('The card, as `GET /people/{id}` answers it.'),
    addresses: Rows.describe('The addresses, as they are compared and as they were given.'),
    tags: Rows.describe('The products they are or were tagged with.'),
    suppressions: Rows.describe('Why their addresses must not be written to.'),
    prospects: Rows.describe('What the operator’s list of prospects says of them.'),
    segments: Rows.describe('The segments that they were judged for, with the reasons.'),
    letters: Rows.describe('Letters of campaigns to them, whatever became of them.'),
    letterTests: Rows.describe('Letters to them that members had sent to themselves to look at.'),
    conversations: Rows.describe('Their conversations, with the names of the labels.'),
    messages: Rows.describe('The messages of these conversations, newest first, with their HTML.'),
    files: Rows.describe('The files of these messages; `content` is in base64.'),
    notes: Rows.describe('The notes that members wrote in these conversations.'),
    tasks: Rows.describe('The tasks that members gave to agents in these conversations.'),
    deals: Rows.describe('The deals in which they sell or buy.'),
    meetings: Rows.describe('The meetings that one of their addresses was invited to.'),
    imports: Rows.describe('The rows of imported files that led to their card.'),
    merged: Rows.describe('The cards that have become part of theirs.'),
    audit: Rows.describe('What calls changed in their card and in their conversations.'),
  })
  .meta({ id: 'PersonExport' })

export const routes = [
  read({
    path: '/people/{id}/export',
    operationId: 'exportPerson',
    summary: 'Read everything about a person',
    description:
      'Answers everything that is held about a person, such as for a request under Article 15 of the GDPR. It is written while it is read, and may be long: an answer that breaks off is no valid JSON. What changes meanwhile may be in it or not.',
    scopes: ['inbox:read'],
    params: PersonParams,
    response: streamOf(Export),
    handler: async ({ params }, { db, workspace, clock }) => {
      const { row } = found(await findPersonOrMerged(db, workspace.id, params.id), 'person')
      const person = await presentPerson(db, row, clock.now())
      const head = { exportedAt: iso(clock.now()), person }
      return { pieces: () => piecesOf(db, row, head) }
    },
  }),
]

/** The export as text, of which a page of rows is in memory at a time. */
async function* piecesOf(db: Db, person: Exported, head: object): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const { name, rows } of sections) {
    yield `,${JSON.stringify(name)}:[`
    let comma = ''
    for await (const row of rows(db, person)) {
      const text = comma + JSON.stringify(row)
      if (name === 'files') yield* withContent(db, text, row as { id: string; size: number })
      else yield text
      comma = ','
    }
    yield ']'
  }
  yield '}'
}

/** A file with its content, which is read as it is written. Base64 stands for three bytes at a time. */
async function* withContent(db: Db, text: string, { id, size }: { id: string; size: number }) {
  yield `${text.slice(0, -1)},"content":"`
  let rest = Buffer.alloc(0)
  for await (const piece of readFilePieces(db, id, 0, size - 1)) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  yield `${rest.toString('base64')}"}`
}
