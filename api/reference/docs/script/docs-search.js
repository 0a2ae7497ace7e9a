import MiniSearch from './docs-minisearch.js'

// Finds in all that the page says: guides, calls with their members and values, kinds of events, and error codes. Titles come first.

const kinds = [
  ['.guide', 'h3, h4', () => 'Guide'],
  ['article[id^="event-"]', 'h3', () => 'Kind of event'],
  ['article', 'h3', (part) => [...part.querySelectorAll('.call > .method, .call > .method + code')].map((one) => one.textContent).join(' ')],
  ['dl > div', 'dt a', () => 'Error code'],
]

let index

/** What has all the words, or their beginnings; if nothing has, what has some of them. */
export function searched(text) {
  index ??= indexed()
  const found = index.search(text, { combineWith: 'AND' })
  return found.length > 0 ? found : index.search(text, { combineWith: 'OR' })
}

function indexed() {
  const made = new MiniSearch({
    fields: ['title', 'place', 'text'],
    storeFields: ['title', 'place'],
    searchOptions: {
      boost: { title: 8, place: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    },
  })
  const parts = new Map()
  for (const [selector, heading, placeOf] of kinds)
    for (const part of document.querySelectorAll(`:is(${selector})[id]`)) {
      if (parts.has(part.id)) continue
      parts.set(part.id, {
        id: part.id,
        title: part.querySelector(heading)?.textContent ?? '',
        place: placeOf(part),
        text: part.querySelector('.told')?.textContent ?? part.textContent,
      })
    }
  made.addAll([...parts.values()])
  return made
}
