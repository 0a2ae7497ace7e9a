import type { Caller } from './service.ts'

/** The actions of a workspace's audit lines, newest first. */
export const auditedActions = async (call: Caller): Promise<string[]> =>
  (await call('GET', '/audit')).body.entries.map((entry: { action: string }) => entry.action)
