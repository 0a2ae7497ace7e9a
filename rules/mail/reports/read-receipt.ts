import { idsIn } from './addresses.ts'
import { outcomesIn } from './delivery-status.ts'
import { originalIds, type Report, type Seen, unique } from './look.ts'
import { tellsIn } from './notice.ts'
import { isReport, partOf, receiptTypes } from './parts.ts'
import { isReceipt } from './receipts.ts'

/** A note that a mail was shown or deleted (RFC 8098); programs send it for the person, who has not replied. */
export function readReceipt(look: Seen): Report | null {
  const { email, header, subject, from, notice } = look
  const part = partOf(email, receiptTypes)
  if (part === undefined && isReceipt(subject, notice.said))
    return {
      ...{ kind: 'delivery', permanent: false, code: null, recipients: unique([from.address]) },
      refersTo: idsIn(`Message-ID: ${header('in-reply-to').slice(0, 1_000)}`),
    }
  if (part === undefined || !isReport(email, 'disposition-notification')) return null
  // A mail server may refuse a letter in this form too (RFC 5429).
  if (look.isFromServer && tellsIn(look.subject, look.notice.said) === 'failed') return null
  const ids = /^original-message-id:[ \t]{0,9}(<[^<>\s]{1,990}>)/im.exec(part)?.[1]
  const refersTo = ids === undefined ? originalIds(look) : [ids]
  const found = outcomesIn(part, '').flatMap(({ recipients }) => recipients)
  return { kind: 'delivery', permanent: false, code: null, recipients: unique(found), refersTo }
}
