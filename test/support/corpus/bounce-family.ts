import type { Letter } from './letters.ts'
import type { Reason } from './reasons.ts'

export type Case = {
  letter: Letter
  reason: Reason
  /** The letter as the server returns it: whole, its head, or a beginning of that. */
  tail: string
  /** The answer of the server that refused it. */
  answer: string
}

export type BounceFamily = {
  name: string
  from: string
  subject: string
  reasons: Reason['name'][]
  /** What the server writes for people. */
  says: (given: Case) => string
  /** What it writes for programs (RFC 3464), if it does. */
  status?: (given: Case) => string
  /** The content of the standard's part is in the text, or in a part outside of multipart/report. */
  loose?: boolean
  /** What the code is where the server gives none. */
  codes?: Partial<Record<Reason['name'], string>>
  /** The server does not return the letter. */
  noLetter?: boolean
  /** Characters beyond ASCII, which may come in any charset that has them. */
  latin?: boolean
  japanese?: boolean
}

export const all: Reason['name'][] = ['unknown', 'full', 'domain', 'disabled', 'policy', 'expired']
export const firm: Reason['name'][] = ['unknown', 'full', 'disabled', 'policy']

/** The usual blocks. */
export const blocks =
  (action = 'failed', more: string[] = []) =>
  ({ letter, reason, answer }: Case) =>
    [
      `Reporting-MTA: dns; mx.relay.example`,
      `Arrival-Date: Mon, 23 Nov 2026 09:12:44 +0000`,
      '',
      ...more,
      `Final-Recipient: rfc822; ${letter.to}`,
      `Action: ${action}`,
      `Status: ${reason.code}`,
      `Remote-MTA: dns; mx.${letter.host}`,
      `Diagnostic-Code: smtp; ${answer}`,
    ].join('\n')
