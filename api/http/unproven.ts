import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Context } from 'koa'
import { showLimit } from '../../process/limits/metric.ts'
import { announcedBy, tooMuch } from './intake.ts'
import { type Patience, patience as usualPatience } from './patience.ts'
import { piecesOf } from './pieces.ts'

// Bodies whose sender is unknown until they have been read completely. Only the bytes that have arrived count, not
// those announced, and nothing counts for the connection that is named, since anybody may name one. When there is no
// room for more, the body that has been arriving for longest is given up, not the new one: an honest body is complete
// within moments. Like all budgets of bodies, this is kept by each API process for itself.

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** Bodies up to this size have a budget from which larger ones take nothing. */
const usual = mebibyte
// The cost of an open call, however little of its body has arrived.
const costOfCall = 16 * kibibyte

type Body = { sender: string; bytes: number; place: number; giveWay: () => void }

const usualOnes = budgetOf({ most: 32 * mebibyte, allowed: 2 * mebibyte })
const largeOnes = budgetOf({ most: 48 * mebibyte, allowed: 16 * mebibyte })
type Budget = ReturnType<typeof budgetOf>

// Not of process/limits/places.ts: nobody waits for room, and whoever has most of it gives way.
showLimit('unproven_body_bytes', {
  inHand: () => usualOnes.inHand() + largeOnes.inHand(),
  waiting: () => 0,
})

/**
 * A budget of `most` bytes in all. When it is exceeded, the sender that holds most gives up its oldest body; senders
 * that hold no more than `allowed` are treated alike, and if there are no others, the oldest body of all is given up.
 */
function budgetOf({ most, allowed }: { most: number; allowed: number }) {
  const senders = new Map<string, { bytes: number; bodies: Set<Body> }>()
  let bytes = 0
  let places = 0

  function count(body: Body, size: number) {
    const sender = senders.get(body.sender) ?? { bytes: 0, bodies: new Set() }
    senders.set(body.sender, sender)
    if (!sender.bodies.has(body)) body.place = places++
    sender.bodies.add(body)
    sender.bytes += size - body.bytes
    bytes += size - body.bytes
    body.bytes = size
    while (bytes > most) {
      const last = lastToStay()
      if (!last) return
      drop(last)
      last.giveWay()
    }
  }

  function drop(body: Body) {
    const sender = senders.get(body.sender)
    if (!sender?.bodies.delete(body)) return
    sender.bytes -= body.bytes
    bytes -= body.bytes
    body.bytes = 0
    if (sender.bodies.size === 0) senders.delete(body.sender)
  }

  function lastToStay(): Body | undefined {
    let [found, heaviest]: [Body | undefined, number] = [undefined, 0]
    for (const sender of senders.values()) {
      const [oldest] = sender.bodies
      const weight = Math.max(sender.bytes, allowed)
      if (!oldest || weight < heaviest) continue
      if (weight === heaviest && found && found.place < oldest.place) continue
      found = oldest
      heaviest = weight
    }
    return found
  }

  return { count, drop, inHand: () => bytes }
}

/** The share of one call whose sender is unknown; `close` it when the sender is known, or the call is refused. */
export function openUnproven({ req }: Context, patience: Patience = usualPatience) {
  const gone = new AbortController()
  const body: Body = { sender: senderOf(req), bytes: 0, place: 0, giveWay: () => gone.abort() }
  let budget: Budget = usualOnes

  function count(size: number) {
    const next = size > usual ? largeOnes : usualOnes
    if (next !== budget) budget.drop(body)
    budget = next
    budget.count(body, costOfCall + size)
    if (gone.signal.aborted) throw givenUp()
  }

  /**
   * Passes on the body piece by piece and answers its length; undefined when it is longer than `limit`.
   * @throws ApiError unavailable, request_timeout, malformed_request; the rest of the body is not read then.
   */
  async function receive(
    { req, res }: Context,
    limit: number,
    take: (piece: Buffer) => void,
  ): Promise<number | undefined> {
    if ((announcedBy(req) ?? 0) > limit) return undefined
    count(0)
    if (req.headers.expect === '100-continue') res.writeContinue()
    const counted = (piece: Buffer, size: number) => {
      count(size)
      take(piece)
    }
    const over = { signal: gone.signal, reason: givenUp }
    return piecesOf(req, limit, counted, { msUntil: paceOf(patience), over })
  }

  return { receive, close: () => budget.drop(body) }
}

const givenUp = () =>
  tooMuch('unavailable', 'Too much is being received at the moment: send it again.')

/** The time, counted from the start, by which more than `size` bytes must have arrived. */
function paceOf({ firstMebibyteMs, nextMebibyteMs, bodyMs }: Patience) {
  const from = performance.now()
  let until = firstMebibyteMs
  let whole = 0
  return (size: number) => {
    const now = Math.floor(size / mebibyte)
    if (now > whole)
      until = Math.min(bodyMs, performance.now() - from + nextMebibyteMs * (now - whole))
    whole = now
    return until
  }
}

/** The address that a call comes from; for IPv6 its network, since a client with one address there has all of them. */
export function senderOf({ socket: { remoteAddress = '' } }: IncomingMessage): string {
  if (!isIPv6(remoteAddress) || remoteAddress.startsWith('::ffff:')) return remoteAddress
  const [head = '', tail] = remoteAddress.split('::')
  const groups = head.split(':')
  const left = tail === undefined ? [] : Array.from({ length: 4 }, () => '0')
  return [...groups, ...left].slice(0, 4).join(':')
}
