import { authorization, token } from './docs-token.js'

// Examples are shown with ids of the reader's own workspace: each id is looked up in the first list of the reference
// whose own example shows it.

const read = (path) => fetch(path).then((response) => response.json())

export const api = read('/openapi.json')

/** The document that has a path: that of the API, or that of the administration. */
export const documentOf = (path) => (path.startsWith('/admin/') ? read('/admin/openapi.json') : api)

const exampleId = /\b[a-z]{3}_01m5q8y2k7cv\d+\b/g
const exampleKey = '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11'

let known = new Map()
token.onChange(() => {
  known = new Map()
})

/** A text in which ids of the workspace replace those of examples, where the workspace has such things. */
export async function here(text) {
  if (!token.get()) return text
  const ids = [...new Set([...(text.match(exampleId) ?? []), ...(text.includes(exampleKey) ? [exampleKey] : [])])]
  const own = await Promise.all(ids.map(lookUp))
  return ids.reduce((filled, id, i) => (own[i] ? filled.replaceAll(id, own[i]) : filled), text)
}

/** The id that replaces that of an example; undefined if the workspace has nothing of its kind. */
function lookUp(id) {
  if (!known.has(id)) known.set(id, find(id).catch(() => undefined))
  return known.get(id)
}

async function find(id) {
  if (id === exampleKey) return (await listed('/api/v1/audit', 'entries')).find(({ key }) => key)?.key
  // One that the example of a list shows has its place there; others are told apart by their number.
  const alike = (await lists()).filter(({ ids }) => ids[0].startsWith(id.slice(0, 4)))
  const list = alike.find(({ ids }) => ids.includes(id)) ?? alike[0]
  if (!list) return undefined
  const found = await listed(await here(list.path), list.member)
  const place = list.ids.indexOf(id)
  return (found[place] ?? found[id.match(/\d+$/)[0] % found.length])?.id
}

/** Every list of the reference, with the ids that its example shows; lists that need no other id come first. */
async function lists() {
  const { paths } = await api
  return Object.entries(paths)
    .flatMap(([path, { get }]) => {
      if (get?.parameters?.some((one) => one.in === 'query' && one.required)) return []
      const example = get?.responses[200].content?.['application/json']?.example ?? {}
      const filled = (get?.parameters ?? []).reduce(
        (url, { name, example }) => url.replace(`{${name}}`, example),
        path,
      )
      return Object.entries(example)
        .filter(([, value]) => Array.isArray(value) && value[0]?.id)
        .map(([member, items]) => ({ path: filled, member, ids: items.map(({ id }) => id) }))
    })
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
}

async function listed(path, member) {
  const response = await fetch(path, { headers: authorization() })
  return response.ok ? (await response.json())[member] : []
}
