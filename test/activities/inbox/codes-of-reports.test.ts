import { deepEqual } from 'node:assert/strict'
import { daemon, kim, kindOf, read } from '../../support/lines-of-mail.ts'

describe('the code of a report', () => {
  const status = [`Final-Recipient: rfc822; ${kim}`, 'Action: failed', 'Status: 5.1.1']

  it('is that of a reason in few words', async () => {
    const reasons: [string, string, boolean][] = [
      ['As the remote domain doesnt exist.', '5.1.2', true],
      ['Reason: The recipient mailbox has reached its quota limit. (0x0002)', '5.2.2', false],
      ['Your message is larger than the limit set for the group', '5.3.4', false],
      ['The user kim is no longer a member of the University.', '5.1.1', true],
      ['550 5.7.1 You are no longer a member of this group', '5.7.1', false],
      ['Permanent Failure: 552_User_is_over_quota_(account_full)', '5.2.2', false],
      ["Non e' stato recapitato: la casella di posta ha superato lo spazio.", '5.2.2', false],
      ["La base courrier de l'utilisateur a depasse son quota.", '5.2.2', false],
      ['554-No service 554-Bad DNS PTR resource record.', '5.7.1', false],
      ['550 MI:SPB, 163 smtp9, EMCowABnWfqsZkNm', '5.7.1', false],
      ['554 Email rejected due to security policies', '5.7.1', false],
      ['550 User account not available', '5.1.1', true],
      ['Domain client.example does not accept mail (nullMX)', '5.1.10', true],
      ['550 5.7.27 Sender address has null MX', '5.7.27', false],
      ['Message has exceeded maximum hop count', '5.4.6', false],
      ['550 Benutzer hat zuviele Mails auf dem Server.', '5.2.2', false],
      ['550 Verification failed for the sender', '5.1.8', false],
      ['550 non-local recipient verification failed', '5.1.1', true],
      ['551 has moved; please try another address', '5.1.6', true],
      ['TLS is required, but was not offered by host mx.client.example', '5.7.10', false],
      ['an MX or SRV record indicated no SMTP service', '5.1.10', true],
      ['all host address lookups failed permanently for client.example', '5.1.2', true],
      ['The size of the message exceeded the local limit.', '5.3.4', false],
      ['Die Nachricht ueberschreitet die maximal zulaessige Groesse.', '5.3.4', false],
      ['message is too big (transport limit = 1)', '5.3.4', false],
      ['rejected by the local scanning code', '5.7.1', false],
      ['554 RLY:B1 http://postmaster.info.aol.example/errors/554rlyb1.html', '5.7.1', false],
      ["550 OU-002 Unfortunately, messages from 192.0.2.1 weren't sent.", '5.7.1', false],
      ['554 <unknown[192.0.2.1]>: Client host rejected: Access denied.', '5.7.1', false],
      ['550 Ratelimit exceeded for mailbox', '5.7.1', false],
      ['550 From header missing: message not RFC 5322 compliant', '5.6.0', false],
      [
        'Domain client.example does not exist. No further delivery attempts will be made.',
        '5.1.2',
        true,
      ],
      ["The group that you tried to contact (rooms) doesn't exist.", '5.1.1', true],
      ['The letter is bounced, because the quota exceeds the hard limit', '5.2.2', false],
      ['You have exceeded the allowed mailbox quota of the user.', '5.2.2', false],
      ['(0), ErrMsg=Mailbox space not enough (limit is 10240KB)', '5.2.2', false],
      ['422 User has exhausted allowed storage space', '4.2.2', false],
      ['550 Too many invalid recipients', '5.7.1', false],
      ['550 User not a member of domain', '5.1.1', true],
      ['554 sender is rejected: 0,mx20,wKjR5bDr', '5.7.1', false],
      ['550 Requested action not taken: mail IsCNAPF7 is rejected,mx3,BM', '5.7.1', false],
      ['550 Error: MAIL FROM is mismatched with the head of the message', '5.7.1', false],
      ['550 sorry, it looks like a junk mail', '5.7.1', false],
      ['553 AUTH FAILED', '5.7.1', false],
      ['550 Content reject. FAAAANsG60', '5.7.1', false],
      ['553 User refused to receive this mail.', '5.7.1', false],
      ['550 <kim> is now disabled with MTA service.', '5.2.1', true],
      ['550 User account not activated', '5.2.1', true],
      ['550 The recipient cannot be verified.', '5.1.1', true],
      ['552 Mailbox limit exeeded for this address', '5.2.2', false],
      ["550 ann isn't allowed to relay", '5.7.1', false],
      ['550 Sender has no A, AAAA, or MX records', '5.1.8', false],
      ['503 Bad sequence of commands', '5.5.1', false],
      ['550 Message denied', '5.7.1', false],
      [
        '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using XBL.',
        '5.2.1',
        false,
      ],
    ]
    for (const [words, code, permanent] of reasons)
      deepEqual(
        await kindOf(
          daemon,
          ...['Subject: Returned mail', 'Content-Type: text/plain; charset=utf-8', ''],
          ...[`<${kim}>`, words],
        ),
        ['bounce', code, permanent, kim],
        words,
      )
  })

  it('is that of the answer of another server that stands in its status', async () => {
    const statuses = [
      ['Status: 553 Exceeded maximum inbound message size', '5.3.4', false],
      ['Status: 550 No such user', '5.1.1', true],
      ['Status: 552', '5.2.2', false],
    ] as const
    for (const [line, code, permanent] of statuses)
      deepEqual(
        await kindOf(
          ...[daemon, 'Content-Type: message/delivery-status', ''],
          ...[`Final-Recipient: rfc822; ${kim}`, 'Action: failed', line],
        ),
        ['bounce', code, permanent, kim],
        line,
      )
  })

  it('is in the class of the last attempt, and of no number of a provider', async () => {
    const deferred = `421 client.example... Deferred: timed out\r\n550 <${kim}>... Host unknown`
    deepEqual(await kindOf(daemon, 'Subject: Returned mail', '', deferred), [
      ...['bounce', '5.1.2', true],
      kim,
    ])
    const numbered = `<${kim}> Invalid recipient. OFR204_416 [416]`
    deepEqual(await kindOf(daemon, 'Subject: Returned mail', '', numbered), [
      ...['bounce', '5.1.1', true],
      kim,
    ])
  })

  const passing: [string, string, string][] = [
    ['a mailbox that is full, whatever the code', '550 5.1.1 The user is over quota', '5.1.1'],
    ['greylisting', '451 4.7.1 Greylisted, please try again later', '4.7.1'],
    ['a policy', '552 5.7.0 An attachment is not permitted here', '5.7.0'],
    ['a client that is to log in', '503 This server requires authentication', '5.7.1'],
    ['a command that came too early', '503 Bad order of things', '5.5.1'],
    ['a sender that is refused', '550 Refused (in reply to MAIL FROM command)', '5.0.0'],
    ['a mail that is refused', 'after end of data: host mx.client.example: 550 Refused', '5.0.0'],
    ['a sender that is not believed', '550 Sender verify failed', '5.1.8'],
    [
      'a server that does not answer, whatever is supposed of it',
      'was not reachable within the queue period. It may not have a mail system: the host is not responding or does not have a mail system running right now.',
      '4.4.1',
    ],
    [
      'a name server that does not answer for now',
      'Host or domain name not found. Name service error for name=client.example type=MX: Host not\r\n    found, try again',
      '4.4.3',
    ],
    ['a mail that is too large', '552 5.3.4 Message size exceeds fixed limit', '5.3.4'],
  ]
  for (const [what, answer, code] of passing)
    it(`is not permanent for ${what}`, async () => {
      deepEqual(await kindOf(daemon, 'Subject: failure notice', '', `<${kim}>: ${answer}`), [
        'bounce',
        code,
        false,
        kim,
      ])
    })

  const dsn = (said: string[], ...fields: string[]) => [
    ...[daemon, 'Content-Type: multipart/report; report-type=delivery-status; boundary=b', ''],
    ...['--b', 'Content-Type: text/plain', '', ...said, ''],
    ...['--b', 'Content-Type: message/delivery-status', '', ...fields, '--b--'],
  ]
  const meager: [string, string[], string[], (string | boolean)[]][] = [
    [
      'of its words, where its fields say only that it failed',
      [`Failed to deliver to '${kim}'`, ' account is full (quota exceeded)'],
      ['Status: 5.0.0'],
      ['5.2.2', false],
    ],
    [
      'of its words, where the other server does not answer',
      [`${kim}... Deferred: Connection refused by mx.client.example.`],
      ['Status: 4.2.0'],
      ['4.4.1', false],
    ],
    [
      'of the other server, which Exchange puts behind one of its own',
      [],
      [
        'Status: 5.0.350',
        'Diagnostic-Code: smtp;550 5.0.350 An error -> 550 5.1.1 User unknown there',
      ],
      ['5.1.1', true],
    ],
    [
      'of the other server, whose words say the same, and not what was made of it',
      [],
      ['Status: 5.4.4', 'Diagnostic-Code: smtp; 550 5.1.1 no such user'],
      ['5.1.1', true],
    ],
    [
      'of its words, where its fields say that all was well, as those of AOL did',
      ['>>> RCPT To:<kim@client.example>', '<<< 550 MAILBOX NOT FOUND'],
      ['Status: 2.0.0', 'Diagnostic-Code: SMTP; 250 OK'],
      ['5.1.1', true],
    ],
    [
      'of a domain that does not exist, which Google states as a failure that may pass',
      [],
      ['Status: 4.0.0', 'Diagnostic-Code: smtp; DNS Error: responded with code NXDOMAIN'],
      ['5.1.2', true],
    ],
    [
      'of an ambiguous name in Domino',
      [],
      [
        'Diagnostic-Code: X-Notes; Recipient user name info (k@x) not unique. Several matches found.',
      ],
      ['5.1.4', true],
    ],
    [
      'of a failure, where nothing says why',
      [],
      ['Diagnostic-Code: smtp; 5.x.0 - Message bounced by administrator'],
      ['5.0.0', false],
    ],
    [
      'of a name server that does not answer',
      [],
      ['Status: 4.0.0', 'Diagnostic-Code: smtp; DNS Error: lookup failed'],
      ['4.1.2', false],
    ],
    [
      'in its fields, where the words of the other server say neither',
      [],
      ['Status: 5.4.4', 'Diagnostic-Code: smtp; 550 5.7.1 talk to our desk'],
      ['5.4.4', true],
    ],
  ]
  for (const [what, said, fields, expected] of meager)
    it(`is that ${what}`, async () => {
      const lines = dsn(said, `Final-Recipient: rfc822; ${kim}`, 'Action: failed', ...fields)
      const { report } = await read(...lines)
      deepEqual([report?.code, report?.permanent, report?.recipients], [...expected, [kim]])
    })

  const made: [string, string[]][] = [
    ['Exim', [`  ${kim}`, '    (generated from office@client.example)', '    550 no such user']],
    [
      'Exim, of several steps',
      [`  ${kim}`, '    (ultimately generated from office@client.example)'],
    ],
  ]
  for (const [server, said] of made)
    it(`is about the address of ours, and the one that was made of it, in the words of ${server}`, async () => {
      const lines = dsn(said, ...status)
      deepEqual((await read(...lines)).report?.recipients, [kim, 'office@client.example'])
    })

  const expanded: [string, string[]][] = [
    ['Postfix', [`<${kim}> (expanded from <office@client.example>): user unknown`]],
    [
      'Sendmail',
      [
        `<${kim}>`,
        '    (reason: 550 5.1.1 unknown)',
        '    (expanded from: <office@client.example>)',
      ],
    ],
  ]
  for (const [server, said] of expanded)
    it(`is about the list of ours, which one dead member does not make dead, in the words of ${server}`, async () => {
      const { report } = await read(...dsn(said, ...status))
      const { code, permanent, recipients, others } = report ?? {}
      deepEqual([code, permanent, recipients], ['5.1.1', true, [kim]])
      deepEqual(others, [
        { code: '5.1.1', permanent: false, recipients: ['office@client.example'] },
      ])
    })

  it('is in the words about each recipient, where its fields say nothing of one', async () => {
    const full = 'full@client.example'
    const { report } = await read(
      ...dsn(
        [`552 <${full}>... Mailbox is full`, `550 <${kim}>... User unknown`],
        ...[`Final-Recipient: rfc822; ${full}`, 'Action: failed', 'Status: 2.0.0', ''],
        ...[`Final-Recipient: rfc822; ${kim}`, 'Action: failed', 'Status: 2.0.0'],
      ),
    )
    const { code, permanent, recipients, others } = report ?? {}
    deepEqual([code, permanent, recipients], ['5.2.2', false, [full]])
    deepEqual(others, [{ code: '5.1.1', permanent: true, recipients: [kim] }])
  })
})
