import type { Attachment } from 'postal-mime'
import { plainLine } from '../text.ts'
import { bytesOf } from './attachments.ts'
import { subjectIn } from './mime/heads.ts'
import { line, type ReceivedFile } from './received.ts'

// The files of a mail, as they are kept.

const mostFiles = 100
const longestName = 200
const longestCid = 300

/**
 * The files, and what the text is to say of them. If a mail has more than are kept by themselves, the last one is the mail as it
 * came, which has them all. `note` stands where a signature does, so that nobody's words change by it. `hasInvite`: a calendar program
 * wrote one of them, which often has no name.
 */
export function filesOf(
  parts: Attachment[],
  raw: Buffer,
  hasInvite: boolean,
): { files: ReceivedFile[]; note: string } {
  const read = (part: Attachment, place: number) => fileOf(part, place, hasInvite)
  if (parts.length <= mostFiles) return { files: parts.map(read), note: '' }
  const kept = mostFiles - 1
  const whole = { name: 'message.eml', type: 'message/rfc822', content: raw, cid: null }
  return {
    files: [...parts.slice(0, kept).map(read), whole],
    note: `\n\n-- \nThis message has ${parts.length} files: the first ${kept} are kept by themselves, and all of them in message.eml.`,
  }
}

function fileOf(part: Attachment, place: number, hasInvite: boolean): ReceivedFile {
  const { filename, mimeType, contentId } = part
  const named = nameOf(filename ?? '')
  const isInvite = hasInvite && mimeType === 'text/calendar'
  const unnamed = isInvite ? 'invite.ics' : `${place + 1}${extensionOf(mimeType)}`
  const subject = isMail(mimeType) && isGeneral(named) ? nameOf(subjectIn(bytesOf(part))) : ''
  return {
    name: (subject && `${subject}.eml`) || named || unnamed,
    type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : 'application/octet-stream',
    content: bytesOf(part),
    cid: cidOf(contentId),
  }
}

const nameOf = (given: string): string =>
  plainLine(given)
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .trim()
    .slice(0, longestName)

const isMail = (type: string) => type === 'message/rfc822' || type === 'message/global'

/** A name that programs give to every mail that is sent on. */
const isGeneral = (name: string) =>
  /^$|^(?:attached[ _-]?(?:message|mail)|forwarded[ _-]?message|forward|message|mail|e-?mail|nachricht|noname|unnamed|untitled|unbenannt|mail attachment|attachment|part[ _.-]?[\d.]{0,20}|att\d{1,9}|\d{1,9})(?:[ _-]?\(?\d{1,4}\)?)?(?:\.(?:eml|msg|txt|mht|dat))?$/i.test(
    name,
  )

/** The value of Content-ID without its brackets (RFC 2392). */
function cidOf(contentId = ''): string | null {
  const cid = line(contentId.slice(0, longestCid + 10)).replace(/^<|>$/g, '')
  return cid === '' || cid.length > longestCid ? null : cid
}

const extensionOf = (type: string) =>
  ({ 'message/rfc822': '.eml', 'text/calendar': '.ics', 'text/html': '.html' })[type] ?? '.bin'
