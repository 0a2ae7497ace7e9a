import { createHash } from 'node:crypto'

// Parts that are written anew.

/** The fields that say what it is, and its body. */
export type Content = { fields: string[]; body: Buffer }

export const textPart = (text: string, is: 'plain' | 'html' = 'plain'): Content => ({
  fields: [`Content-Type: text/${is}; charset=utf-8`, 'Content-Transfer-Encoding: base64'],
  // No line of base64 looks like a boundary.
  body: lines(Buffer.from(text)),
})

export const filePart = (file: {
  name: string
  type: string
  cid: string
  content: Buffer
}): Content => ({
  fields: [
    `Content-Type: ${/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(file.type) ? file.type : 'application/octet-stream'}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(file.name.toWellFormed())}`,
    ...(/^[\x21-\x7e]{1,200}$/.test(file.cid) ? [`Content-ID: <${file.cid}>`] : []),
  ],
  body: lines(file.content),
})

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
