import { compile } from 'html-to-text'

// The words of mail that is HTML alone. Pages come in any size, so the cost grows only linearly with the size.

/** A newsletter has some ten thousand characters; whatever follows this limit is cut. */
const maxHtml = 256 * 1024
/** The longest page of which nothing is cut, if the caller asks for all of it. */
export const longestPage = 1024 * 1024
// For each closing tag, the parser searches all open tags.
const maxTags = 10_000

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: longestPage, maxDepth: 100, maxChildNodes: 20_000 },
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

/** The words of a page, laid out as text if the page has no more tags than the limit, otherwise as bare words. */
export function wordsOf(page: string, most: number = maxHtml): string {
  // Embedded pictures would use up the space of the words when the page is cut.
  const html = page.replaceAll(/"data:[^"]*"/gi, '""').slice(0, most)
  if (tagsIn(html) > maxTags) return bareWords(html)
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
