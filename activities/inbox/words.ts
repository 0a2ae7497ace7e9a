import { compile } from 'html-to-text'

// The words of mail that is HTML alone. A page of any size may come: what it costs grows with its size and not faster.

/** A newsletter has some ten thousand characters; what is behind this is cut. */
const maxHtml = 256 * 1024
// The parser looks through all that are open for each tag that closes.
const maxTags = 10_000

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: maxHtml, maxDepth: 100, maxChildNodes: 20_000 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'table', format: 'block' },
  ],
})

/** The words of a page, laid out as text where it has no more tags than a letter may have, else as they come. */
export function wordsOf(page: string): string {
  // Pictures within the page would stand for its words when it is cut.
  const html = page.replaceAll(/"data:[^"]*"/gi, '""').slice(0, maxHtml)
  if (tagsIn(html) > maxTags) return bareWords(html)
  try {
    return toText(html)
  } catch {
    // Nested deeper than the stack: the bare words are better than none.
    return bareWords(html)
  }
}

function tagsIn(html: string): number {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++
  return tags
}

/** What stands between the tags, without style sheets and scripts. */
const bareWords = (html: string) =>
  `>${html}`
    .split('<')
    .map((piece) => (/^(?:style|script)\b/i.test(piece) ? '' : piece.slice(endOf(piece))))
    .join(' ')

const endOf = (piece: string) => {
  const end = piece.indexOf('>')
  return end < 0 ? piece.length : end + 1
}
