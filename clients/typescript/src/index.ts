export { type Client, type ClientOptions, createClient, type WaitOptions } from './client.ts'
export type {
  EventKind,
  FeedEvent,
  FollowOptions,
  KeptEvent,
  StreamOptions,
} from './events.ts'
export type { Operations } from './generated/operations.ts'
export type * from './generated/schemas.ts'
export { type KeptKey, type KeyStore, memoryKeys } from './keys.ts'
export {
  type ClientCode,
  type Code,
  codes,
  PostroomError,
  type Problem,
  problemOf,
  Refusal,
} from './problems.ts'
export type { Answer, Call, CallOptions, ChangeOptions, List } from './types.ts'
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './webhook.ts'
