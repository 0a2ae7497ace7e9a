import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { z } from 'zod'
import { isKnown } from './conditional.ts'
import { ApiError } from './errors.ts'

// The answer to a request for a file: whole, in part (RFC 9110, 14), or 304 if the client already has it (13.1).

type FileAnswer = {
  name: string
  /** As given by the sender of the file; not to be trusted. */
  type: string
  size: number
  /** The name by which the HTML of its message refers to it. */
  cid?: string | null
  /** Identifies this content, and never changes. */
  tag: string
  /** The bytes from `from` to `to`, inclusive, in pieces. */
  pieces(from: number, to: number): AsyncIterable<Buffer>
}

/** The response of a route that answers bytes instead of JSON. */
export const Bytes = z.custom<FileAnswer>()

/** Whether a route answers bytes. */
export const answersBytes = ({ response }: { response: z.ZodType }): boolean => response === Bytes

/** @throws ApiError range_not_satisfiable. */
export function answerFile(ctx: Context, file: FileAnswer) {
  const etag = `"${file.tag}"`
  const known = isKnown(ctx, etag)
  const range = known ? undefined : rangeOf(ctx, file.size, etag)
  ctx.set({
    ETag: etag,
    // The file never changes, but the right to read it is checked each time.
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  })
  if (known) {
    ctx.status = 304
    return
  }
  const { from, to } = range ?? { from: 0, to: file.size - 1 }
  ctx.status = range ? 206 : 200
  if (ctx.method !== 'HEAD') ctx.body = Readable.from(file.pieces(from, to), { objectMode: false })
  ctx.set({
    'Accept-Ranges': 'bytes',
    'Content-Length': String(to - from + 1),
    'Content-Type': typeOf(file.type),
    'Content-Disposition': dispositionOf(file.name),
    // A file that somebody sent us by mail must never run in our name, even if a browser shows it.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(file.cid && isVisible(file.cid) && { 'Content-ID': `<${file.cid}>` }),
    ...(range && { 'Content-Range': `bytes ${from}-${to}/${file.size}` }),
  })
}

/** A sender may give it any characters, and a header takes these. */
const isVisible = (cid: string) => /^[\x21-\x7e]{1,300}$/.test(cid)

/** The requested part; undefined means the whole file: without a range, with several, or with one that is not understood. */
function rangeOf(ctx: Context, size: number, etag: string) {
  const condition = ctx.get('if-range')
  if (condition !== '' && condition !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(ctx.get('range')) ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (from <= to) return { from, to }
  throw new ApiError('range_not_satisfiable', `The file holds ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const typeForm = new RegExp(
  `^${token}/${token}(?:\\s*;\\s*${token}=(?:${token}|"[^"\\\\\\x00-\\x1f\\x7f-\\uffff]*"))*$`,
)

/** A media type in the syntax of RFC 9110, or that of bytes of unknown content. */
const typeOf = (type: string) =>
  type.length <= 255 && typeForm.test(type.trim()) ? type.trim() : 'application/octet-stream'

/**
 * Always an attachment: nothing that was sent to us, least of all HTML and SVG, is shown as a page of ours. The name
 * is given in ASCII and, where that is not the full name, in UTF-8 too (RFC 6266, 8187).
 */
function dispositionOf(given: string) {
  // Names are not paths, and contain no invisible characters or marks that change the reading direction.
  const name = given.toWellFormed().replace(/[/\\]/g, '_').replace(unseen, '').trim() || 'file'
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["%]/g, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`
}

const unseen = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const extended = (text: string) =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

// The answer to a request for a page that a stranger wrote. It was made safe; its headers confine it in the browser all the same.

export type PageAnswer = {
  /** In bytes. */
  size: number
  pieces(): AsyncIterable<string | Buffer>
  /** Whether the page may load images from the web. */
  images: boolean
}

/** The response of a route that answers a page instead of JSON. */
export const Page = z.custom<PageAnswer>()

/** Whether a route answers a page. */
export const answersPage = ({ response }: { response: z.ZodType }): boolean => response === Page

export function answerPage(ctx: Context, page: PageAnswer) {
  const images = page.images ? 'data: https: http:' : 'data:'
  ctx.status = 200
  if (ctx.method !== 'HEAD') ctx.body = Readable.from(page.pieces(), { objectMode: false })
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(page.size),
    'Content-Security-Policy': `sandbox; default-src 'none'; img-src ${images}; style-src 'unsafe-inline'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private',
  })
}
