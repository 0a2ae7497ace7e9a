// What an inbox asks for: whose message is awaited and since when, what clients want, and through which account. A list in the order
// of `waiting_since` is read from the first of these indexes, in order; the others find what only few conversations have.

export async function up(): Promise<void> {}

export const indexes = [
  {
    name: 'conversations_waiting',
    on: 'conversations (workspace, waiting_for, state, waiting_since, id)',
  },
  {
    name: 'conversations_by_intent',
    on: 'conversations (workspace, intent, importance, state, id)',
  },
  {
    name: 'conversations_of_connection',
    on: 'conversations (workspace, connection, state, id)',
  },
]
