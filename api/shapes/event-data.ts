import { z } from 'zod'
import type { EventKind } from '../../rules/event-kinds.ts'
import { importances, intents } from '../../rules/intents.ts'
import { importanceMeans, intentMeans } from './intents.ts'
import { Application, withValues } from './shapes.ts'

// What `data` of each kind of event may hold, for those who read the OpenAPI document: events themselves are written down without a
// shape. Tests hold what all calls of the reference record to it. A member means the same in every kind.

const idOf = (what: string) => z.string().describe(`The id of the ${what}.`)
const text = (what: string) => z.string().describe(what)
const idOrNull = (what: string) => textOrNull(`The id of the ${what}.`)
const textOrNull = (what: string) => z.string().nullable().describe(what)
const is = (what: string) => z.boolean().describe(what)

const shapes = {
  members: z
    .array(z.string())
    .describe('The names of everything that was changed; the values have to be read.'),
  agent: idOrNull('agent'),
  answer: text('What the guest answered.'),
  automated: is('Whether a program wrote it.'),
  buyer: idOf('person who buys'),
  calendar: idOf('calendar'),
  campaign: idOf('campaign'),
  closed: is('Whether it is closed.'),
  code: textOrNull('The status code of the server or the report; null if there is none.'),
  connection: idOrNull('connection'),
  conversation: idOrNull('conversation'),
  count: z.number().describe('How many there are.'),
  due: textOrNull('When it is due; null if it is at once.'),
  elsewhere: is('It was sent from a mail program, and found in the Sent folder.'),
  enabled: is('Whether it is switched on.'),
  expiresAt: text('Until when it is good.'),
  folder: text('The folder, as the server names it.'),
  from: z.array(z.string()).describe('The ids of the cards that became part of this one.'),
  importance: z
    .enum(importances)
    .describe(withValues('How soon its conversation should be dealt with.', importanceMeans)),
  intent: z
    .enum(intents)
    .describe(withValues('What the client wants, as its conversation is marked.', intentMeans)),
  label: text('The id of the product, or the label.'),
  member: idOrNull('member'),
  message: idOrNull('message that the letter became in its conversation; null before it went'),
  met: is('Whether a meeting was arranged outside of the conversation.'),
  operation: idOf('operation that did it'),
  outcome: text('What somebody decided: `sent` or `again`.'),
  owner: idOrNull('member who owns it; null if nobody does'),
  part: text('What of the account does not work or works again: `sending` or `reading`.'),
  person: idOrNull('person; null if it is nobody known'),
  place: z.number().describe('The place of the letter: 1, 2 or 3.'),
  position: z.number().describe('The place of the rule.'),
  problem: textOrNull('The cause, as `GET /channels` has it; null if it is over.'),
  proposal: idOf('proposal'),
  reason: textOrNull('Why, as a stable code; null if there is nothing to say.'),
  refill: is('Whether the segment is refilled by itself.'),
  replaces: idOrNull('segment that it replaces'),
  rule: idOrNull('rule'),
  saved: is('Whether the segment is saved.'),
  segment: idOrNull('segment'),
  seller: idOf('person who sells'),
  sendAt: textOrNull('When it is to be sent; null if at once.'),
  side: textOrNull('The side of the person, or of the product.'),
  snoozeUntil: textOrNull('Until when it is snoozed; null if it is not.'),
  stage: text('The stage of the deal.'),
  state: textOrNull('The state that it has from then on.'),
  suspect: is('Whether it may not be from whom it claims.'),
  tagging: is('Whether correspondence is marked.'),
  timezone: text('The time zone of the workspace.'),
  touch: idOf('letter whose link was used'),
  via: idOf('connection it goes through'),
}
type Name = keyof typeof shapes

const letter = ['campaign', 'person', 'place', 'connection', 'conversation', 'message'] as const
const ofLetter = ['campaign', 'person', 'message'] as const
const message = ['conversation', 'person', 'connection', 'state', 'reason'] as const

