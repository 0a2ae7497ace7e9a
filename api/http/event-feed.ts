import type { Db } from '../../db/database.ts'
import { type EventPlace, listEvents } from '../../db/events/events.ts'
import { findHeads, noteReaders } from '../../db/events/readers.ts'
import { listen } from '../../db/listen.ts'
import { gathered } from '../../process/limits/gather.ts'
import { openPlaces } from '../../process/limits/places.ts'
import { ApiError } from './errors.ts'

// Wakes calls that wait for events of their workspace. One connection of the process listens, and one statement now and then finds
// what a notification did not tell, however many calls wait; none of them holds a connection meanwhile.

export type EventFeed = ReturnType<typeof openEventFeed>

/** A call that follows the events of a workspace. */
export type Follower = {
  /** Answers when there may be new events, or after `ms`, or when the call or the process ends. */
  changed(ms: number, signal?: AbortSignal): Promise<void>
  /** Whether the process stops. */
  isStopping(): boolean
  leave(): void
}

const everywhereMs = 2_000
// An event may be there and not readable yet (listEvents): it is looked for again after a while, longer each time.
const soonestMs = 20
const latestMs = 1_000
const notedForMs = 60_000
const noteEveryMs = 20_000

// A stream, and a call that waits for events or for the end of an operation, hold one of these. A workspace with many tokens leaves half of them to others.
const ofToken = openPlaces({ name: 'event_followers_of_token', ofKey: 5 })
const followers = openPlaces({ name: 'event_followers', all: 500, ofKey: 250 })

/** The place of a call that waits. @throws ApiError rate_limited, unavailable. */
function placed(workspace: string, token: string) {
  const leaveToken = ofToken.takeFree(token)
  if (!leaveToken)
    throw new ApiError(
      'rate_limited',
      'At most 5 calls of a token follow events or wait at a time.',
      {
        headers: { 'Retry-After': '5' },
      },
    )
  const leave = followers.takeFree(workspace)
  if (!leave) {
    leaveToken()
    throw new ApiError('unavailable', 'Too many calls follow events or wait at the moment.', {
      headers: { 'Retry-After': '5' },
    })
  }
  return () => {
    leave()
    leaveToken()
  }
}

export function openEventFeed(db: Db, databaseUrl: string) {
  const wakes = new Map<string, Set<() => void>>()
  const heads = new Map<string, string | null>()
  const told = new Set<string>()
  let listener: ReturnType<typeof listen> | undefined
  let stopping = false
  let looking = false
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  let everywhereAt = 0
  let notedAt = 0
  let pauseMs = soonestMs

  const heard = (workspace: string) => {
    // The connection was lost, so notifications may have been missed.
    if (workspace === '') everywhereAt = 0
    else if (wakes.has(workspace)) told.add(workspace)
    else return
    pauseMs = soonestMs
    lookIn(0)
  }

  function lookIn(ms: number) {
    if (stopping || wakes.size === 0 || looking) return
    const at = Date.now() + ms
    if (timer && at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(look, ms)
  }

  async function look() {
    timer = undefined
    looking = true
    const isEverywhere = Date.now() >= everywhereAt
    const asked = (isEverywhere ? [...wakes.keys()] : [...told]).filter((one) => wakes.has(one))
    told.clear()
    let restMs = everywhereMs
    try {
      if (Date.now() - notedAt > noteEveryMs) {
        notedAt = Date.now()
        await noteReaders(db, [...wakes.keys()], notedForMs)
      }
      for (const { workspace, head, hidden } of await findHeads(db, asked)) {
        if (hidden) told.add(workspace)
        const ofWorkspace = wakes.get(workspace)
        if (!ofWorkspace || heads.get(workspace) === head) continue
        heads.set(workspace, head)
        for (const wake of ofWorkspace) wake()
      }
      if (isEverywhere) everywhereAt = Date.now() + everywhereMs
      if (told.size > 0) {
        restMs = pauseMs
        pauseMs = Math.min(latestMs, pauseMs * 2)
      }
    } catch {
      notedAt = 0
      everywhereAt = 0
      restMs = latestMs
    }
    looking = false
    const untilMs = Math.max(0, everywhereAt - Date.now())
    lookIn(told.size > 0 ? Math.min(restMs, untilMs || restMs) : untilMs || restMs)
  }

  /** @throws ApiError rate_limited, unavailable. */
  function follow(workspace: string, token: string): Follower {
    const leavePlace = placed(workspace, token)
    let isChanged = false
    let wakeNow = () => {}
    const wake = () => {
      isChanged = true
      wakeNow()
    }
    const ofWorkspace = wakes.get(workspace) ?? new Set()
    if (!wakes.has(workspace)) notedAt = 0
    wakes.set(workspace, ofWorkspace)
    ofWorkspace.add(wake)
    listener ??= listen(databaseUrl, 'events', heard)
    told.add(workspace)
    lookIn(0)
    return {
      changed: (ms, signal) =>
        new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(clock)
            signal?.removeEventListener('abort', end)
            wakeNow = () => {}
            isChanged = false
            resolve()
          }
          const clock = setTimeout(end, ms)
          wakeNow = end
          signal?.addEventListener('abort', end, { once: true })
          if (isChanged || stopping || signal?.aborted) end()
        }),
      isStopping: () => stopping,
      leave() {
        leavePlace()
        ofWorkspace.delete(wake)
        if (ofWorkspace.size > 0 || wakes.get(workspace) !== ofWorkspace) return
        wakes.delete(workspace)
        heads.delete(workspace)
      },
    }
  }

  return {
    follow,
    placed,
    /** Whether the process stops. */
    isStopping: () => stopping,
    /** Ends all waits: those who follow see that the process stops. */
    async close() {
      stopping = true
      clearTimeout(timer)
      for (const ofWorkspace of wakes.values()) for (const wake of ofWorkspace) wake()
      await listener?.close()
    },
  }
}

type Asked = { place: EventPlace; limit: number }

/** The next events behind a place; those who follow a workspace stand at one place mostly, and are answered by one statement. */
export const nextEvents = gathered<Db, Asked, Awaited<ReturnType<typeof listEvents>>>(
  async (db, workspace, asked) => {
    const pages = new Map<string, ReturnType<typeof listEvents>>()
    const found = []
    for (const { place, limit } of asked) {
      const name = `${place} ${limit}`
      const page = pages.get(name) ?? listEvents(db, workspace, limit, place)
      pages.set(name, page)
      found.push(await page)
    }
    return found
  },
)
