import sanitizeHtml from 'sanitize-html'
import { namesOfCid } from '../../letters.ts'
import { characterOf } from '../../text.ts'

// The HTML of a letter of ours is sent as it was given. What would run where it is read is refused. What would lead its addresses
// elsewhere or fetch more of it is left out, since mail programs and filters distrust letters that have it; where that is hidden, it
// is refused too. Pure, and run in a child process, because the time it takes depends on what is given. One file beyond 300 lines:
// what is refused, what is cut out and what a style may say are one rule, and have to agree.

type Finding = {
  code: 'script' | 'event_handler' | 'form' | 'javascript' | 'base' | 'link' | 'refresh' | 'style'
  what: string
}

type LetterHtml = {
  /** What the HTML must not have; each once. */
  findings: Finding[]
  /** The files that it refers to as `cid:NAME`, each once, as they stand there; empty for a reference without a name. */
  cids: string[]
  /** What stands for each picture in a text: its alternative text, otherwise its address in brackets. */
  pictures: string[]
}

/** The most findings that are named. */
const mostFindings = 20
/** Refused with the number of files; a letter cannot refer to more. */
const mostCids = 100
const mostPictures = 100
const longestPicture = 500

const scripts = new Set(['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet'])
const forms = new Set(['form', 'input', 'select', 'textarea', 'button', 'isindex'])
/** Whether what was found would run, or ask its reader for something, where it is read. */
export const doesRun = ({ code }: Finding): boolean =>
  ['script', 'event_handler', 'form', 'javascript'].includes(code)

/** Attributes that hold words and never an address. */
const wording = new Set(
  'alt title summary label abbr placeholder name id class lang aria-label'.split(' '),
)

export type Sendable = LetterHtml & {
  html: string
  /** What was left out of the HTML, in words. */
  leftOut: string[]
}

/** The HTML as it may be sent; it may not if it has findings still. */
export function readSendable(given: string): Sendable {
  const read = readLetterHtml(given)
  const runs = read.findings.filter(doesRun)
  if (runs.length > 0 || read.findings.length === 0)
    return { ...read, findings: runs, html: given, leftOut: [] }
  const html = withoutLoose(given)
  return { ...readLetterHtml(html), html, leftOut: read.findings.map(({ what }) => what) }
}

/** Why HTML with a finding is refused: a clause after the name of the member. */
export const mustNot = ({ what }: Finding): string => `must not have ${what}`

/** What stands in a page that must not be sent, and which files it refers to. */
export function readLetterHtml(html: string): LetterHtml {
  const findings = new Map<string, Finding>()
  const cids = new Set<string>()
  const pictures: string[] = []
  const found = (code: Finding['code'], what: string) => {
    if (findings.size < mostFindings) findings.set(what, { code, what })
  }
  const refer = (name: string) => {
    if (cids.size < mostCids) cids.add(name)
  }
  const readStyles = ({ cids: files, runs, tricks }: ReturnType<typeof addressesInStyle>) => {
    for (const name of files) refer(name)
    if (runs) found('javascript', 'a javascript: address in a style')
    for (const trick of tricks) found('style', `${trick} in a style`)
  }
  const readAddress = (name: string, address: string) => {
    const read = readBy(address)
    const scheme = schemeOf(read)
    if (scheme && scriptSchemes.has(scheme))
      found('javascript', `a ${scheme}: address (${named(name)})`)
    if (pageAsData.test(read) || (/href$/i.test(name) && drawingAsData.test(read)))
      found('script', `a page as data: (${named(name)}), which may run scripts`)
    if (name.endsWith('srcset')) for (const file of filesInSet(address)) refer(file)
    else if (scheme === 'cid') refer(fileOf(address))
  }
  const readTag = (tag: string, attributes: Record<string, string>) => {
    if (tag === 'script') found('script', 'a script (<script>)')
    else if (scripts.has(tag)) found('script', `<${tag}>, which may run scripts`)
    if (tag === 'base') found('base', '<base>, which changes what its addresses lead to')
    if (tag === 'link') found('link', '<link>, which fetches something when it is opened')
    const [, header] = (tag === 'meta' && acting.exec(attributes['http-equiv'] ?? '')) || []
    if (header)
      found('refresh', `<meta http-equiv="${header.toLowerCase()}">, which acts when it is opened`)
    if (forms.has(tag)) found('form', tag === 'form' ? 'a form (<form>)' : `a form's <${tag}>`)
    for (const [name, value] of Object.entries(attributes)) {
      if (isHandler(name)) found('event_handler', `an event handler (${named(name)})`)
      if (name === 'formaction') found('form', 'an address of a form (formaction)')
      if (name === 'style') readStyles(addressesInStyle(value))
      if (wording.has(name) || /^(?:data|aria)-/.test(name)) continue
      // An animation sets another attribute, to one value after the other.
      if (/^attributename$/i.test(name) && isHandler(value))
        found('event_handler', `an event handler (${named(value.trim())})`)
      for (const address of name === 'values' ? value.split(';') : [value])
        readAddress(name, address)
    }
  }
  // What follows a letter, such as a signature, would close a tag that stands open at its end.
  for (const [i, reading] of readingsOf(html).entries())
    sanitizeHtml(`${reading}>`, {
      allowedTags: [],
      allowedAttributes: {},
      parseStyleAttributes: false,
      onOpenTag(tag, attributes) {
        readTag(tag, attributes)
        if (i === 0 && tag === 'img' && pictures.length < mostPictures)
          pictures.push(...wordsFor(attributes))
      },
    })
  readStyles(addressesInPage(html))
  return { findings: [...findings.values()], cids: [...cids], pictures }
}

