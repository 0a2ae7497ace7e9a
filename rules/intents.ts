// What a message of a client is marked with: how soon it should be dealt with, and what the client wants.

export const importances = ['low', 'normal', 'high'] as const
export type Importance = (typeof importances)[number]

export const intents = [
  'quote',
  'question',
  'interested',
  'meeting',
  'not_interested',
  'complaint',
  'unsubscribe',
  'out_of_office',
  'other',
] as const
export type Intent = (typeof intents)[number]
