// What the styles of a letter refer to. Pure; the time it takes grows with the size alone.

type InStyles = {
  cids: string[]
  /** An address of theirs runs a script. */
  runs: boolean
  /** What else they do that a letter must not: each once, as it would be written. */
  tricks: string[]
}

const before = String.raw`(?:[\s\p{Cc}'"]|&quot;|&#39;){0,20}`
const file = new RegExp(String.raw`url\(${before}cid:([^)'"\s&]*)`, 'giu')
const script = new RegExp(String.raw`url\(${before}(?:(?:java|vb|live|j)script|mocha|vbs):`, 'iu')
const sheet = new RegExp(
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
export function tricksIn(css: string): string[] {
  const readings = [' ', ''].map((gap) => spelled(withoutComments(css, gap)).normalize('NFKC'))
  return tricks.filter(([, sign]) => readings.some((one) => sign.test(one))).map(([what]) => what)
}

const runsScript = (css: string) =>
  [css, spelled(css), spelled(withoutComments(css))].some((one) => sheet.test(one))

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
      code === undefined ? sign : characterOf(Number.parseInt(code, 16)),
    )
    .replace(/[\t\n\f\r]/g, '')

const characterOf = (code: number) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

const withoutComments = (css: string, gap = ' ') =>
  css
    .split('/*')
    .map((piece, i) => (i === 0 ? piece : piece.split('*/').slice(1).join('*/')))
    .join(gap)
