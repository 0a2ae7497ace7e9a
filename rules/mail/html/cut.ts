import { tricksIn } from './css.ts'

// What a letter must not have and can do without is cut out of its HTML: programs that make HTML for mail add fonts by <link> and
// @import, and mail programs that know them not show another font. Pure. What is hidden from these patterns stays, and is refused.

/** The rest of a tag behind its name; a value in quotation marks may have its closing sign. */
const rest = String.raw`(?=[\s/>])(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,500}>`
const fetching = new RegExp(String.raw`<(?:base|link)${rest}|</(?:base|link)\s{0,20}>`, 'gi')
const meta = new RegExp(`<meta${rest}`, 'gi')
const acts = /http-equiv\s{0,20}=\s{0,20}["']?\s{0,20}(?:refresh|link|set-cookie)/i
const sheet = /(<style(?=[\s/>])[^>]{0,500}>)([\s\S]*?)(<\/style|$)/gi
const address = `(?:"[^"]{0,2000}"|'[^']{0,2000}')`
const imports = new RegExp(
  String.raw`@import(?![\w-])\s{0,50}(?:url\(\s{0,50}(?:${address}|[^"')]{0,2000})\s{0,50}\)|${address})[^;{}"']{0,500}(?:;|$)`,
  'gi',
)
const styles = /(\sstyle\s{0,20}=\s{0,20})("[^"]*"|'[^']*')/gi

/** HTML without what changes where its addresses lead to, fetches more of it, or ran in old programs. */
export const withoutLoose = (html: string): string =>
  html
    .replace(fetching, '')
    .replace(meta, (tag) => (acts.test(tag) ? '' : tag))
    .replace(sheet, (_, open: string, css: string, close: string) => open + cleanSheet(css) + close)
    .replace(styles, (all, name: string, quoted: string) => {
      const kept = cleanDeclarations(quoted.slice(1, -1))
      return kept === quoted.slice(1, -1) ? all : `${name}${quoted[0]}${kept}${quoted[0]}`
    })

const cleanSheet = (css: string) =>
  css
    .replace(imports, '')
    .replace(/\{([^{}]*)\}/g, (_, declarations: string) => `{${cleanDeclarations(declarations)}}`)

/** Without the declarations that are tricks. */
function cleanDeclarations(css: string): string {
  const hasTricks = (text: string) => tricksIn(decoded(text)).length > 0
  if (!hasTricks(css)) return css
  return declarationsIn(css)
    .filter((declaration) => !hasTricks(declaration))
    .join(';')
}

// Semicolons stand in comments, strings, brackets and references to characters too.
const pieces =
  /\/\*[\s\S]{0,5000}?\*\/|"[^"]{0,5000}"|'[^']{0,5000}'|\([^()]{0,5000}\)|&#?\w{1,10};|;|[^;]/g

function declarationsIn(css: string): string[] {
  const all = ['']
  for (const [piece] of css.matchAll(pieces)) {
    if (piece === ';') all.push('')
    else all[all.length - 1] += piece
  }
  return all
}

/** With characters in place of references to them by number. */
const decoded = (text: string) =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0x10ffff ? all : String.fromCodePoint(code)
  })
