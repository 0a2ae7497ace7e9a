import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { rowsIn } from '../../support/tsv.ts'

const kim = 'kim@client.example'

describe('the code of a report', () => {
  const reasons = rowsIn(
    new URL('codes-of-reports.tsv', import.meta.url),
    'code',
    'permanent',
    'words',
  )
  for (const { code, permanent, words } of reasons)
    it(`is that of a reason in few words: ${words}`, async () => {
      const lines = [
        'From: MAILER-DAEMON@relay.example',
        'Subject: Returned mail',
        'Content-Type: text/plain; charset=utf-8',
        '',
        `<${kim}>`,
        words,
      ]
      const { report } = await readMail(Buffer.from(lines.join('\r\n')), new Date())
      deepEqual(
        [report?.kind, report?.code, report?.permanent, report?.recipients],
        ['bounce', code, permanent === 'yes', [kim]],
      )
    })
})
