import type { Generated } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import type { Invited } from '../../rules/meeting-answer.ts'
import type { LetterHead, Refused } from '../../rules/outgoing.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

// Conversations with everything that belongs to them, and the rules that give them an owner.

export type CloseReason =
  | 'meeting_booked'
  | 'not_interested'
  | 'no_response'
  | 'wrong_person'
  | 'spam'
  | 'personal'
  | 'other'
export const conversationStates = ['open', 'snoozed', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

export type MessageState = 'received' | 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'

export type TaskState = 'queued' | 'done' | 'failed' | 'cancelled'

export type RoutingField = 'label' | 'side' | 'product' | 'sender' | 'company' | 'agent'

export interface Labels {
  id: string
  workspace: string
  name: string
}

export interface Conversations {
  id: string
  workspace: string
  person: string
  connection: string | null
  kind: ChannelKind
  subject: string
  state: Generated<ConversationState>
  lastMessageAt: At
  waitingSince: At
  waitingFor: Generated<'us' | 'client'>
  importance: Generated<string>
  intent: Generated<string>
  owner: string | null
  snoozeUntil: At | null
  /** Raised whenever a snooze begins, moves or ends; its workflow acts only under its own version. */
  snoozeVersion: Generated<number>
  /** The operation that the snooze waits in, which is also the workflow. */
  snoozeOperation: string | null
  why: string | null
  reason: CloseReason | null
  met: Generated<boolean>
  folder: string | null
  /** Written by a trigger whenever anything changes that a list or a single read shows. */
  updatedAt: Generated<Date>
}

export interface ConversationLabels {
  conversation: string
  label: string
}

export interface Notes {
  id: string
  conversation: string
  text: string
  author: string
  at: At
}

/** What a program has prepared to be sent, shown, and not sent yet: one version of it, for a quarter of an hour. */
export interface PreparedMessages {
  /** The hash of its id, which its token alone knows. */
  id: string
  workspace: string
  token: string
  conversation: string
  version: number
  toAddress: string
  connection: string
  subject: string
  text: string
  sendAt: At | null
  /** The newest message that had come in: with a newer one, it is void. */
  heard: string
  /** The hash of the ticket of its page. */
  ticket: string
  expiresAt: At
  confirmedBy: 'page' | 'client' | null
  sentAt: At | null
}

/** What a member asked an agent to do; without `due` it is an instruction, and no message is written. */
export interface Tasks {
  id: string
  seq: Generated<string>
  workspace: string
  conversation: string
  text: string
  due: At | null
  state: Generated<TaskState>
  reason: string | null
  member: string
  operation: string
  key: string
  agent: string | null
  message: string | null
  /** What the agent was given, and what it did, in its own words. */
  told: JsonOrNull<Record<string, unknown>>
  did: string | null
  createdAt: At
  endedAt: At | null
}

export interface Messages {
  id: string
  seq: Generated<string>
  workspace: string
  conversation: string
  direction: 'inbound' | 'outbound'
  senderName: string
  senderHandle: string
  toAddress: string
  subject: string
  text: string
  at: At
  automated: Generated<boolean>
  agent: string | null
  voice: string | null
  connection: string | null
  state: MessageState
  reason: string | null
  sendAt: At | null
  dueAt: At | null
  nextTryAt: At | null
  sentAt: At | null
  messageId: string | null
  inReplyTo: string | null
  /**
   * The other side's id: the Message-ID of inbound mail, or a bridge's own id. Unique for each connection among inbound
   * messages.
   */
  externalId: string | null
  /** The send marker: which attempt has claimed it, when, and the workspace day its unit was taken from. */
  attempt: string | null
  tries: Generated<number>
  claimedAt: At | null
  claimedDay: string | null
  operation: string | null
  touch: string | null
  /**
   * When it was claimed for the first time, or since a person asked for another attempt: the time limit for tries counts from
   * then.
   */
  firstClaimedAt: At | null
  /** Real time of the database: a live attempt renews it before it ends. */
  leasedUntil: At | null
  lateBySeconds: number | null
  /** The folder of its mailbox that it was read in; null of one that came another way. */
  folder: string | null
  /** It is in the account's Sent folder, or need not be. */
  filed: Generated<boolean>
  /** The code that a server or a bounce gave: the enhanced status code (RFC 3463), otherwise the reply code. */
  code: string | null
  /** The parse of the archive that read it last. */
  archive: string | null
  /** The account's own server says that it is not from its stated sender: nothing follows from it. */
  suspect: Generated<boolean>
  report: JsonOrNull<MessageReport>
  /** The body in HTML; `text` says the same. Inline images are files of the message, referred to as `cid:`. */
  html: string | null
  /** All addresses in To; null means `toAddress` alone. */
  toAddresses: string[] | null
  cc: Generated<string[]>
  /** Of our own messages alone. */
  bcc: Generated<string[]>
  /** The recipients other than `toAddress` that the server refused when it took the message. */
  refused: JsonOrNull<Refused[]>
  /** The id of the message that this one answers, if the caller has chosen one. */
  repliesTo: string | null
  /** Null in messages of earlier versions, and of campaigns, whose touch has it. */
  head: JsonOrNull<LetterHead>
  /** The date in the head of a mail that came in; null in messages of earlier versions too. */
  dated: At | null
  /** The address of ours through which a group or a form sent it. */
  via: string | null
  /** Where it asks for answers; null if it does not say, and in messages of earlier versions. */
  replyTo: JsonOrNull<{ name: string; address: string }[]>
  /** The Message-IDs that it refers to, the nearest last; null in messages of earlier versions. */
  refersTo: string[] | null
  /** What the server or the report said in its own words, if the message did not arrive. */
  said: string | null
  /** The message as which it was sent again. */
  again: string | null
  /** The meeting that a message of a client invites to. */
  invitation: JsonOrNull<MessageInvitation>
  /** What a calendar program reads in a message of ours (iMIP, RFC 6047). */
  calendar: JsonOrNull<{ method: 'reply'; content: string }>
  /** When its words were removed, because its workspace keeps messages for so many days (db/erasure/retention.ts). */
  removedAt: At | null
  /** How many of its files were removed for that reason. */
  filesRemoved: Generated<number>
  /** Its bytes count as stored. */
  counted: Generated<boolean>
}

/** An invitation, and what became of it. */
export type MessageInvitation = Invited & {
  repeats: boolean
  location: string | null
  agenda: string
  guests: string[]
  state: 'open' | 'accepted' | 'tentative' | 'declined' | 'cancelled' | 'replaced'
}

/**
 * What a server or provider reports; `message` is the letter of ours that the report is about. Without proof, nothing follows
 * from it.
 */
export type MessageReport = {
  kind: 'bounce' | 'complaint' | 'delivery'
  code: string | null
  permanent: boolean
  recipient: string | null
  message: string | null
  proven: boolean
}

export interface Files {
  id: string
  seq: Generated<string>
  workspace: string
  /** Null while no message has taken an uploaded file. */
  message: string | null
  name: string
  type: string
  size: number
  content: Buffer
  /** The name by which the HTML of its message refers to it, without brackets (RFC 2392). */
  cid: string | null
  /** When a caller uploaded it; null for files that came with their message. */
  uploadedAt: At | null
  /** Its bytes count as stored. */
  counted: Generated<boolean>
}

export interface Routing {
  workspace: string
  enabled: Generated<boolean>
}

export interface RoutingRules {
  id: string
  workspace: string
  position: number
  field: RoutingField
  value: string
  member: string
  createdAt: At
}

export interface RoutingBatches {
  operation: string
  workspace: string
  rule: string | null
  /** Conversations with a message since then; null: all. */
  since: At | null
  /** The id of the last conversation that it visited. */
  cursor: Generated<string>
  seen: Generated<number>
  handed: Generated<number>
  /** How many each member got, and the first of them. */
  handedTo: Json<Record<string, { count: number; first: string }>>
  member: string
  clientId: string
  clientName: string
}
