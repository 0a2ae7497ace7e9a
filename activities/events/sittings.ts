// The webhooks of one workspace have so many places in a process at once, so that receivers which hang, of however many webhooks,
// leave places to those of others. Within the workspace whoever has waited longest comes first.
// aside/line.ts does not fit: nobody waits in this process. A webhook's workflow asks again later, and one that is gone must not
// keep its turn.

const mostOfWorkspace = 8
// Who has not asked again for this long has been served by another process, or is gone.
const forgottenAfterMs = 10_000

type Places = { taken: Set<object>; waiting: Map<string, number> }
const workspaces = new Map<string, Places>()

/** A place for a webhook, and how to give it back; undefined while there is none: ask again in a moment. */
export function takePlace(workspace: string, webhook: string): (() => void) | undefined {
  const places = workspaces.get(workspace) ?? { taken: new Set(), waiting: new Map() }
  workspaces.set(workspace, places)
  const { taken, waiting } = places
  const now = performance.now()
  for (const [one, askedAt] of waiting) if (now - askedAt > forgottenAfterMs) waiting.delete(one)
  const before = [...waiting.keys()].indexOf(webhook)
  const ahead = before < 0 ? waiting.size : before
  if (taken.size + ahead >= mostOfWorkspace) {
    // One that asks again keeps where it stands.
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
