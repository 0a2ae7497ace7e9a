import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { z } from 'zod'

// The answer to a request for a page that a stranger wrote. It was made safe, and the browser is told not to believe that.

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
