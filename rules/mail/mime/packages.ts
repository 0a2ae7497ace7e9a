import { decodeText } from '../charsets/decode.ts'
import { readCms } from './cms.ts'
import { type Field, fieldsIn, isNamed, isOfContent, written } from './fields.ts'
import { hasName, isPkcs7, isTnef } from './kinds.ts'
import { unpackTnef } from './tnef.ts'
import { carriedIn, isUuencode } from './transfer.ts'
import type { Part } from './tree.ts'
import { uuFilesIn } from './uuencode.ts'
import { type Content, filePart, inBase64, several, textPart } from './written.ts'

// Parts in which programs pack others: what lies in them takes their place, or a sentence that says why nobody here can read it.

const said = (way: string) =>
  `This message is encrypted (${way}). It is attached as it came: a mail program that has its key shows it.`

/**
 * What is to stand in the place of a part; undefined if it is no package, or one that cannot be taken apart. `again` does the same
 * with a mail within it; `hasText` says whether the mail has words anyhow.
 */
export function openPackage(
  raw: Buffer,
  part: Part,
  fields: Field[],
  { hasText, again }: { hasText: boolean; again: (raw: Buffer) => Buffer },
): Content | undefined {
  if (part.type.value === 'application/pgp-encrypted') return textPart(said('PGP/MIME'))
  if (isUuencode(part.encoding)) return inUuencode()
  const opens = isPkcs7(part) ? openPkcs7 : isTnef(part) ? openTnef : undefined
  const bytes = opens && carriedIn(raw.subarray(part.body, part.end), part.encoding).bytes
  return opens && bytes && opens(bytes)

  /** The parser does not know this encoding, which has the name of the file in itself. */
  function inUuencode(): Content | undefined {
    const [file] = uuFilesIn(raw.subarray(part.body, part.end).toString('latin1')).files
    if (!file) return undefined
    const { content } = file
    const name = decodeText(Buffer.from(file.name, 'latin1')).text
    if (!hasName(part)) return filePart({ name, content, type: part.type.value })
    return inBase64(
      fields.filter((field) => isOfContent(field) && !isEncoding(field)).map(written),
      content,
    )
  }

  function openPkcs7(bytes: Buffer): Content | undefined {
    const sealed = readCms(bytes)
    // Some gateways leave out what they do not understand, and keep the type.
    const named = part.type.params['smime-type'] ?? ''
    if (sealed.is === 'encrypted' || (sealed.is === 'unknown' && /envelope|encrypt/i.test(named)))
      return several([textPart(said('S/MIME')), asItCame()])
    return sealed.is === 'open' ? contentOf(again(sealed.content)) : undefined
  }

  function openTnef(bytes: Buffer): Content | undefined {
    const unpacked = unpackTnef(bytes)
    if (!unpacked) return undefined
    const { text, html, files } = unpacked
    const letters = hasText
      ? []
      : [...(text.trim() ? [textPart(text)] : []), ...(html.trim() ? [textPart(html, 'html')] : [])]
    const letter = letters.length > 1 ? [several(letters, 'alternative')] : letters
    const parts = [...letter, ...files.map(filePart)]
    return parts.length === 0 ? undefined : several(parts)
  }

  function asItCame(): Content {
    return {
      fields: fields.filter(isOfContent).map(written),
      body: raw.subarray(part.body, part.end),
    }
  }
}

const isEncoding = isNamed('content-transfer-encoding')

/** A mail within: of its head, only what says how to read it. */
function contentOf(raw: Buffer): Content {
  const head = /^\r?\n|\r?\n\r?\n/.exec(raw.subarray(0, longestHead).toString('latin1'))
  const at = head ? head.index + head[0].length : 0
  const fields = fieldsIn(raw.subarray(0, at)).filter(isOfContent)
  const isTyped = fields.some(isNamed('content-type'))
  return {
    fields: isTyped ? fields.map(written) : ['Content-Type: text/plain'],
    body: raw.subarray(at),
  }
}
const longestHead = 64 * 1024
