import { z } from 'zod'
import { findFile, listFiles, readFilePieces } from '../../db/files.ts'
import { findMessage } from '../../db/messages.ts'
import { found } from '../errors.ts'
import { Bytes } from '../file-answer.ts'
import { read } from '../route.ts'
import { IdParams, next, Paging, readCursor } from '../shapes.ts'

const File = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number() })

export const routes = [
  read({
    path: '/messages/{id}/files',
    summary: 'The files attached to a message',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    query: Paging,
    response: z.object({ files: z.array(File), next }),
    handler: async ({ params, query }, { db, workspace }) => {
      readCursor(query.cursor)
      const message = found(await findMessage(db, workspace.id, params.id), 'message')
      return { files: await listFiles(db, workspace.id, message.id), next: null }
    },
  }),
  read({
    path: '/files/{id}',
    summary: 'A file as bytes, whole or the range asked for',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: Bytes,
    errors: ['range_not_satisfiable'],
    handler: async ({ params }, { db, workspace }) => {
      const { id, ...file } = found(await findFile(db, workspace.id, params.id), 'file')
      // Files are written once and never changed, so the id names the content too.
      return { ...file, tag: id, pieces: (from, to) => readFilePieces(db, id, from, to) }
    },
  }),
]
