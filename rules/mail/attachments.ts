import type { Attachment } from 'postal-mime'

/** The decoded content of a part of a mail. */
export const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)

/** The first bytes of the content, as text. */
export const textOf = (part: Attachment, maxBytes: number): string =>
  bytesOf(part).subarray(0, maxBytes).toString('utf8')
