import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { ApiError } from './errors.ts'

// Limits how many bytes of bodies are held at once. A body counts from its announcement until its call has been
// answered. Like the rates, this is counted by each API process for itself.

const mebibyte = 1024 * 1024
export const usualBodyLimit = mebibyte
/** Bodies up to this size count for their caller only: other callers cannot keep them out. */
const small = 64 * 1024
const mostOfCaller = 16 * mebibyte
/** The most bodies of one caller that are being received at the same time. */
const mostArriving = 256
const deadlineMs = 30_000
/** A body that may have files has more time the more of it has arrived, so that a slow line is enough: 4 Mbit/s. */
const withFiles = 16 * mebibyte
const slowestBytesPerMs = 500
// A large body waits, unread, until the caller's other bodies leave room. Refusing it at once would cost more, since
// callers try again.
const longestWaitMs = 25_000
const mostWaiting = 64
// How much of an unread body is read and discarded, so that most clients get to read the answer; then the connection
// is closed.
const drainLimit = 64 * mebibyte
const drainMs = 10_000
// How much is discarded in all, in turns of one piece per body: other calls are answered meanwhile.
const drainBytesPerMs = 16 * 1024
const usualPiece = 64 * 1024
// How long an answer may take to arrive when nothing is read.
const unreadMs = 2_000

type Waiter = { fits(): boolean; take(): void }
type Caller = { bytes: number; arriving: number; calls: number; waiting: Waiter[] }
const callers = new Map<string, Caller>()

/** What all callers of one kind may have open, apart from small bodies. */
type Pool = { bytes: number; most: number }
const ofTokens: Pool = { bytes: 0, most: 64 * mebibyte }
/** Bodies that bridges have proven to be theirs take nothing from the budget of tokens, and the reverse. */
export const ofBridges: Pool = { bytes: 0, most: 32 * mebibyte }

/** The share of one call, on its caller's account; `close` it when the call has been answered. */
export function openIntake(name: string, pool: Pool = ofTokens) {
  const caller = callers.get(name) ?? { bytes: 0, arriving: 0, calls: 0, waiting: [] }
  callers.set(name, caller)
  caller.calls++
  let held = 0
  let drawn = 0

  // A body larger than half of the budget is still accepted when little else is open.
  const fits = (size: number) =>
    caller.bytes - held + Math.min(size, mostOfCaller / 2) <= mostOfCaller

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
      const timer = setTimeout(take, longestWaitMs)
      request.once('close', left)
      waiting.push(waiter)
    })
  }

  function reserve(size: number) {
    if (size <= held) return
    if (!fits(size))
      throw tooMuch('rate_limited', 'Too many bodies of your other calls are still open.')
    const draws = size > small ? size : 0
    if (draws > 0 && pool.bytes - drawn + Math.min(draws, pool.most / 2) > pool.most)
      throw tooMuch(
        'unavailable',
        'Too much is being received at the moment: repeat with the same key.',
      )
    caller.bytes += size - held
    pool.bytes += draws - drawn
    held = size
    drawn = draws
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
      return await piecesOf(req, limit, counted, paceOf(limit))
    } finally {
      caller.arriving--
    }
  }

  /** The body as bytes; undefined when it is longer than `limit`. */
  async function read(ctx: Context, limit: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    const size = await receive(ctx, limit, (piece) => void pieces.push(piece))
    return size === undefined ? undefined : Buffer.concat(pieces)
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
    caller.bytes -= held
    pool.bytes -= drawn
    held = drawn = 0
    while (caller.waiting[0]?.fits()) caller.waiting[0].take()
    if (--caller.calls === 0) callers.delete(name)
  }

  return { receive, read, hold, close }
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

export const tookTooLong = (ms: number) =>
  new ApiError('request_timeout', `The body took more than ${Math.floor(ms / 1000)} s.`)

const brokenOff = () => new ApiError('malformed_request', 'The body broke off before its end.')

const paceOf = (limit: number): Pace => ({
  msUntil: (size) => deadlineMs + (limit > withFiles ? size / slowestBytesPerMs : 0),
})

type Pace = {
  /** The time, in milliseconds from the first one, by which more than `size` bytes must have arrived. */
  msUntil: (size: number) => number
  /** Ends the body before that time. */
  over?: { signal: AbortSignal; reason: () => ApiError }
}

/** Passes on a body piece by piece with the size so far, and answers the whole size; undefined when it is beyond `limit`. */
export function piecesOf(
  request: IncomingMessage,
  limit: number,
  take: (piece: Buffer, size: number) => void,
  { msUntil, over }: Pace = { msUntil: () => deadlineMs },
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const from = performance.now()
    let size = 0
    const stop = () => {
      clearTimeout(timer)
      over?.signal.removeEventListener('abort', onOver)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      request.pause()
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (piece: Buffer) => {
      size += piece.length
      try {
        if (size <= limit) {
          until = msUntil(size)
          return take(piece, size)
        }
        stop()
        resolve(undefined)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      stop()
      resolve(size)
    }
    const onClose = () => fail(brokenOff())
    const onOver = () => over && fail(over.reason())
    let until = msUntil(0)
    const wait = () => setTimeout(look, Math.max(1, until - (performance.now() - from)))
    const look = () => {
      const ms = performance.now() - from
      if (ms < until) timer = wait()
      else {
        fail(tookTooLong(ms))
      }
    }
    let timer = wait()
    over?.signal.addEventListener('abort', onOver, { once: true })
    request.on('data', onData).on('end', onEnd).on('close', onClose)
    // A body that broke off earlier sends no further event.
    if (request.destroyed && !request.complete) onClose()
  })
}

/**
 * Discards the rest of a body that nobody read for a while, so that its sender gets to read the answer, and then
 * closes the connection. Nothing is read from a caller that already sends too much (429, 503). If the answer itself
 * closes the connection, the answer waits for that: a client that is still sending might not see it.
 */
export async function letGo(request: IncomingMessage, response: ServerResponse) {
  if (request.complete || request.destroyed) return
  const isTooMuch = response.statusCode === 429 || response.statusCode === 503
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let left = drainLimit
  const goOn = (bytes: number) => inDrainTurn(bytes, () => request.resume())
  const giveUp = () => {
    resolve()
    if (response.shouldKeepAlive && !request.complete) request.socket.destroySoon()
  }
  const timer = setTimeout(giveUp, isTooMuch ? unreadMs : drainMs).unref()
  for (const event of ['end', 'close'])
    request.on(event, () => {
      clearTimeout(timer)
      resolve()
    })
  request.on('error', () => {})
  // Reading is started and then paused: otherwise Node reads the whole body by itself, as fast as it arrives, once
  // the answer is out. A read of nothing does not count as a start if data has already arrived.
  request.read()
  if (!isTooMuch) {
    request.on('data', (piece: Buffer) => {
      left -= piece.length
      if (left < 0) return giveUp()
      request.pause()
      goOn(piece.length)
    })
    request.pause()
    goOn(usualPiece)
  }
  if (!response.shouldKeepAlive) await over
}

// When the next piece may be discarded.
let nextDrain = 0

/** Limits the rate and not the number of bodies: calls when as many bytes may be read as another piece is likely to have. */
function inDrainTurn(bytes: number, go: () => void) {
  const now = performance.now()
  setTimeout(go, Math.max(0, nextDrain - now)).unref()
  nextDrain = Math.max(now, nextDrain) + bytes / drainBytesPerMs
}
