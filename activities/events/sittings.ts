import { type Leave, openPlaces } from '../../process/limits/places.ts'

// Limits how many webhooks of one workspace a process serves at once, so that receivers which hang, of however many webhooks,
// leave places for other workspaces. Within the workspace, the webhook that has waited longest comes first. Nobody waits in this
// process: a webhook's workflow asks again later, and finds the place that was kept for it meanwhile.

const places = openPlaces({ name: 'webhooks', ofKey: 8 })
// A webhook that has not asked again for this long was served by another process, or is gone.
const forgottenAfterMs = 10_000

type Waiting = { place?: Leave; forget: AbortController; timer: NodeJS.Timeout }
const waiting = new Map<string, Waiting>()

/**
 * Takes a place for a webhook and returns the function that gives it back; undefined while no place is free: ask again in a
 * moment.
 */
export function takePlace(workspace: string, webhook: string): Leave | undefined {
  const one = waiting.get(webhook)
  if (!one) return places.takeFree(workspace) ?? wait(workspace, webhook)
  one.timer.refresh()
  if (!one.place) return undefined
  end(webhook, one)
  return one.place
}

function wait(workspace: string, webhook: string): undefined {
  const forget = new AbortController()
  const forgotten = () => {
    end(webhook, one)
    one.place?.()
    forget.abort()
  }
  const timer = setTimeout(forgotten, forgottenAfterMs).unref()
  const one: Waiting = { forget, timer }
  waiting.set(webhook, one)
  places.take(workspace, { signal: forget.signal }).then(
    (place) => {
      one.place = place
    },
    () => {},
  )
}

function end(webhook: string, { timer }: Waiting) {
  clearTimeout(timer)
  waiting.delete(webhook)
}
