import type { IncomingMessage, ServerResponse } from 'node:http'
import { openRate } from '../../process/limits/rate.ts'
import { patience as usualPatience } from './patience.ts'

// What becomes of a body that nobody reads.

// How much of an unread body is read and discarded, so that most clients get to read the answer; then the connection
// is closed.
const drainLimit = 64 * 1024 * 1024
// How much is discarded in all, in turns of one piece per body: other calls are answered meanwhile.
const drainBytesPerMs = 16 * 1024
const usualPiece = 64 * 1024
// How long an answer may take to arrive when nothing is read.
const unreadMs = 2_000

/**
 * Discards the rest of a body that nobody read for a while, so that its sender gets to read the answer, and then
 * closes the connection. Nothing is read from a caller that already sends too much (429, 503). If the answer itself
 * closes the connection, the answer waits for that: a client that is still sending might not see it.
 */
export async function letGo(
  request: IncomingMessage,
  response: ServerResponse,
  { discardMs } = usualPatience,
) {
  if (request.complete || request.destroyed) return
  const isTooMuch = response.statusCode === 429 || response.statusCode === 503
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let left = drainLimit
  const goOn = (bytes: number) => inDrainTurn(bytes, () => request.resume())
  const giveUp = () => {
    resolve()
    if (response.shouldKeepAlive && !request.complete) request.socket.destroySoon()
  }
  const timer = setTimeout(giveUp, isTooMuch ? unreadMs : discardMs).unref()
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

const draining = openRate()

/** Limits the rate and not the number of bodies: calls when as many bytes may be read as another piece is likely to have. */
function inDrainTurn(bytes: number, go: () => void) {
  setTimeout(go, draining.next(bytes / drainBytesPerMs)).unref()
}
