import { z } from 'zod'
import { findFile, listFiles, readFilePieces } from '../../../db/conversations/files.ts'
import { findMessage } from '../../../db/conversations/messages.ts'
import { countUntaken, insertUpload } from '../../../db/conversations/uploads.ts'
import { ApiError, found } from '../../http/errors.ts'
import { Bytes } from '../../http/file-answer.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { change, read } from '../../route.ts'
import {
  File,
  filesBodyLimit,
  largestFiles,
  NewFile,
  ReducedFile,
  tooManyBytes,
} from '../../shapes/file.ts'
import { IdParams, NoNext, readCursor, WholeList } from '../../shapes/shapes.ts'

/** What the files of a workspace that no message has taken may amount to; they go after a day. */
const mostUntaken = { files: 2_000, bytes: 2 * 1024 * 1024 * 1024 }

export const routes = [
  change({
    method: 'POST',
    path: '/files',
    operationId: 'uploadFile',
    summary: 'Upload a file',
    description:
      'For messages to attach by its id. It is deleted after a day unless a message has taken it.',
    scopes: ['inbox:write'],
    action: 'file.uploaded',
    body: NewFile,
    response: ReducedFile,
    bodyLimit: filesBodyLimit,
    errors: ['file_too_large', 'quota_exceeded'],
    check({ body }) {
      if (body.content.length > largestFiles) throw tooManyBytes('/content')
    },
    async handler({ body }, context) {
      const { db, workspace, clock, changed } = context
      const { files, bytes } = await countUntaken(db, workspace.id)
      if (files >= mostUntaken.files || bytes + body.content.length > mostUntaken.bytes)
        throw new ApiError(
          'rate_limited',
          'Too many uploaded files wait for a message: send or wait until they are deleted.',
          { headers: { 'Retry-After': '3600' } },
        )
      const file = await insertUpload(db, workspace.id, body, clock.now())
      await withinQuotas(context, { bytes: true })
      changed(file.id, undefined, { name: file.name, type: file.type, size: file.size })
      return file
    },
  }),
  read({
    path: '/messages/{id}/files',
    operationId: 'listAttachments',
    summary: 'List the files of a message',
    description: 'Inline images are among them.',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({
          files: z.array(ReducedFile).describe('All files of the message.'),
          next: NoNext,
        })
        .meta({ id: 'AttachmentList' }),
    },
    params: IdParams,
    query: WholeList,
    response: z
      .object({
        files: z.array(File).describe('All files of the message.'),
        next: NoNext,
      })
      .meta({ id: 'AttachmentList' }),
    handler: async ({ params, query }, { db, workspace }) => {
      readCursor(query.cursor)
      const message = found(await findMessage(db, workspace.id, params.id), 'message')
      return { files: await listFiles(db, workspace.id, message.id), next: null }
    },
  }),
  read({
    path: '/files/{id}',
    operationId: 'downloadFile',
    summary: 'Read a file',
    description:
      'As bytes: the whole file or the requested range. The header `Content-ID` has the name by which the HTML of its message refers to it.',
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
