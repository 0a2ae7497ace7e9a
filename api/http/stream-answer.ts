import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { z } from 'zod'

// An answer in JSON that is too large to be in memory as a whole: it is written as it is read.

export type StreamAnswer = { pieces(): AsyncIterable<string> }

const streamed = new WeakSet<z.ZodType>()

/** The response of a route that writes its JSON piece by piece; the shape describes it, and the answer is not checked against it. */
export function streamOf<S extends z.ZodType>(shape: S): z.ZodType<z.output<S>, StreamAnswer> {
  streamed.add(shape)
  return shape as unknown as z.ZodType<z.output<S>, StreamAnswer>
}

/** Whether a route writes its answer piece by piece. */
export const answersStream = ({ response }: { response: z.ZodType }): boolean =>
  streamed.has(response)

export function answerStream(ctx: Context, { pieces }: StreamAnswer) {
  ctx.status = 200
  if (ctx.method !== 'HEAD') ctx.body = Readable.from(pieces(), { objectMode: false })
  ctx.set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private' })
}
