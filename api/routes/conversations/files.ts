import { z } from 'zod'
import { findFile, listFiles, readFilePieces } from '../../../db/conversations/files.ts'
import { findMessage } from '../../../db/conversations/messages.ts'
import { found } from '../../http/errors.ts'
import { Bytes } from '../../http/file-answer.ts'
import { read } from '../../route.ts'
import { IdParams, NoNext, OwnId, readCursor, WholeList } from '../../shapes/shapes.ts'

const PlainFile = z.object({
  id: OwnId,
  name: z.string().describe('The name of the file, as its sender gave it.'),
  type: z.string().describe('The media type, as its sender gave it.'),
  size: z.number().describe('The size in bytes.'),
})

const File = PlainFile.extend({
  cid: z
    .string()
    .optional()
    .describe('The name by which the HTML of the message shows it; absent if it has none.'),
})

const listOf = <Shape extends z.ZodType>(file: Shape) =>
  z.object({ files: z.array(file).describe('All files of the message.'), next: NoNext })

export const routes = [
  read({
    path: '/messages/{id}/files',
    summary: 'List the files of a message',
    description: 'Inline images are among them.',
    scopes: ['inbox:read'],
    reduced: { response: listOf(PlainFile) },
    params: IdParams,
    query: WholeList,
    response: listOf(File),
    handler: async ({ params, query }, { db, workspace }) => {
      readCursor(query.cursor)
      const message = found(await findMessage(db, workspace.id, params.id), 'message')
      const files = await listFiles(db, workspace.id, message.id)
      return {
        files: files.map(({ cid, ...file }) => ({ ...file, ...(cid && { cid }) })),
        next: null,
      }
    },
  }),
  read({
    path: '/files/{id}',
    summary: 'Read a file',
    description: 'As bytes: the whole file or the requested range.',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: Bytes,
    errors: ['range_not_satisfiable'],
    handler: async ({ params }, { db, workspace }) => {
      const { id, ...file } = found(await findFile(db, workspace.id, params.id), 'file')
      // Files are written once and never changed, so the id also identifies the content.
      return { ...file, tag: id, pieces: (from, to) => readFilePieces(db, id, from, to) }
    },
  }),
]
