import { ownWords } from '../../rules/mail/own-words.ts'
import { cut, plainLine, plainText } from '../../rules/text.ts'

// What tools show of the answers of the API: short, and with everything that clients wrote in a member of its own, `from_client`,
// as plain text. A model that reads it can tell their words from ours, whatever they say.

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes; their shapes were checked where they were made.
type Any = any

const longestShown = 4_000
export const longestPart = 16_000

const line = (text: unknown) => cut(plainLine(String(text ?? '')), 300)

/** The beginning of a text, or the part behind `from`, and where the rest begins. */
export function partOf(text: string, most = longestShown, from = 0) {
  const whole = plainText(text)
  const part = cut(whole.slice(from), most)
  const end = from + part.length
  return { text: part, ...(end < whole.length && { continues_at: end }) }
}

export const conversation = (row: Any) => ({
  id: row.id,
  person: row.person,
  kind: row.kind,
  state: row.state,
  waiting_for: row.waitingFor,
  waiting_since: row.waitingSince,
  last_message_at: row.lastMessageAt,
  importance: row.importance,
  intent: row.intent,
  owner: row.owner,
  labels: row.labels.map(({ name }: Any) => line(name)),
  ...(row.snoozeUntil && { snooze_until: row.snoozeUntil }),
  ...(row.reason && { closed_because: row.reason }),
  from_client: { subject: line(row.subject) },
})

export function message(row: Any, most = longestShown, from = 0) {
  const common = {
    id: row.id,
    direction: row.direction,
    at: row.at,
    state: row.state,
    automated: row.automated,
    ...(row.suspect && { suspect: true }),
    files: row.files,
  }
  if (row.direction === 'inbound')
    return {
      ...common,
      from_client: {
        name: line(row.sender.name),
        address: line(row.sender.handle),
        subject: line(row.subject),
        ...partOf(row.text, most, from),
      },
    }
  // What we quote of theirs is not ours.
  return {
    ...common,
    to: (row.to ?? []).map(line),
    ...partOf(ownWords(row.text), most, from),
    from_client: { subject: line(row.subject) },
  }
}

export const file = (row: Any) => ({
  id: row.id,
  size: row.size,
  from_client: { name: line(row.name), type: line(row.type) },
})

export const note = ({ id, author, at, text }: Any) => ({ id, author, at, ...partOf(text, 1_000) })

export const found = ({ kind, id, conversation, person, at, snippet }: Any) => ({
  kind,
  id,
  conversation,
  person,
  at,
  ...(kind === 'note' ? { snippet: line(snippet) } : { from_client: { snippet: line(snippet) } }),
})

/** What stands on a card has come from people, their mails and files. */
export const person = (row: Any) => ({
  id: row.id,
  ...(row.externalId && { external_id: line(row.externalId) }),
  ...(row.tags && {
    tags: row.tags.map((tag: Any) => ({
      label: line(tag.label?.name ?? tag.label),
      side: tag.side,
    })),
  }),
  ...(row.suppressed?.length > 0 && {
    must_not_be_written_to: row.suppressed.map(({ address, reason }: Any) => ({
      address: line(address),
      reason,
    })),
  }),
  from_client: {
    ...Object.fromEntries(
      (['name', 'company', 'jobTitle', 'city'] as const)
        .filter((member) => row[member])
        .map((member) => [member, line(row[member])]),
    ),
    emails: (row.emails ?? []).slice(0, 20).map((one: Any) => line(one?.address ?? one)),
    phones: (row.phones ?? []).slice(0, 20).map((one: Any) => line(one?.address ?? one)),
  },
})

export const campaign = (row: Any) => ({
  id: row.id,
  name: line(row.name),
  state: row.state,
  people: row.people,
  progress: row.progress,
})

/** Why it does not go on. What mail servers said comes from outside too. */
export const held = (row: Any) => ({
  ...campaign(row),
  missing: row.missing,
  sending: row.sending && {
    now: row.sending.now,
    blocked_by: row.sending.blockedBy,
    next_at: row.sending.nextAt,
    ...(row.sending.failed && {
      failed: row.sending.failed.letters,
      from_client: { servers_said: line(row.sending.failed.why) },
    }),
  },
})

export const event = ({ id, at, kind, resource, data }: Any) => ({ id, at, kind, resource, data })

/** A refusal, without what it may quote. */
export const refusal = ({ code, detail, errors, candidates, state, retryable }: Any) => ({
  refused: code,
  why: line(detail),
  ...(errors && {
    errors: errors.slice(0, 10).map(({ pointer, parameter, code, message }: Any) => ({
      ...(pointer && { member: pointer }),
      ...(parameter && { member: parameter }),
      code,
      message: line(message),
    })),
  }),
  ...(candidates && {
    candidates: candidates
      .slice(0, 20)
      .map(({ id, account }: Any) => ({ id, account: line(account) })),
  }),
  ...(state && { state }),
  ...(retryable && { retryable: true }),
})
