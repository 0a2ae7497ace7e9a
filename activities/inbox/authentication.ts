// What servers on a mail's way say of its sender (RFC 8601). Anybody can write such a header; which of them is believed is for
// db/inbox/trust.ts to say. Pure, and linear in the length of the header.

/**
 * What one header says of DMARC (RFC 7489), such as pass, fail or none, null where it says nothing, and under which name; the
 * topmost header first. Servers may write one for each check they make, so one that says nothing still tells whose word stands
 * on top.
 */
export type Authentication = { id: string; dmarc: string | null }

const maxHeaders = 100
// A whole head is no longer (read-mail.ts), so nothing pushes a verdict out of sight.
const maxLength = 512 * 1024

export const readAuthentication = (headers: { key: string; value: string }[]): Authentication[] =>
  headers
    .filter(({ key }) => key === 'authentication-results')
    .slice(0, maxHeaders)
    .flatMap(({ value }) => readHeader(value) ?? [])

// What a server calls itself. Anything else was made up by somebody.
const idPattern = /^[\x21-\x7e]{1,255}$/
// Wherever it stands: what a sender chose, such as an odd address, may have made a comment or a quotation of what follows it.
const failure = /\bdmarc\s*(?:\/\s*\d+\s*)?=\s*fail(?![a-z])/i

function readHeader(whole: string): Authentication | undefined {
  const value = whole.slice(0, maxLength)
  const [first = '', ...others] = bare(value).split(';')
  // Some servers leave their name out and begin with a result.
  const named = !first.includes('=')
  const id = named ? (first.trim().split(/\s/, 1)[0] ?? '').toLowerCase() : ''
  if (named && !idPattern.test(id)) return undefined
  const results = (named ? others : [first, ...others]).flatMap(
    (result) =>
      /^\s{0,100}dmarc\s{0,100}=\s{0,100}([a-z]+)/i.exec(result)?.[1]?.toLowerCase() ?? [],
  )
  const failed = results.includes('fail') || failure.test(value)
  return { id, dmarc: failed ? 'fail' : (results[0] ?? null) }
}

/**
 * Without comments, which nest, and without what stands between quotation marks: both may hold any character. As it is where one
 * of them never ends: a sender's odd address must not hide the results behind it.
 */
function bare(value: string): string {
  let text = ''
  let depth = 0
  let quoted = false
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string
    if (char === '\\' && (depth > 0 || quoted)) i++
    else if (char === '"' && depth === 0) quoted = !quoted
    else if (quoted) continue
    else if (char === '(') depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth === 0) text += char
  }
  return depth > 0 || quoted ? value : text
}
