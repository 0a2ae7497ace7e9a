import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { showLimit } from '../../process/limits/metric.ts'
import { ApiError } from './errors.ts'
import { type Patience, patience as usualPatience } from './patience.ts'
import { brokenOff, paceOf, piecesOf } from './pieces.ts'

// Limits how many bytes of bodies are held at once. A body counts from its announcement until its call has been
// answered. Like the rates, this is counted by each API process for itself.

const mebibyte = 1024 * 1024
/** Bodies up to this size count for their caller only: other callers cannot keep them out. */
const small = 64 * 1024
const mostOfCaller = 16 * mebibyte
/** Longer bodies of tokens have files. A caller has one of them at a time, which leaves half of the room to its other calls. */
const large = mostOfCaller / 2
/** The most bodies of one caller that are being received at the same time. */
const mostArriving = 256
const mostWaiting = 64

type Waiter = { fits(): boolean; take(): void }
type Caller = { bytes: number; large: number; arriving: number; calls: number; waiting: Waiter[] }
const callers = new Map<string, Caller>()
const nothingOpen = (): Caller => ({ bytes: 0, large: 0, arriving: 0, calls: 0, waiting: [] })

/** What all callers of one kind may have open, apart from small bodies. */
type Pool = { bytes: number; most: number }
const ofTokens: Pool = { bytes: 0, most: 64 * mebibyte }
/** Of large bodies, which come slowly: they keep out no others. */
const ofFiles: Pool = { bytes: 0, most: 128 * mebibyte }
/** Bodies that bridges have proven to be theirs take nothing from the budget of tokens, and the reverse. */
export const ofBridges: Pool = { bytes: 0, most: 32 * mebibyte }

// Not of process/limits/places.ts: a body takes more room while it arrives, and may not wait for that.
showLimit('body_bytes', {
  inHand: () => ofTokens.bytes + ofFiles.bytes + ofBridges.bytes,
  waiting: () => [...callers.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
})

/** The share of one call, on its caller's account; `close` it when the call has been answered. */
export function openIntake(
  name: string,
  {
    pool = ofTokens,
    patience = usualPatience,
  }: { pool?: Pool; patience?: Patience | undefined } = {},
) {
  const caller = callers.get(name) ?? nothingOpen()
  callers.set(name, caller)
  caller.calls++
  let held = 0
  let drawn = 0
  let drawnFrom = pool

  const isLarge = (size: number) => pool === ofTokens && size > large
  /** What a body takes of its caller's room. */
  const shareOf = (size: number) => (isLarge(size) ? large : size)
  // A body larger than half of the budget is still accepted when little else is open.
  const fits = (size: number) =>
    caller.bytes - shareOf(held) + Math.min(size, large) <= mostOfCaller &&
    !(isLarge(size) && !isLarge(held) && caller.large > 0)

  /** Takes room for a large body once the caller's earlier bodies leave it; refuses after a long wait. */
  function takeRoom(request: IncomingMessage, size: number): void | Promise<void> {
    const { waiting } = caller
    if (waiting.length >= mostWaiting || (waiting.length === 0 && fits(size))) return reserve(size)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        request.off('close', left)
        waiting.splice(waiting.indexOf(waiter), 1)
      }
      const take = () => {
        leave()
        try {
          resolve(reserve(size))
        } catch (error) {
          reject(error)
        }
      }
      const left = () => {
        leave()
        reject(brokenOff())
      }
      const waiter = { fits: () => fits(size), take }
      const timer = setTimeout(take, patience.roomMs)
      request.once('close', left)
      waiting.push(waiter)
    })
  }

  function reserve(size: number) {
    if (size <= held) return
    if (!fits(size))
      throw tooMuch('rate_limited', 'Too many bodies of your other calls are still open.')
    const draws = size > small ? size : 0
    const from = isLarge(size) ? ofFiles : pool
    const others = from.bytes - (from === drawnFrom ? drawn : 0)
    if (draws > 0 && others + Math.min(draws, from.most / 2) > from.most)
      throw tooMuch(
        'unavailable',
        'Too much is being received at the moment: repeat with the same key.',
      )
    hand(size, draws, from)
  }

  function hand(size: number, draws: number, from: Pool) {
    caller.bytes += shareOf(size) - shareOf(held)
    caller.large += Number(isLarge(size)) - Number(isLarge(held))
    drawnFrom.bytes -= drawn
    from.bytes += draws
    held = size
    drawn = draws
    drawnFrom = from
  }

  /**
   * Passes on the body piece by piece and answers its length; undefined when it is longer than `limit`.
   * @throws ApiError rate_limited, unavailable, request_timeout, malformed_request; the rest of the body is not read
   * then.
   */
  async function receive(
    { req, res }: Context,
    limit: number,
    take: (piece: Buffer) => void,
  ): Promise<number | undefined> {
    const announced = announcedBy(req)
    if (announced !== undefined && announced > limit) return undefined
    if (caller.arriving >= mostArriving)
      throw tooMuch('rate_limited', 'Too many of your bodies are being received.')
    if (announced !== undefined && announced > small) await takeRoom(req, announced)
    else reserve(announced ?? 0)
    if (req.headers.expect === '100-continue') res.writeContinue()
    caller.arriving++
    try {
      const counted = (piece: Buffer, size: number) => {
        reserve(size)
        take(piece)
      }
      return await piecesOf(req, limit, counted, paceOf(limit, patience.bodyMs))
    } finally {
      caller.arriving--
    }
  }

  /** The body as bytes; undefined when it is longer than `limit`. */
  async function read(ctx: Context, limit: number): Promise<Buffer | undefined> {
    const room = roomFor(announcedBy(ctx.req))
    const size = await receive(ctx, limit, room.add)
    return size === undefined ? undefined : room.bytes()
  }

  /**
   * Takes over a body that has already been received.
   * @throws ApiError rate_limited, unavailable.
   */
  function hold(size: number) {
    if (caller.calls > mostArriving)
      throw tooMuch('rate_limited', 'Too many of your bodies are still open.')
    reserve(size)
  }

  function close() {
    hand(0, 0, pool)
    while (caller.waiting[0]?.fits()) caller.waiting[0].take()
    if (--caller.calls === 0) callers.delete(name)
  }

  return { receive, read, hold, close }
}

/** Joins pieces as they arrive: to join tens of megabytes at their end would hold up everybody. */
function roomFor(announced = 0) {
  let room: Buffer = Buffer.alloc(0)
  let size = 0
  return {
    add(piece: Buffer) {
      const needed = size + piece.length
      if (needed > room.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(announced, needed, 2 * room.length))
        room.copy(larger, 0, 0, size)
        room = larger
      }
      piece.copy(room, size)
      size = needed
    },
    bytes: () => room.subarray(0, size),
  }
}

export const tooMuch = (code: 'rate_limited' | 'unavailable', message: string) =>
  new ApiError(code, message, { headers: { 'Retry-After': '1' } })

/** The announced length of a body; undefined if it comes in chunks. */
export function announcedBy({ headers }: IncomingMessage): number | undefined {
  return headers['transfer-encoding'] ? undefined : Number(headers['content-length'] ?? 0)
}

/** Whether the announced body is so short that holding it costs next to nothing. */
export const isSmall = (request: IncomingMessage): boolean =>
  (announcedBy(request) ?? Number.POSITIVE_INFINITY) <= small

export const tooLarge = (code: 'body_too_large' | 'file_too_large', limit: number) =>
  new ApiError(code, `The body is larger than ${limit} bytes.`)