/** One that has no address shows nothing, and one with an empty alternative text says nothing. */
function wordsFor({ src = '', srcset = '', alt }: Record<string, string>): string[] {
  const address = src.trim() || srcset.trim()
  if (address === '' || alt?.trim() === '') return []
  if (alt !== undefined) return [alt.trim().slice(0, longestPicture)]
  const shown = /^data:([\w.+/-]{1,100})/i.exec(address)?.[1] ?? nameOf(address)
  return [`[${shown.slice(0, longestPicture)}]`]
}

const nameOf = (address: string) =>
  /^cid:/i.test(address) ? (namesOfCid(fileOf(address)).at(-1) ?? '') : address

const fileOf = (address: string) => address.trim().slice('cid:'.length)
/** The files of a picture of several sizes: addresses with a size behind them, and commas between them. */
const filesInSet = (set: string) => [...set.matchAll(inSet)].map(([, file = '']) => file)
const inSet = /(?:^|,)\s{0,20}cid:([^\s,]{0,255})/gi

const isHandler = (name: string) => /^\s*on[a-z]/i.test(name)
const named = (name: string) => name.slice(0, 40)

/** Browsers skip blanks and control characters before an address, and tabs and line breaks within it. */
const readBy = (value: string) =>
  value
    .slice(0, 2_000)
    .replace(/[\t\n\r]/g, '')
    .replace(beforeAddress, '')

