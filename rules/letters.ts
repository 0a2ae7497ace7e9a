import { endOfPage } from './end-of-page.ts'

// How the words of a letter are put together. Pure.

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')

/** A text with a signature below, after the line by which mail programs know one (RFC 3676, 4.3). */
export const signedText = (text: string, signature: string): string =>
  signature.trim() === '' ? text : `${text.trimEnd()}\n\n-- \n${signature.trim()}`

/** A page with a signature at the end of its body. */
export function signedHtml(html: string, signature: string): string {
  if (signature.trim() === '') return html
  const at = endOfPage(html)
  const lines = signature.trim().split(/\r\n|\r|\n/)
  const block = `<br>\n<div>-- <br>\n${lines.map(escaped).join('<br>\n')}</div>\n`
  return html.slice(0, at) + block + html.slice(at)
}

/** The first line of a text that is not blank, as a subject. */
export const firstLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map((line) => line.trim())
    .find((line) => line !== '') ?? ''

/** The names of Content-ID that need no quoting anywhere (RFC 2392). */
const plainCid = /^[A-Za-z0-9!#$&'*+\-/=?^_`{|}~.@]{1,200}$/

/** Whether a file of this name may be referred to by it in a mail. */
export const isPlainCid = (name: string): boolean => plainCid.test(name)

/** The names that a reference may mean: as it stands there, and without percent-encoding. */
export function namesOfCid(reference: string): string[] {
  try {
    return [...new Set([reference, decodeURIComponent(reference)])]
  } catch {
    return [reference]
  }
}

/** A page with other names in its references to files; the longest first, since one may begin like another. */
export function withCids(html: string, renamed: Map<string, string>): string {
  const references = [...renamed.keys()].sort((a, b) => b.length - a.length)
  let page = html
  for (const reference of references) {
    const made = `cid:${renamed.get(reference)}`
    for (const written of new Set([reference, escaped(reference)]))
      for (const scheme of ['cid', 'CID'])
        page = page.replaceAll(`${scheme}:${written}`, () => made)
  }
  return page
}
