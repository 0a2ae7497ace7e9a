import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/database.ts'
import { listToWake, wakeRunners } from '../../db/events/webhook-runners.ts'
import { wakeHeld } from '../../db/inbox/hold-ends.ts'
import { listen } from '../../db/listen.ts'
import type { Log } from '../../process/telemetry/log.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'

// Wakes the workflows of webhooks when committed transactions have queued deliveries for them: once for each workspace, however
// many deliveries there are. When a hold has ended, it also wakes the messages that waited for that. Several workers may do this at
// the same time.

const everywhereMs = 30_000
// Notifications that arrive during the pause are handled together, and a row that another worker has locked is free again after
// it.
const pauseMs = 50

/** Runs until `stop()`. */
export function startWaker({ db, databaseUrl, log }: { db: Db; databaseUrl: string; log: Log }) {
  const told = new Set<string>()
  const stopping = new AbortController()
  const often = openThinning()
  let everywhereAt = 0
  let isToWake = false
  let wake = () => {}
  const listener = listen(databaseUrl, 'deliveries', (workspace) => {
    // A hold has ended, or the connection was lost, so notifications may have been missed.
    if (workspace === '') {
      everywhereAt = 0
      isToWake = true
    } else told.add(workspace)
    wake()
  })

  async function look() {
    if (Date.now() >= everywhereAt) {
      for (const workspace of await listToWake(db)) told.add(workspace)
      everywhereAt = Date.now() + everywhereMs
    }
    await wakeMessages()
    for (const workspace of [...told]) {
      told.delete(workspace)
      try {
        if (!(await wakeRunners(db, workspace))) told.add(workspace)
      } catch (error) {
        told.add(workspace)
        throw error
      }
    }
  }

  /** Told again meanwhile, it begins again. */
  async function wakeMessages() {
    while (isToWake) {
      isToWake = false
      try {
        for (let after: string | undefined = ''; after !== undefined; )
          after = await wakeHeld(db, after)
      } catch (error) {
        isToWake = true
        throw error
      }
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      await look().catch((error) => {
        const told = often('webhooks')
        if (told) log.warn({ err: error, ...told }, 'the webhooks cannot be checked; retrying')
        return sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {})
      })
      await sleep(pauseMs)
      if (told.size > 0 || stopping.signal.aborted) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, everywhereAt - Date.now()))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = run()

  return {
    async stop() {
      stopping.abort()
      wake()
      await listener.close()
      await running
    },
  }
}
