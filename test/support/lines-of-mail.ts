import { readMail } from '../../activities/inbox/read-mail.ts'

// Mails of few lines, as the tests write them.

export const at = new Date('2026-11-23T09:30:00Z')
export const daemon = 'From: MAILER-DAEMON@relay.example'
export const kim = 'kim@client.example'

export const read = (...lines: string[]) => readMail(Buffer.from(lines.join('\r\n'), 'latin1'), at)

/** What a mail reports: kind, code, whether it is permanent, and the recipients. */
export const kindOf = async (...lines: string[]) => {
  const { report } = await read(...lines)
  return report && [report.kind, report.code, report.permanent, ...report.recipients]
}
