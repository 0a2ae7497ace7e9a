import { deepEqual } from 'node:assert/strict'
import { asWritten, isDisowned } from '../../../rules/mail/as-written.ts'
import { readMail } from '../../../rules/mail/read.ts'
import { ownOf } from '../../../rules/own-addresses.ts'
import { rowsIn } from '../../support/tsv.ts'

// Who wrote a mail that came directly, through a group, a list or a form, and under which names nobody is believed.

const at = new Date('2026-11-23T09:30:00Z')
const own = ownOf(['ana@halden.example', 'bo@halden.example', 'sales@gmail.com'])
const server = 'mx.halden.example'

describe('the writer of a mail', () => {
  const table = new URL('writers.tsv', import.meta.url)
  const columns = ['writer', 'name', 'via', 'believed', 'person', 'fields'] as const
  for (const { fields, ...expected } of rowsIn(table, ...columns))
    it(`is ${expected.writer}, ${fields}`, async () => {
      const lines = [
        fields.replaceAll('\n', '\r\n'),
        'To: ana@halden.example',
        'Subject: Cold room',
      ]
      const raw = Buffer.from([...lines, '', 'How much is it?'].join('\r\n'))
      const given = await readMail(raw, at)
      const { mail, via } = asWritten(given, own)
      const isForged = mail.suspect || (via !== null && isDisowned(given, [server], own))
      deepEqual(
        {
          writer: mail.from.address,
          name: mail.from.name || '-',
          via: via ?? '-',
          believed: isForged ? 'no' : 'yes',
          person: mail.automated || (mail.weak && via !== null) ? 'no' : 'yes',
        },
        expected,
      )
    })
})
