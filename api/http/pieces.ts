import type { IncomingMessage } from 'node:http'
import { openRate } from '../../process/limits/rate.ts'
import { ApiError } from './errors.ts'

// How a body arrives: piece by piece, in time, and at a bounded rate.

const mebibyte = 1024 * 1024
export const usualBodyLimit = mebibyte
/** A body that may have files has more time the more of it has arrived, so that a slow line is enough: 4 Mbit/s. */
const withFiles = 16 * mebibyte
const slowestBytesPerMs = 500
/**
 * What lies beyond the first megabyte of bodies is received at this rate by all callers together, so that taking in files leaves
 * most of the process, and of Postgres, to the other calls: 36 MB take a second and a half.
 */
const largeBytesPerMs = 24_000
const arrivals = openRate()
/** A pause that is shorter than this is made up for by the next one. */
const shortestPauseMs = 4

export const tookTooLong = (ms: number) =>
  new ApiError('request_timeout', `The body took more than ${Math.floor(ms / 1000)} s.`)

export const brokenOff = () =>
  new ApiError('malformed_request', 'The body broke off before its end.')

export const paceOf = (limit: number, bodyMs: number): Pace => ({
  msUntil: (size) => bodyMs + (limit > withFiles ? size / slowestBytesPerMs : 0),
})

type Pace = {
  /** The time, in milliseconds from the first one, by which more than `size` bytes must have arrived. */
  msUntil: (size: number) => number
  /** Ends the body before that time. */
  over?: { signal: AbortSignal; reason: () => ApiError }
}

/** In how many milliseconds the next piece may be read after one of `bytes`, with which `size` have arrived. */
const pauseAfter = (bytes: number, size: number) =>
  size > usualBodyLimit ? arrivals.next(bytes / largeBytesPerMs) : 0

/** Passes on a body piece by piece with the size so far, and answers the whole size; undefined when it is beyond `limit`. */
export function piecesOf(
  request: IncomingMessage,
  limit: number,
  take: (piece: Buffer, size: number) => void,
  { msUntil, over }: Pace,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const from = performance.now()
    let size = 0
    let paused = 0
    let resting: NodeJS.Timeout | undefined
    const stop = () => {
      clearTimeout(timer)
      clearTimeout(resting)
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
          until = msUntil(size) + paused
          take(piece, size)
          return rest(pauseAfter(piece.length, size))
        }
        stop()
        resolve(undefined)
      } catch (error) {
        fail(error)
      }
    }
    /** Reads on after `ms`. A pause does not count as the caller's time, however long it becomes. */
    const rest = (ms: number) => {
      if (ms < shortestPauseMs) return
      const since = performance.now()
      request.pause()
      resting = setTimeout(() => {
        resting = undefined
        const took = performance.now() - since
        paused += took
        until += took
        request.resume()
      }, ms)
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
      if (ms < until || resting) timer = wait()
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
