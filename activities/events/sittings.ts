// Limits how many webhooks of one workspace a process serves at once, so that receivers which hang, of however many webhooks,
// leave places for other workspaces. Within the workspace, the webhook that has waited longest comes first.
// process/limits/line.ts does not fit here, because nobody waits in this process: a webhook's workflow asks again later, and a webhook
// that is gone must not keep its turn.

const mostOfWorkspace = 8
// A webhook that has not asked again for this long was served by another process, or is gone.
const forgottenAfterMs = 10_000

type Places = { taken: Set<object>; waiting: Map<string, number> }
const workspaces = new Map<string, Places>()

/**
 * Takes a place for a webhook and returns the function that gives it back; undefined while no place is free: ask again in a
 * moment.
 */
export function takePlace(workspace: string, webhook: string): (() => void) | undefined {
  const places = workspaces.get(workspace) ?? { taken: new Set(), waiting: new Map() }
  workspaces.set(workspace, places)
  const { taken, waiting } = places
  const now = performance.now()
  for (const [one, askedAt] of waiting) if (now - askedAt > forgottenAfterMs) waiting.delete(one)
  const before = [...waiting.keys()].indexOf(webhook)
  const ahead = before < 0 ? waiting.size : before
  if (taken.size + ahead >= mostOfWorkspace) {
    // Asking again keeps the webhook's place in the queue.
    waiting.set(webhook, now)
    return undefined
  }
  waiting.delete(webhook)
  const place = {}
  taken.add(place)
  return () => {
    taken.delete(place)
    if (taken.size === 0 && waiting.size === 0) workspaces.delete(workspace)
  }
}
