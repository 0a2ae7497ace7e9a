// Where words that are put below a page belong: before the tag that really closes its body, since the same letters may stand within
// a comment, a value or a style sheet, where nobody sees what is put there. Pure; the time it takes grows with the size alone.

/** What these hold is text up to their closing tag, whatever it looks like. */
const raw = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '))

/** The index at which words at the end of a page are put: as browsers read it, where its body closes, otherwise where it ends. */
export function endOfPage(html: string): number {
  let [body, page]: (number | undefined)[] = []
  const begin = /<(?:!--|[!?]|(\/?)([a-z][^\s/>]*)|\/)/gi
  for (let mark = begin.exec(html); mark; mark = begin.exec(html)) {
    const [written, slash, name = ''] = mark
    const tag = name.toLowerCase()
    const end =
      written === '<!--' ? endOfComment(html, mark.index) : endOfTag(html, begin.lastIndex)
    const next = slash || !raw.has(tag) ? end : endOfRaw(html, end, tag)
    // What is put behind it would be part of it.
    if (next === undefined) return body ?? page ?? mark.index
    if (slash && tag === 'body') body = mark.index
    if (slash && tag === 'html') page = mark.index
    begin.lastIndex = next
  }
  return body ?? page ?? html.length
}

/** Behind the comment that begins there; undefined if it does not end. */
function endOfComment(html: string, at: number): number | undefined {
  const short = /<!--(?:-?>)/y
  short.lastIndex = at
  return short.test(html) ? short.lastIndex : behind(/--!?>/g, html, at + '<!--'.length)
}

/** Behind the tag that goes on there. A quote counts only where a value begins. */
function endOfTag(html: string, from: number): number | undefined {
  const sign = /[>=]/g
  const value = /\s*(["'])?/y
  let at = from
  for (;;) {
    sign.lastIndex = at
    const found = sign.exec(html)
    if (!found) return undefined
    if (found[0] === '>') return sign.lastIndex
    value.lastIndex = sign.lastIndex
    const [, quote] = value.exec(html) ?? []
    at = value.lastIndex
    if (quote === undefined) continue
    const close = html.indexOf(quote, at)
    if (close < 0) return undefined
    at = close + 1
  }
}

/** Behind an element of text, whose first tag ends there. */
function endOfRaw(html: string, from: number | undefined, tag: string): number | undefined {
  // In a drawing such an element may close itself.
  if (from === undefined || html[from - 2] === '/') return from
  return behind(new RegExp(`</${tag}(?=[\\s/>])`, 'gi'), html, from)
}

function behind(sign: RegExp, html: string, from: number): number | undefined {
  sign.lastIndex = from
  return sign.test(html) ? sign.lastIndex : undefined
}
