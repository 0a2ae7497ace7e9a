import { readMail } from '../../activities/inbox/read-mail.ts'

const at = new Date('2026-11-23T09:30:00Z')

/** A mail to ana@us.example of plain text in UTF-8, as the service reads it. */
export const readText = (head: string[], ...body: string[]) =>
  readMail(
    Buffer.from(
      [
        'To: ana@us.example',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 8bit',
        ...head,
        '',
        ...body,
      ].join('\r\n'),
    ),
    at,
  )
