/**
 * What may touch a tenant's table without knowing its workspace, each with its reason. With `column`, statements that are given
 * a key in that column which the call has not found; without, those that go over all workspaces.
 */
export type Exception = { table: string; column?: string; sql: RegExp; reason: string }

const metrics = 'counts of the whole deployment, for its operator, at /metrics'
const counted = /as oldest_seconds.* from outbox .* as orphaned/s

export const exceptions: Exception[] = [
  ...['operations', 'touches', 'messages', 'invitations'].map((table) => ({
    ...{ table, sql: counted, reason: metrics },
  })),
  {
    table: 'touches',
    column: 'token',
    sql: /^select .* from "touches" where "token" = \$1$/,
    reason:
      'the token of an unsubscribe link is the proof itself: 192 random bits, sent to one person',
  },
]
