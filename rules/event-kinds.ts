import { didYouMean } from './plain-issues.ts'

// Every kind of event that is reported to the outside, by GET /events and to webhooks. docs/events.md explains each, and a test
// keeps the two in step. A new kind is added here first: nothing can record an event or an audit entry of another kind.

export const eventKinds = [
  'access.closed',
  'access.opened',
  'agent.edited',
  'archive.declined',
  'archive.parsed',
  'archive.started',
  'campaign.created',
  'campaign.deleted',
  'campaign.edited',
  'campaign.letters',
  'campaign.moved',
  'channel.connected',
  'channel.created',
  'channel.consent_needed',
  'channel.edited',
  'channel.failed',
  'channel.link_created',
  'channel.recovered',
  'company.edited',
  'conversation.edited',
  'conversation.labelled',
  'conversation.noted',
  'conversation.reopened',
  'conversation.routed',
  'conversation.unlabelled',
  'conversation.woken',
  'deal.created',
  'deal.edited',
  'file.uploaded',
  'import.cancelled',
  'import.done',
  'import.failed',
  'invitation.resolved',
  'meeting.answered',
  'meeting.booked',
  'meeting.cancelled',
  'meeting.moved',
  'meeting.proposal_declined',
  'meeting.proposed',
  'meeting.replied',
  'member.created',
  'member.deleted',
  'member.edited',
  'message.cancelled',
  'message.failed',
  'message.queued',
  'message.received',
  'message.resolved',
  'message.retried',
  'message.sent',
  'message.unconfirmed',
  'message.unreadable',
  'notifications.read',
  'people.imported',
  'people.saved',
  'person.complained',
  'person.created',
  'person.edited',
  'person.erased',
  'person.merged',
  'person.split',
  'person.tagged',
  'person.unsubscribed',
  'person.untagged',
  'product.edited',
  'routing.applied',
  'routing.edited',
  'segment.created',
  'segment.deleted',
  'segment.edited',
  'segment.people_added',
  'segment.people_found',
  'segment.person_removed',
  'segment.searched',
  'senders.checked',
  'suppression.added',
  'suppression.lifted',
  'task.carried_out',
  'task.created',
  'task.failed',
  'touch.again',
  'touch.edited',
  'touch.failed',
  'touch.resolved',
  'touch.sent',
  'touch.unconfirmed',
  'webhook.created',
  'webhook.deleted',
  'webhook.edited',
  'webhook.redelivered',
  'webhook.tested',
  'workspace.edited',
] as const

export type EventKind = (typeof eventKinds)[number]

const groups = [...new Set(eventKinds.map((kind) => `${kind.split('.')[0]}.*`))]
/** Every name of a kind or a group. */
export const kindNames = [...eventKinds, ...groups]
const known = new Set<string>(kindNames)

/** What is wrong with the name of a kind or of a group such as `touch.*`, with the nearest; undefined if it is one. */
export const unknownKind = (name: string): string | undefined =>
  known.has(name) ? undefined : `is not a kind of event${didYouMean(name, known)}`

/** The kinds that names of kinds and groups stand for. */
export const kindsOf = (names: string[]): EventKind[] =>
  eventKinds.filter((kind) => names.includes(kind) || names.includes(`${kind.split('.')[0]}.*`))
