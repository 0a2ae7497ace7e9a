// Mails that the tests make, in the forms of many servers and programs. Everything follows from its number, so that a mail that
// fails fails again. All addresses, names and words are our own.

/** A number between 0 and 1 that follows from a name (mulberry32). */
export function chance(seed: string): () => number {
  let state = [...seed].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) | 0, 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

export type Part = { type: string; text: string; charset?: string; encoding?: string }

const encodings: Record<string, (bytes: Buffer) => string> = {
  base64: (bytes) => (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'),
  'quoted-printable': (bytes) =>
    bytes
      .toString('latin1')
      .replaceAll(
        /[^\t\r\n\x20-\x3c\x3e-\x7e]/g,
        (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      )
      .replaceAll(/(.{70})(?=.)/g, (line) => (/=[0-9A-F]?$/.test(line) ? line : `${line}=\r\n`)),
}

const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** The bytes of a text in a charset of one byte a character, or in UTF-8. */
const bytesOf = (text: string, charset: string) =>
  Buffer.from(crlf(text), charset === 'iso-8859-1' || charset === 'us-ascii' ? 'latin1' : 'utf8')

/** A part with its head. */
export function partOf({ type, text, charset, encoding }: Part): Buffer {
  const bytes = bytesOf(text, charset ?? 'utf-8')
  const head = [
    `Content-Type: ${type}${charset ? `; charset=${charset}` : ''}`,
    ...(encoding ? [`Content-Transfer-Encoding: ${encoding}`] : []),
  ]
  const body = encoding && encodings[encoding] ? Buffer.from(encodings[encoding](bytes)) : bytes
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

export function multipart(kind: string, parts: Buffer[], boundary: string): Buffer {
  const between = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([
    Buffer.from(`Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n`),
    ...between,
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

/** A mail of a head and a body that begins with its own content type. */
export const mailOf = (head: string[], body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${head.filter(Boolean).join('\r\n')}\r\nMIME-Version: 1.0\r\n`),
    body,
  ])

export const encodedWord = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