const kinds: Record<EventKind, readonly Name[]> = {
  'access.closed': ['members', 'expiresAt', 'member'],
  'access.opened': ['members', 'expiresAt', 'member'],
  'agent.edited': ['members', 'enabled'],
  'archive.declined': ['members', 'state'],
  'archive.parsed': ['members', 'state'],
  'archive.started': ['members', 'state'],
  'campaign.created': ['members', 'segment', 'agent'],
  'campaign.deleted': [],
  'campaign.edited': ['members', 'segment', 'agent'],
  'campaign.letters': ['members'],
  'campaign.moved': ['members', 'state'],
  'channel.connected': ['members', 'connection'],
  'channel.consent_needed': ['connection'],
  'channel.created': ['members', 'member'],
  'channel.edited': ['members', 'member'],
  'channel.failed': ['connection', 'part', 'problem'],
  'channel.link_created': ['members', 'expiresAt', 'member'],
  'channel.recovered': ['connection', 'part', 'problem'],
  'channel.removed': ['members', 'member'],
  'company.edited': ['members'],
  'conversation.edited': [
    ...['members', 'state', 'closed', 'reason', 'snoozeUntil', 'owner', 'met'],
  ] as Name[],
  'conversation.labelled': ['members', 'label'],
  'conversation.noted': ['members'],
  'conversation.reopened': ['conversation', 'person', 'state'],
  'conversation.routed': ['members', 'conversation', 'owner', 'rule'],
  'conversation.unlabelled': ['members'],
  'conversation.woken': ['conversation', 'person', 'state'],
  'deal.created': ['members', 'label', 'seller', 'buyer', 'agent'],
  'deal.edited': ['members', 'stage', 'closed'],
  'file.uploaded': ['members'],
  'import.cancelled': ['state', 'operation'],
  'import.done': ['state', 'operation'],
  'import.failed': ['state', 'operation'],
  'invitation.resolved': ['members', 'outcome'],
  'meeting.answered': ['members', 'state'],
  'meeting.booked': ['members', 'calendar'],
  'meeting.cancelled': ['members', 'state'],
  'meeting.moved': ['members', 'state'],
  'meeting.proposal_declined': ['members', 'state'],
  'meeting.proposed': ['proposal'],
  'meeting.replied': ['answer'],
  'member.created': ['members'],
  'member.deleted': ['members', 'owner'],
  'member.edited': ['members'],
  'message.cancelled': ['members', 'state'],
  'message.failed': [...message, 'code'],
  'message.prepared': ['members', 'via', 'sendAt'],
  'message.queued': ['members', 'conversation', 'via', 'sendAt'],
  'message.received': [
    ...(['conversation', 'person', 'connection'] as const),
    ...(['automated', 'suspect', 'intent', 'importance'] as const),
  ],
  'message.resolved': ['members', 'outcome'],
  'message.retried': ['members'],
  'message.sent': [...message, 'elsewhere'],
  'message.unconfirmed': message,
  'message.unreadable': ['connection', 'folder', 'count'],
  'notifications.read': ['members'],
  'people.imported': ['members'],
  'people.saved': ['members'],
  'person.complained': ['person'],
  'person.created': ['members', 'operation'],
  'person.edited': ['members', 'operation'],
  'person.erased': [],
  'person.merged': ['members', 'from'],
  'person.split': ['members', 'person'],
  'person.tagged': ['members', 'label', 'side'],
  'person.unsubscribed': ['members', 'person', 'touch'],
  'person.untagged': ['members', 'label', 'side'],
  'product.edited': ['members', 'side'],
  'routing.applied': ['members', 'rule'],
  'routing.edited': ['members', 'enabled', 'rule', 'position', 'member'],
  'segment.created': ['members', 'refill'],
  'segment.deleted': [],
  'segment.edited': ['members', 'saved', 'refill', 'replaces'],
  'segment.people_added': ['members'],
  'segment.people_found': ['members'],
  'segment.person_removed': ['members', 'person'],
  'segment.searched': ['members'],
  'senders.checked': [],
  'suppression.added': ['members', 'person', 'reason'],
  'suppression.lifted': ['members', 'person', 'reason'],
  'task.carried_out': ['members', 'agent'],
  'task.created': ['members', 'conversation', 'due'],
  'task.failed': ['conversation', 'state', 'reason'],
  'touch.again': ['members', ...ofLetter],
  'touch.edited': ['members', ...ofLetter, 'state', 'reason'],
  'touch.failed': [...letter, 'state', 'reason', 'code'],
  'touch.resolved': ['members', ...ofLetter, 'outcome'],
  'touch.sent': [...letter, 'state', 'reason'],
  'touch.unconfirmed': [...letter, 'state', 'reason'],
  'webhook.created': ['members', 'enabled'],
  'webhook.deleted': [],
  'webhook.edited': ['members', 'enabled'],
  'webhook.redelivered': ['members', 'state'],
  'webhook.tested': ['members'],
  'workspace.erased': [],
  'workspace.edited': ['members', 'timezone', 'tagging'],
  'workspace.held': ['members'],
  'workspace.released': ['members'],
}

// What any event may hold.
const always = {
  externalId: z
    .string()
    .describe('The id in your own system of the person whom it is about, if they have one.'),
  client: Application.describe('The application whose call caused it, if a call did.'),
  key: text('The `Idempotency-Key` of the call that caused it, if one did.'),
}

/** The shape of `data` of a kind of event; each member is there where there is something to say. */
export const eventData = (kind: EventKind) =>
  z
    .strictObject({
      ...Object.fromEntries(kinds[kind].map((name) => [name, shapes[name]] as const)),
      ...always,
    })
    .partial()
