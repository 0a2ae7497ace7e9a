import type { Attachment } from 'postal-mime'

/** What a part of a mail holds, as it was decoded. */
export const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)

/** Its first bytes as text. */
export const textOf = (part: Attachment, maxBytes: number): string =>
  bytesOf(part).subarray(0, maxBytes).toString('utf8')