const schemeOf = (address: string): string | undefined =>
  /^(?:\d*;\s*url=['"]?)?([a-z]+):/i.exec(address)?.[1]?.toLowerCase()

// Old programs knew several names of their languages.
const scriptSchemes = new Set(['javascript', 'vbscript', 'livescript', 'mocha', 'jscript', 'vbs'])
const pageAsData = /^data:(?:text\/(?:html|xml)|application\/(?:xhtml|xml))/i
/** As a picture a drawing runs nothing, but it is a page where it is opened. */
const drawingAsData = /^data:[\w.-]{1,100}\/[\w.-]{1,100}\+xml/i
/** Heads of answers that a page has itself, and that do something. */
const acting = /^\s{0,20}(refresh|link|set-cookie)\s{0,20}$/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is skipped.
const beforeAddress = /^[\u0000-\u0020]+/

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
const withoutLoose = (html: string): string =>
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
  text.replace(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi,
    (all, hex?: string, decimal = '') =>
      (hex ? characterOf(hex, 16) : characterOf(decimal, 10)) ?? all,
  )

// Programs read the same page in different ways, and what one of them sees as a comment or a value is a tag for another. Pure.

const others: { where: RegExp; as: (mark: string, slash: string) => string }[] = [
  // Outlook reads what stands in comments that are for it.
  { where: /<!--\s{0,20}\[if[^\]>]{0,200}\]>/gi, as: () => ' ' },
  // For a program that runs scripts, the inside of this element is text up to its closing tag, as that of <noembed> is for all.
  { where: /<(\/?)noscript(?=[\s/>])/gi, as: (_, slash) => `<${slash}noembed` },
  // Within a drawing, tags are read by other rules and text may hide them; some HTML tags end the drawing for some programs.
  {
    where: /<(\/?)(?:svg|math)(?=[\s/>])|<!\[cdata\[/gi,
    as: (mark, slash) => (mark.startsWith('<!') ? '<!' : `<${slash}b`),
  },
]

/** The page as it stands, and as other programs read it: together at most eight. */
export function readingsOf(html: string): string[] {
  let readings = [html]
  for (const { where, as } of others)
    readings = [...new Set(readings.flatMap((page) => [page, page.replaceAll(where, as)]))]
  return readings
}

// What the styles of a letter refer to. Pure; the time it takes grows with the size alone.

type InStyles = {
  cids: string[]
  /** An address of the page's author runs a script. */
  runs: boolean
  /** What else they do that a letter must not: each once, as it would be written. */
  tricks: string[]
}

const before = String.raw`(?:[\s\p{Cc}'"]|&quot;|&#39;){0,20}`
const file = new RegExp(String.raw`url\(${before}cid:([^)'"\s&]*)`, 'giu')
const script = new RegExp(String.raw`url\(${before}(?:(?:java|vb|live|j)script|mocha|vbs):`, 'iu')
const scriptInSheet = new RegExp(
  String.raw`(?:url\(|@import)${before}(?:(?:java|vb|live|j)script|mocha|vbs):`,
  'iu',
)

// Old programs ran scripts by these, and new ones fetch other styles.
const tricks: [what: string, sign: RegExp][] = [
  ['@import', /@import(?![\w-])/i],
  ['expression()', /(?<![\w-])expression\s{0,20}\(/i],
  ['behavior', /(?<![\w-])(?:-ms-)?behaviou?r\s{0,20}:/i],
  ['-moz-binding', /-moz-binding\s{0,20}:/i],
  ['-o-link', /-o-link(?:-source)?\s{0,20}:/i],
]

/** The files that styles show as `cid:`, wherever they stand in a page, and what they do that a letter must not. */
export const addressesInPage = (page: string): InStyles => ({
  cids: [...page.matchAll(file)].map(([, name = '']) => name),
  runs: script.test(page) || sheetsIn(page).some(runsScript),
  // A comment that stands open ends with its sheet.
  tricks: tricksIn(sheetsIn(page).join('*/\n')),
})

/** The same of the value of an attribute. */
export const addressesInStyle = (css: string): InStyles => ({
  cids: [...css.matchAll(file)].map(([, name = '']) => name),
  runs: runsScript(css),
  tricks: tricksIn(css),
})

/** Old programs skip comments within a word, and read wide letters as plain ones. */
function tricksIn(css: string): string[] {
  const readings = [' ', ''].map((gap) => spelled(withoutComments(css, gap)).normalize('NFKC'))
  return tricks.filter(([, sign]) => readings.some((one) => sign.test(one))).map(([what]) => what)
}

const runsScript = (css: string) =>
  [css, spelled(css), spelled(withoutComments(css))].some((one) => scriptInSheet.test(one))

/** The style sheets of a page, also those that only some programs read. */
const sheetsIn = (page: string) =>
  page
    .split(/<style(?=[\s/>])/i)
    .slice(1)
    .map((rest) => rest.split(/<\/style/i, 1)[0] ?? '')

/** Without escapes (CSS Syntax, 4.3.7), and without the line breaks and tabs that browsers skip within an address. */
const spelled = (css: string) =>
  css
    .replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, code: string | undefined, sign = '') =>
      code === undefined ? sign : (characterOf(code, 16) ?? '\ufffd'),
    )
    .replace(/[\t\n\f\r]/g, '')

const withoutComments = (css: string, gap = ' ') =>
  css
    .split('/*')
    .map((piece, i) => (i === 0 ? piece : piece.split('*/').slice(1).join('*/')))
    .join(gap)
