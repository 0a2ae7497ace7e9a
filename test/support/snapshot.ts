import { answersEvents } from '../../api/http/event-stream.ts'
import { routes } from '../../api/routes/index.ts'
import type { Caller } from './service.ts'

// The answers of all reads of a workspace: every GET of the table, for everything that they name. The export of a person has the
// bytes of files, in which ids stand in base64; what else it has, the others say.

const reads = routes.filter(
  (route) =>
    route.method === 'GET' && !answersEvents(route) && route.path !== '/people/{id}/export',
)
// All events, since the cursor of a next page is a place in a sequence that all share; and whatever has a word with this letter.
const given: Record<string, string> = { '/events': '?limit=200', '/search': '?q=e&limit=200' }
const id = /\b(?:[a-z]{3}_[0-9a-z_]{6,}|evt_\d+)\b/g
const prefixOf = (text: string) => text.slice(0, 4)

export type Snapshot = { answers: Record<string, unknown[]>; ids: Set<string> }

/** Asks every read; `keys` are those of operations, `own` what is the workspace's name in ids and addresses. */
export async function snapshotOf(call: Caller, keys: string[], own: string): Promise<Snapshot> {
  const ids = new Set<string>()
  const said = new Map<string, unknown>()
  // What each path names, by the first of a kind that it answers.
  const kinds = new Map<string, Set<string>>()
  const tried = new Set<string>()

  async function ask(path: string): Promise<boolean> {
    const { status, text, body } = await call('GET', path)
    if (status !== 200) return false
    said.set(path, body ?? text)
    for (const found of text.match(id) ?? []) ids.add(found)
    return true
  }

  for (const { path } of reads) if (!path.includes('{')) await ask(`${path}${given[path] ?? ''}`)
  for (const key of keys) await ask(`/operations/${key}`)
  for (let before = -1; before !== ids.size; ) {
    before = ids.size
    for (const { path } of reads) {
      if (path.split('{').length !== 2 || path.includes('{key}')) continue
      const taken = kinds.get(path) ?? new Set()
      kinds.set(path, taken)
      const strange = new Set<string>()
      for (const one of ids) {
        const kind = prefixOf(one)
        const concrete = path.replace(/\{\w+\}/, one)
        if (tried.has(concrete) || (strange.has(kind) && !taken.has(kind))) continue
        tried.add(concrete)
        if (await ask(concrete)) taken.add(kind)
        else strange.add(kind)
      }
    }
  }

  const answers: Record<string, unknown[]> = {}
  for (const [path, body] of said) {
    const name = plain(path, own)
    answers[name] = [...(answers[name] ?? []), plainOf(body, own)]
  }
  for (const list of Object.values(answers)) list.sort(byText)
  return { answers, ids }
}

// Without what differs from run to run: ids, moments, the workspace's own name; and in an order that hangs on none of them.
function plainOf(value: unknown, own: string): unknown {
  if (typeof value === 'string') return plain(value, own)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => plainOf(item, own)).sort(byText)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      // A place in a sequence that all share, and how busy the machine was.
      /^(cursor|lateBy)$/.test(name) && item !== null ? name : plainOf(item, own),
    ]),
  )
}

const plain = (text: string, own: string) =>
  text
    .replaceAll(own, 'OWN')
    .replace(id, (one) => `${prefixOf(one)}…`)
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'uuid')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'moment')
    .replace(/<[^<>@\s]+@/g, '<…@')
    .replace(/^\d+$/, 'number')

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
