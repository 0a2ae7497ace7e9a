import { compile } from 'html-to-text'

// The words of mail that is HTML alone. Pages come in any size, so the cost grows only linearly with the size.

/** A newsletter has some ten thousand characters; whatever follows this limit is cut. */
const maxHtml = 256 * 1024
/** The longest page of which nothing is cut, if the caller asks for all of it. */
export const longestPage = 1024 * 1024
// For each closing tag, the parser searches all open tags.
const maxTags = 10_000
/** A whole page may have more, if few of them are open at a time. */
const maxOpen = 500

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: longestPage, maxDepth: 100, maxChildNodes: 300_000 },
  // A letter is not shouted because it has a heading, and the cells of a row are words of their own.
  formatters: {
    cell(element, walk, builder) {
      builder.addInline(' ')
      walk(element.children, builder)
      builder.addInline(' ')
    },
  },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    { selector: 'title', format: 'skip' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'table', format: 'block' },
  ],
})

/**
 * The words of a page, laid out as text if the page has no more tags than the limit, or if all of it is asked for and few tags are
 * open at a time; otherwise as bare words.
 */
export function wordsOf(page: string, most: number = maxHtml): string {
  // Embedded pictures would use up the space of the words when the page is cut.
  const html = page.replaceAll(/"data:[^"]*"/gi, '""').slice(0, most)
  if (tagsIn(html) > maxTags && (most < longestPage || isDeep(html))) return bareWords(html)
  try {
    return toText(html)
  } catch {
    // The page is nested deeper than the stack; the bare words are better than nothing.
    return bareWords(html)
  }
}

function tagsIn(html: string): number {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++
  return tags
}

// Those that the parser closes by itself.
const closed = new Set(
  `area base br col embed hr img input link meta source track wbr
  p li dt dd tr td th thead tbody tfoot option optgroup`.split(/\s+/),
)

/** Whether many tags stand open somewhere, counted without those that the parser closes by itself. */
function isDeep(html: string): boolean {
  const counts = new Map<string, number>()
  let open = 0
  for (const [, slash, written = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9:-]{0,30})/gi)) {
    const name = written.toLowerCase()
    if (closed.has(name)) continue
    const count = counts.get(name) ?? 0
    if (slash && count === 0) continue
    counts.set(name, slash ? count - 1 : count + 1)
    open += slash ? -1 : 1
    if (open > maxOpen) return true
  }
  return false
}

/** The text between the tags, without style sheets and scripts. */
const bareWords = (html: string) =>
  `>${html}`
    .split('<')
    .map((piece) => (/^(?:style|script)\b/i.test(piece) ? '' : piece.slice(endOf(piece))))
    .join(' ')

const endOf = (piece: string) => {
  const end = piece.indexOf('>')
  return end < 0 ? piece.length : end + 1
}
