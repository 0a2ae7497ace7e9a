import { deepEqual } from 'node:assert/strict'
import { idsInAnswer, keysOfId } from '../../rules/letter-ids.ts'

describe('the ids that a server names when it has taken a letter', () => {
  const answers: [string, string, string[]][] = [
    ['Amazon SES', '250 Ok 0107019C-0000aaaa-000000', ['0107019c-0000aaaa-000000']],
    [
      'Outlook.com',
      '250 2.0.0 OK <DB9P191MB1234@DB9P191MB1234.EURP191.PROD.OUTLOOK.COM> [Hostname=DB9P191MB1234.EURP191.PROD.OUTLOOK.COM]',
      ['db9p191mb1234@db9p191mb1234.eurp191.prod.outlook.com'],
    ],
    [
      'Exchange',
      '250 2.6.0 <a1@us.example> [InternalId=12345678901234567, Hostname=mx1.us.example] 1509 bytes in 0.1, 14.2 KB/sec Queued mail for delivery',
      ['a1@us.example'],
    ],
    [
      'Brevo',
      '250 2.0.0 OK: queued as <202611230901.44012345678@smtp-relay.mailin.fr>',
      ['202611230901.44012345678@smtp-relay.mailin.fr'],
    ],
    [
      'Mailjet and Postmark',
      '250 OK queued as 6f6b0c1e-52a1-4f5b-9a3c-0d5f0f1f2a3b',
      ['6f6b0c1e-52a1-4f5b-9a3c-0d5f0f1f2a3b'],
    ],
    [
      'several lines',
      '250-2.0.0 Thank you\n250 2.0.0 queued as 0107019c-0000aaaa-000000.',
      ['0107019c-0000aaaa-000000'],
    ],
    ['Postfix, whose number is of its queue', '250 2.0.0 Ok: queued as 4Zl3Qk2n9Bz12', []],
    [
      'Gmail, which keeps ours',
      '250 2.0.0 OK  1732352400 ffacd0b85a97d-3825fb262a8si1 - gsmtp',
      [],
    ],
    ['one that names its host', '250 2.0.0 Ok: queued on mail-main-57.iva.yp-c.mx.example', []],
    ['words alone', '250 Requested mail action okay, completed', []],
    ['nothing', '', []],
  ]
  for (const [whose, answer, ids] of answers)
    it(`are read from the answer of ${whose}`, () => deepEqual(idsInAnswer(answer), ids))

  it('are found by the whole of an id, and by what stands before its @ if nobody can guess that', () => {
    deepEqual(keysOfId('<0107019C-0000aaaa-000000@eu-west-1.amazonses.com>'), [
      '0107019c-0000aaaa-000000@eu-west-1.amazonses.com',
      '0107019c-0000aaaa-000000',
    ])
    deepEqual(keysOfId('<short@us.example>'), ['short@us.example'])
  })
})
