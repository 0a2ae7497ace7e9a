// What servers on a mail's way say about its sender (RFC 8601). Anybody can write such a header; db/inbox/trust.ts decides
// which of them is believed. Pure, and linear in the length of the header.

/**
 * What one header says about DMARC (RFC 7489), such as pass, fail or none (null if it says nothing), and the name of its
 * server; the topmost header first. A server may write one header for each check it makes, so even a header without DMARC shows
 * which server wrote last.
 */
export type Authentication = { id: string; dmarc: string | null }

const maxHeaders = 100
// The whole head is not longer than this (parsed.ts), so nothing can push a verdict out of sight.
const maxLength = 512 * 1024

export const readAuthentication = (headers: { key: string; value: string }[]): Authentication[] =>
  headers
    .filter(({ key }) => key === 'authentication-results')
    .slice(0, maxHeaders)
    .flatMap(({ value }) => readHeader(value) ?? [])

/** The same about a mail before a group of ours sent it on: what the group keeps of it, or its chain (RFC 8617). */
export const readOriginalAuthentication = (headers: { key: string; value: string }[]) =>
  headers
    .filter(({ key }) => originals.has(key))
    .slice(0, maxHeaders)
    .flatMap(
      ({ value }) =>
        readHeader(value.replace(/^\s{0,100}i\s{0,10}=\s{0,10}\d{1,3}\s{0,10};/i, '')) ?? [],
    )
const originals = new Set(['x-original-authentication-results', 'arc-authentication-results'])

// The form of a server's name. Anything else was made up.
const idPattern = /^[\x21-\x7e]{1,255}$/
// Found anywhere in the header: something that the sender chose, such as an odd address, may have turned the rest into a
// comment or a quotation.
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
 * Removes comments, which nest, and quoted strings, because both may hold any character. If one of them never ends, the header
 * is returned as it is: a sender's odd address must not hide the results after it.
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
