import { z } from 'zod'
import { readFilePieces } from '../../../db/conversations/files.ts'
import { findPage, listShowable } from '../../../db/conversations/messages.ts'
import type { Db } from '../../../db/database.ts'
import { makeSafe, type SafePage } from '../../../process/children/page.ts'
import { imageType } from '../../../rules/mail/html/image-type.ts'
import { ApiError, found, missing } from '../../http/errors.ts'
import { Page, type PageAnswer } from '../../http/page-answer.ts'
import { read } from '../../route.ts'
import { largestFiles } from '../../shapes/file.ts'
import { IdParams, withValues } from '../../shapes/shapes.ts'

// The HTML of a message, as a page that is safe to show.

// In standards mode, as mail programs show it.
const head = '<!doctype html>\n'

type Image = { id: string; type: string; size: number }
type Piece = string | Image

/**
 * The page in order. Images may have as many bytes as the files of a message, also if one is shown many times; those that do not
 * fit are left out.
 */
function piecesOf({ html, files }: SafePage, images: Image[]): Piece[] {
  let left = largestFiles
  return html.flatMap((text, at) => {
    const image = images[files[at] ?? -1]
    if (!image || image.size > left) return [text]
    left -= image.size
    return [text, image]
  })
}

const beginOf = ({ type }: Image) => `data:${type};base64,`
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

const sizeOf = (piece: Piece) =>
  typeof piece === 'string'
    ? Buffer.byteLength(piece)
    : beginOf(piece).length + base64Length(piece.size)

async function* stream(db: Db, pieces: Piece[]): AsyncGenerator<string> {
  for (const piece of pieces)
    if (typeof piece === 'string') yield piece
    else {
      yield beginOf(piece)
      yield* base64Of(readFilePieces(db, piece.id, 0, piece.size - 1))
    }
}

/** Three bytes become four letters, so what is left over is encoded with the next piece. */
async function* base64Of(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield bytes.toString('base64', 0, whole)
  }
  yield rest.toString('base64')
}

export const routes = [
  read({
    path: '/messages/{id}/html',
    summary: 'Read the HTML of a message',
    description:
      'As a page that is safe to show: without scripts, forms, frames and styles that load something, and under a `Content-Security-Policy` with `sandbox`. Inline images are part of it. It is 404 `not_found` where the message has no HTML, and 422 `unreadable_file` where the HTML is such that it cannot be made safe within a few seconds: the text says the same.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: z.strictObject({
      images: z
        .enum(['true', 'false'])
        .default('false')
        .describe(
          withValues('Whether images from the web are shown.', {
            true: 'they are shown, and their servers learn when and where the message is read',
            false: 'their alternative texts are shown in their place',
          }),
        ),
    }),
    response: Page,
    errors: ['unreadable_file'],
    async handler({ params, query }, { db, workspace }): Promise<PageAnswer> {
      const message = found(await findPage(db, workspace.id, params.id), 'message')
      if (message.html === null) throw missing('HTML of this message')
      const files = (await listShowable(db, workspace.id, message.id)).flatMap((file) => {
        const type = file.size > 0 ? imageType(file.type, file.head) : undefined
        return type === undefined ? [] : [{ ...file, type }]
      })
      const images = query.images === 'true'
      const named = files.map(({ cid, name }) => ({ cid, name }))
      const safe = await makeSafe({ html: message.html, images, files: named }, workspace.id)
      if (!safe)
        throw new ApiError(
          'unreadable_file',
          'The HTML of this message cannot be made safe within the limits of time and memory; its text says the same.',
        )
      const pieces = [head, ...piecesOf(safe, files)]
      const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
      return { size, images, pieces: () => stream(db, pieces) }
    },
  }),
]
