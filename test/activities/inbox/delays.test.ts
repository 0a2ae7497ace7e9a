import { deepEqual } from 'node:assert/strict'
import { daemon, kim, kindOf } from '../../support/lines-of-mail.ts'

describe('a mail server that still tries', () => {
  const delayed: [server: string, subject: string, said: string[]][] = [
    [
      'Exim, under the subject of its bounces',
      'Mail delivery failed: returning message to sender',
      [
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a temporary error. The following address(es) deferred:',
        '',
        `  ${kim}`,
        '    Domain us.example has exceeded the max emails per hour (41/40 (102%)) allowed.',
        '    Message will be reattempted later',
      ],
    ],
    [
      'one to which a letter is undeliverable for hours',
      'delayed delivery notice',
      [
        'Your message has been undeliverable to these recipients for 3 hours.',
        'The mail system will continue to attempt to deliver it for 4 days.',
        'You do not need to resend it at this time.',
        '',
        `<${kim}>`,
      ],
    ],
    [
      'OpenSMTPD',
      'Delivery status notification: delay',
      [
        '    This is the MAILER-DAEMON, please DO NOT REPLY to this email.',
        '',
        '    A message is delayed for more than 8 hours for this list of recipients:',
        '',
        `${kim}: Network error on destination MXs`,
        '',
        '    Please note that this is only a temporary failure report.',
        '    You DO NOT NEED to re-send the message to these recipients.',
      ],
    ],
  ]
  for (const [server, subject, said] of delayed)
    it(`has not failed: ${server}`, async () => {
      const [kind, , permanent, recipient] =
        (await kindOf(daemon, `Subject: ${subject}`, '', ...said)) ?? []
      deepEqual([kind, permanent, recipient], ['delivery', false, kim])
    })

  const ended: [why: string, subject: string, said: string[]][] = [
    [
      'has given up, though it says so of an error that it took for a temporary one',
      'Mail delivery failed: returning message to sender',
      ['This is a temporary error, but we have given up.', '', `  ${kim}`, '    retry timeout'],
    ],
    [
      'discards what was sent in too short a time',
      'Mail delivery failed: returning message to sender',
      [
        'A message that you sent could not be delivered to one or more of its recipients.',
        'The following address(es) failed:',
        '',
        `  ${kim}`,
        '    Domain us.example has exceeded the max defers and failures per hour. Message discarded.',
      ],
    ],
    [
      'has failed for another recipient',
      'Mail delivery failed: returning message to sender',
      [
        'This is a permanent error. The following address(es) failed:',
        `  ${kim}`,
        '    550 5.1.1 User unknown',
        'This is a temporary error. The following address(es) deferred:',
        '  eva@client.example',
      ],
    ],
  ]
  for (const [why, subject, said] of ended)
    it(`does so no longer where it ${why}`, async () => {
      const [kind, , , recipient] = (await kindOf(daemon, `Subject: ${subject}`, '', ...said)) ?? []
      deepEqual([kind, recipient], ['bounce', kim])
    })
})

describe('a mailer under an address of its own', () => {
  it('tells of a failure where it returns a copy, as COMSAT does', async () => {
    const said = [
      '============ A copy of your message is being returned, because: ============',
      '"KIM" at CLIENT.EXAMPLE is an unknown recipient.',
      '============ Failed message follows: ============',
      'Received: from us.example',
      'Message-ID: <letter-1@us.example>',
      `To: ${kim}`,
      '',
      'Hello',
    ]
    const head = [
      'Return-Path: <>',
      'From: COMSAT@its.client.example',
      'Subject: Msg of Monday',
      '',
    ]
    deepEqual(await kindOf(...head, ...said), ['bounce', '5.1.1', true, kim])
  })
})
