import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { end, reap } from '../../../dev/stack/processes.ts'
import type { Opening, Seen } from './child.ts'

/** Opens a stream of events with each of the tokens, in one process of their own. */
export function openStreams(opening: Opening) {
  const child = fork(join(import.meta.dirname, 'child.ts'))
  reap(child)
  child.send(opening)
  return {
    /** What each of them has seen until now. */
    async look(): Promise<Seen[]> {
      child.send('look')
      return (await once(child, 'message'))[0]
    },
    stop: () => end(child.pid as number, 'SIGKILL', 2_000),
  }
}

/** As clients that have seen these resources have it. */
export const digestOf = (resources: string[]) => {
  const hash = createHash('sha256')
  for (const resource of resources) hash.update(`${resource}\n`)
  return hash.digest('hex')
}
