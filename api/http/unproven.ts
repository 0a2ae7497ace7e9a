import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Context } from 'koa'
import { announcedBy, piecesOf, tooMuch } from './intake.ts'

// Bodies whose sender is not known until they have been read whole. What has arrived of them counts, not what is announced, and
// nothing counts for the connection that is named: anybody may name one. Where there is no room for more, what has been on its
// way for longest is given up rather than what comes: a body whose sender means it is there within moments. Like all budgets
// of bodies, this is kept by each api process on its own.

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** Up to this much of a body has a budget that larger ones take nothing from. */
const usual = mebibyte
// What an open call costs, however little has come of its body.
const costOfCall = 16 * kibibyte
// How long the first mebibyte may take, each one behind it, and the whole.
const firstMs = 10_000
const nextMs = 3_000
const wholeMs = 30_000

type Body = { sender: string; bytes: number; place: number; giveWay: () => void }

const usualOnes = budgetOf({ most: 32 * mebibyte, allowed: 2 * mebibyte })
const largeOnes = budgetOf({ most: 48 * mebibyte, allowed: 16 * mebibyte })
type Budget = ReturnType<typeof budgetOf>

/**
 * `most` bytes in all. Where they are exceeded, the sender that holds most gives way with its oldest body; those who hold no
 * more than is `allowed` are alike, and then the oldest body of all gives way.
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

  return { count, drop }
}

/** What one call takes of a body whose sender is not known yet; `close` it when that is known, or the call is refused. */
export function openUnproven({ req }: Context) {
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
   * Hands on the body piece by piece and answers how long it was; undefined when it is longer than `limit`.
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
    return piecesOf(req, limit, counted, { msUntil: paceOf(), over })
  }

  return { receive, close: () => budget.drop(body) }
}

const givenUp = () => tooMuch('unavailable', 'Too much is being received: send it again.')

/** Until when, counted from the first moment, more than `size` must have arrived. */
function paceOf() {
  const from = performance.now()
  let until = firstMs
  let whole = 0
  return (size: number) => {
    const now = Math.floor(size / mebibyte)
    if (now > whole) until = Math.min(wholeMs, performance.now() - from + nextMs * (now - whole))
    whole = now
    return until
  }
}

/** The address a call comes from; of IPv6 its network, since whoever has one address there has all of it. */
function senderOf({ socket: { remoteAddress = '' } }: IncomingMessage): string {
  if (!isIPv6(remoteAddress) || remoteAddress.startsWith('::ffff:')) return remoteAddress
  const [head = '', tail] = remoteAddress.split('::')
  const groups = head.split(':')
  const left = tail === undefined ? [] : Array.from({ length: 4 }, () => '0')
  return [...groups, ...left].slice(0, 4).join(':')
}
