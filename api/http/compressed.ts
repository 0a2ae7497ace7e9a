import { type PipelineSource, pipeline, type Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'
import type { Context } from 'koa'
import { isKnown, taggedAs, tagOf } from './conditional.ts'

// Answers in fewer bytes, by Accept-Encoding (RFC 9110, 12.5.3), made by the threads of zlib. Which answers may be, their routes say:
// one that holds a secret is never compressed, since its length would tell of the secret to whoever can choose some of its text.

type Coding = 'gzip' | 'zstd'

/** An answer that is shorter gains nothing. */
const least = 1024
// As short as gzip by default, in half the time.
const quick = { level: 3 }

const shorten: Record<Coding, (body: Buffer, isKept: boolean) => Promise<Buffer>> = {
  gzip: (body, isKept) => promisify(gzip)(body, isKept ? { level: 9 } : quick),
  zstd: (body, isKept) =>
    promisify(zstdCompress)(
      body,
      isKept ? { params: { [constants.ZSTD_c_compressionLevel]: 15 } } : {},
    ),
}

const shortening: Record<Coding, () => Transform> = {
  gzip: () => createGzip(quick),
  zstd: () => createZstdCompress(),
}

/** The coding that a client prefers; undefined for none. zstd counts only where it is named. */
export function codingOf(header: string): Coding | undefined {
  const weights = new Map(
    header.split(',').map((one): [string, number] => {
      const [name = '', ...more] = one.split(';').map((part) => part.trim().toLowerCase())
      const weight = more.find((part) => part.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight) || 0]
    }),
  )
  const zstd = weights.get('zstd') ?? 0
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  const most = Math.max(zstd, gzip)
  if (most === 0 || most < (weights.get('identity') ?? 0)) return undefined
  return zstd === most ? 'zstd' : 'gzip'
}

function encoded(ctx: Context, coding: Coding, body: Buffer | Transform) {
  const tag = ctx.response.get('ETag')
  ctx.remove('Content-Length')
  ctx.body = body
  ctx.set('Content-Encoding', coding)
  if (tag) ctx.set('ETag', taggedAs(tag, coding))
}

/** Compresses an answer that may be, if its client takes that. */
export async function compress(ctx: Context) {
  ctx.vary('Accept-Encoding')
  const coding = codingOf(ctx.get('accept-encoding'))
  if (!coding || ctx.method === 'HEAD') return
  if (ctx.status === 304) return tagAsKnown(ctx, coding)
  const { body } = ctx
  if (typeof body === 'string') {
    const bytes = Buffer.from(body)
    if (bytes.length >= least) encoded(ctx, coding, await shorten[coding](bytes, false))
  } else if (isStream(body) && !(Number(ctx.response.get('Content-Length') || least) < least)) {
    const shorter = shortening[coding]()
    // Koa hears of an error from what it sends.
    body.removeAllListeners('error')
    pipeline(body as PipelineSource<unknown>, shorter, () => {})
    encoded(ctx, coding, shorter)
  }
}

const isStream = (body: unknown): body is Readable =>
  typeof body === 'object' && body !== null && 'pipe' in body

/** A client that has the compressed form is told of that one. */
function tagAsKnown(ctx: Context, coding: Coding) {
  const tag = taggedAs(ctx.response.get('ETag'), coding)
  if (ctx.get('if-none-match').includes(tag)) ctx.set('ETag', tag)
}

/** A text that is made once, in each of its forms. */
export type Kept = { plain: Buffer; tag: string } & Record<Coding, Buffer>

export async function kept(text: string): Promise<Kept> {
  const plain = Buffer.from(text)
  const [gzip, zstd] = await Promise.all([shorten.gzip(plain, true), shorten.zstd(plain, true)])
  return { plain, tag: tagOf(plain), gzip, zstd }
}

/** Answers it, or 304 to a client that has it. The headers of the answer are set before. */
export function answerKept(ctx: Context, { plain, tag, ...forms }: Kept) {
  ctx.vary('Accept-Encoding')
  const coding = plain.length < least ? undefined : codingOf(ctx.get('accept-encoding'))
  ctx.set('ETag', tag)
  if (isKnown(ctx, tag)) {
    ctx.status = 304
    if (coding) tagAsKnown(ctx, coding)
  } else if (coding) encoded(ctx, coding, forms[coding])
  else ctx.body = plain
}
