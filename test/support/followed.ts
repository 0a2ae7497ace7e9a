import { type Caller, eventually } from './service.ts'

const ended = ['done', 'failed', 'cancelled']

/** Follows the operation of a call by its key. */
export function followed(call: Caller, key: string, ms?: number) {
  const operation = async () => (await call('GET', `/operations/${key}`)).body
  return {
    operation,
    waitsFor: (what: string) => eventually(operation, ({ waitingFor }) => waitingFor === what, ms),
    ended: () => eventually(operation, ({ state }) => ended.includes(state), ms),
  }
}
