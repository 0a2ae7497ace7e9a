import { createHash } from 'node:crypto'

// Parts that are rewritten.

/** The fields that say what it is, and its body. */
export type Content = { fields: string[]; body: Buffer }

/** No line of base64 looks like a boundary. */
export const inBase64 = (fields: string[], bytes: Buffer): Content => ({
  fields: [...fields, 'Content-Transfer-Encoding: base64'],
  body: lines(bytes),
})

export const textPart = (text: string, is: 'plain' | 'html' = 'plain'): Content =>
  inBase64([`Content-Type: text/${is}; charset=utf-8`], Buffer.from(text))

type File = { name: string; content: Buffer; type?: string; cid?: string }
export const filePart = ({ name, content, type = '', cid = '' }: File): Content =>
  inBase64(
    [
      `Content-Type: ${/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(type) ? type : 'application/octet-stream'}`,
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name.toWellFormed())}`,
      ...(/^[\x21-\x7e]{1,200}$/.test(cid) ? [`Content-ID: <${cid}>`] : []),
    ],
    content,
  )

export function several(parts: Content[], type: 'mixed' | 'alternative' = 'mixed'): Content {
  const hash = createHash('sha256')
  for (const { body } of parts) hash.update(body)
  const boundary = `postroom-${hash.digest('hex')}`
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n`),
    bytesOf(part),
    Buffer.from('\r\n'),
  ])
  return {
    fields: [`Content-Type: multipart/${type}; boundary="${boundary}"`],
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** `before`: its other fields. */
export const bytesOf = ({ fields, body }: Content, before: string[] = []): Buffer =>
  Buffer.concat([Buffer.from([...before, ...fields, '', ''].join('\r\n'), 'latin1'), body])

const lineLength = 57 * 1_000
function lines(bytes: Buffer): Buffer {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += lineLength)
    pieces.push(bytes.toString('base64', at, Math.min(bytes.length, at + lineLength)))
  return Buffer.from(pieces.join('\r\n'))
}
