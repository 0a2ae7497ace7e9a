import { type Facts, isUnconfirmed, unsettled, usedOf } from './facts.ts'
import { conversations, messagesEach, type Plan, people } from './plan.ts'
import { isLetter, type Outcome } from './scenario.ts'

// What holds after any run, whatever died and when. Each returns what violates it, and nothing when it holds.

type Check = (facts: Facts, plan: Plan, run: Outcome) => string[]

const textOf = ({ text }: { text: string }) => text.trim()

/** Names what occurs more than once. */
function twice<T>(what: string, items: T[], by: (item: T) => string | null): string[] {
  return [...Map.groupBy(items, by)]
    .filter(([, same]) => same.length > 1)
    .map(([value, same]) => `${what} ${value}: ${same.length} times`)
}

// An unsuccessful attempt at a campaign letter leaves these.
const legitimate = new Set(['refused', 'undeliverable'])

export const invariants: Record<string, Check> = {
  'the mail server takes each letter and message at most once'({ accepted }) {
    const letters = accepted.filter(isLetter)
    const replies = accepted.filter((message) => !isLetter(message))
    return [
      ...twice('Message-ID', accepted, ({ messageId }) => messageId),
      ...twice('a first letter to', letters, ({ to }) => to.join()),
      ...twice('the message', replies, textOf),
    ]
  },

  'nothing due stays undone': (facts, plan) => unsettled(facts, plan),

  'every person and every call has its letter or message'({ touches, messages }, { ending }) {
    const first = touches.filter(({ place }) => place === 1)
    const wrong = first.filter(
      ({ state, reason }) =>
        state === 'review' ||
        (state === 'failed' &&
          !legitimate.has(reason ?? '') &&
          !(reason === 'done' && ending === 'done')),
    )
    const lost = messages.filter(
      (message) =>
        message.state !== 'sent' &&
        !isUnconfirmed(message) &&
        !(message.state === 'failed' && legitimate.has(message.reason ?? '')),
    )
    return [
      ...(first.length === people ? [] : [`${first.length} of ${people} letters are planned`]),
      ...(messages.length === conversations * messagesEach ? [] : [`${messages.length} messages`]),
      ...[...wrong, ...lost].map(({ id, state, reason }) => `${id} is ${state} (${reason})`),
    ]
  },

  'what the mail server took is sent or unconfirmed'({ accepted, touches, messages }) {
    const rows = new Map([...touches, ...messages].map((row) => [row.messageId, row]))
    return accepted.flatMap(({ messageId }) => {
      const row = rows.get(messageId)
      if (row && (row.state === 'sent' || isUnconfirmed(row))) return []
      return [`${messageId} is ${row ? `${row.state} (${row.reason})` : 'nobody’s'}`]
    })
  },

  'what is sent was taken by the mail server'({ accepted, touches, messages }) {
    const taken = new Set(accepted.map(({ messageId }) => messageId))
    return [...touches, ...messages]
      .filter(({ state, messageId }) => state === 'sent' && !taken.has(messageId))
      .map(({ id }) => id)
  },

  'a conversation speaks in order'({ accepted, messages }) {
    const place = new Map(accepted.map(({ messageId }, i) => [messageId, i]))
    const sent = messages.filter(({ state }) => state === 'sent')
    return [...Map.groupBy(sent, ({ conversation }) => conversation)].flatMap(([id, spoken]) => {
      const places = spoken.map(({ messageId }) => place.get(messageId) ?? -1)
      return places.every((at, i) => i === 0 || at > (places[i - 1] as number))
        ? []
        : [`${id}: ${places.join(', ')}`]
    })
  },

  'no campaign letter is claimed beyond the limit'({ touches, messages }, { limitDay }) {
    const units = [...touches, ...messages].filter(isUsed)
    return touches.filter(isUsed).flatMap(({ id, connection, claimedAt }) => {
      const before = units.filter(
        (unit) => unit.connection === connection && (unit.claimedAt as Date) < (claimedAt as Date),
      ).length
      return before < limitDay ? [] : [`${id} was claimed after ${before} of ${limitDay}`]
    })
  },

  'used budgets are what was sent or may have been'({ touches, messages, usage }) {
    const units = [...touches, ...messages].filter(isUsed)
    return ['con_ana', 'con_ben'].flatMap((id) => {
      const used = usedOf(usage, id)
      const count = units.filter(({ connection }) => connection === id).length
      return used === count ? [] : [`${id}: ${used} used, ${count} sent or unconfirmed`]
    })
  },

  'after a pause only what was in flight arrives'({ accepted }, _plan, { pauses }) {
    return pauses.flatMap(({ inFlight, answeredAt, until }) => {
      const late = accepted.filter(isLetter).filter(({ acceptedAt }) => {
        const at = Date.parse(acceptedAt)
        return at > answeredAt && at < until
      })
      return late.length <= inFlight
        ? []
        : [`${late.length} letters arrived after a pause with ${inFlight} in flight`]
    })
  },

  'no letter is claimed while the campaign does not run'({ touches, moves }) {
    return touches.flatMap(({ id, claimedAt }) => {
      if (claimedAt === null) return []
      const last = moves.filter(({ at }) => at <= claimedAt).at(-1)
      return last?.to === 'running' ? [] : [`${id} at ${claimedAt.toISOString()}: ${last?.to}`]
    })
  },

  'a letter that is sent is in its conversation, and the next one is planned'(
    { touches, joined, laid, now },
    { ending },
  ) {
    // An answer may prove that a letter was sent, and nothing follows then.
    const answered = whoAnswered({ touches, laid })
    const sent = touches.filter(({ state }) => state === 'sent')
    const next = touches.filter(({ place }) => place === 2)
    const followed = new Set(next.map(({ person }) => person))
    return [
      ...twice('a message of', joined, ({ touch }) => touch),
      ...(joined.length === sent.length ? [] : [`${joined.length} messages, ${sent.length} sent`]),
      ...(ending === 'done' ? [] : sent)
        .filter(({ person }) => !followed.has(person) && !answered.has(person))
        .map(({ id }) => `nothing follows ${id}`),
      ...next
        .filter(
          ({ state, dueAt, reason }) =>
            !(state === 'failed' && reason === 'replied') &&
            (state !== (ending === 'done' ? 'failed' : 'queued') || dueAt <= now),
        )
        .map(({ id, state, dueAt }) => `${id} is ${state}, due at ${dueAt.toISOString()}`),
    ]
  },

  'a mail that came is kept once, in whatever folder it lies'({ laid }) {
    return laid
      .filter(({ times }) => times > 1)
      .map(({ messageId, times }) => `${messageId} is kept ${times} times`)
  },

  'who has answered gets no further letter'({ touches, laid, unreadable }) {
    const people = whoAnswered({ touches, laid })
    return touches
      .filter(({ person, place, state }) => people.has(person) && place > 1 && state !== 'failed')
      .slice(unreadable)
      .map(({ id, state }) => `${id} is ${state}`)
  },

  'somebody is told of every unconfirmed letter and message'({ touches, messages, notices }) {
    const count = [...touches, ...messages].filter(isUnconfirmed).length
    return notices.length >= count ? [] : [`${notices.length} of ${count}`]
  },

  'an executed call is one line of the audit log'({ audit }) {
    const written = audit.filter(({ key }) => key !== null)
    const messages = written.filter(({ action }) => action === 'message.queued').length
    return [
      ...twice('a line of', written, ({ key }) => key),
      ...(messages === conversations * messagesEach ? [] : [`${messages} lines of messages`]),
    ]
  },

  'every key is one operation'({ operations }, _plan, { client }) {
    const keys = new Set(client.kept.map(({ key }) => key))
    return [
      ...operations.filter(({ key }) => !keys.has(key)).map(({ key }) => `${key} is nobody’s`),
      ...(operations.length === keys.size ? [] : [`${operations.length} for ${keys.size} keys`]),
      ...twice('a workflow owns', operations, ({ ownerRun }) => ownerRun).filter(
        (line) => !line.includes('null'),
      ),
    ]
  },

  'no workflow fails'({ workflows }) {
    const fine = new Set(['RUNNING', 'COMPLETED', 'CONTINUED_AS_NEW'])
    return workflows
      .filter(({ status }) => !fine.has(status))
      .map(({ id, type, status }) => `${type} ${id}: ${status}`)
  },
}

/** The people whose answers have been read. */
function whoAnswered({ touches, laid }: Pick<Facts, 'touches' | 'laid'>): Set<string> {
  const answered = new Set(
    laid.flatMap(({ answers, times }) => (answers && times > 0 ? [answers] : [])),
  )
  return new Set(
    touches.flatMap(({ messageId, person }) => (answered.has(messageId ?? '') ? [person] : [])),
  )
}

const isUsed = (unit: { state: string; reason: string | null; claimedAt: Date | null }) =>
  unit.claimedAt !== null && (unit.state === 'sent' || isUnconfirmed(unit))
