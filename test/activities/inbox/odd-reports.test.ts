import { deepEqual, equal } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { at, daemon, kim, kindOf, read } from '../../support/lines-of-mail.ts'

describe('a report of a mail server', () => {
  const status = [`Final-Recipient: rfc822; ${kim}`, 'Action: failed', 'Status: 5.1.1']
  const bounce = ['bounce', '5.1.1', true, kim]

  const forms: [string, string[]][] = [
    ['without a boundary', ['Content-Type: multipart/report', '', '--b', '', ...status]],
    ['that is nothing but its fields', ['Content-Type: message/delivery-status', '', ...status]],
    [
      'with a blank line behind every field',
      ['Content-Type: message/delivery-status', '', status.join('\r\n\r\n')],
    ],
    [
      'in a mail within the mail',
      [
        ...['Content-Type: multipart/mixed; boundary=a', '', '--a', 'Content-Type: message/rfc822'],
        ...['', 'Content-Type: multipart/report; boundary=b', '', '--b'],
        ...['Content-Type: message/delivery-status', '', ...status, '--b--', '--a--'],
      ],
    ],
    [
      'in the charset of Japanese mail',
      [
        ...['Content-Type: text/plain; charset=iso-2022-jp', ''],
        ...[`<${kim}>`, '\x1b$B08@hITL@$G$9!#\x1b(B'],
      ],
    ],
    [
      'in that charset, which it does not name',
      ['Subject: \x1b$B08@hITL@\x1b(B', '', `${kim} \x1b$B$OB8:_$7$^$;$s!#\x1b(B`],
    ],
    [
      'whose recipient is wrapped by Exchange',
      ['', 'IMCEASMTP-kim+40client+2Eexample@relay.example', '550 5.1.1 User unknown'],
    ],
    [
      'with blank lines before its head',
      ['Subject: failure notice', '', `<${kim}>: 550 No such user`],
    ],
    [
      'with a mailbox line before its head',
      ['Subject: failure notice', '', `<${kim}>: 550 No such user`],
    ],
  ]
  for (const [what, lines] of forms)
    it(`is read ${what}`, async () => {
      const first = what.startsWith('with a mailbox')
        ? ['From MAILER-DAEMON Mon Nov 23 09:30:00 2026']
        : what.startsWith('with blank lines')
          ? ['', '   \t', '']
          : []
      deepEqual(await kindOf(...first, daemon, ...lines), bounce)
    })

  describe('of an ordinary sender, which names what it answers,', () => {
    const head = ['From: Service <service@relay.example>', 'Subject: Re: Cold rooms']
    const parts = ['', '--b', '', 'Sorry.', '--b', 'Content-Type: message/delivery-status', '']
    for (const [what, type] of [
      ['if its form is that of a report of any kind', 'multipart/report'],
      ['if a gateway has kept its kind alone', 'multipart/mixed; report-type=delivery-status'],
    ])
      it(`is read ${what}`, async () => {
        const answers = ['In-Reply-To: <letter-1@us.example>', `Content-Type: ${type}; boundary=b`]
        const lines = [...head, ...answers, ...parts, ...status, '--b--']
        deepEqual(await kindOf(...lines), bounce)
      })

    it('is not read if somebody sends its parts on', async () => {
      const mixed = [
        'References: <letter-1@us.example>',
        'Content-Type: multipart/mixed; boundary=b',
      ]
      deepEqual(await kindOf(...head, ...mixed, ...parts, ...status, '--b--'), null)
    })
  })

  it('in words that give a reason and say no more has its code', async () => {
    const full = ['Subject: Post', '', kim, 'Das Postfach des Adressaten ist voll.']
    deepEqual(await kindOf(daemon, ...full), ['bounce', '5.2.2', false, kim])
  })

  it('by fml is one of a list that has not sent on what may be a loop', async () => {
    const list = 'users@lists.client.example'
    const lines = [
      ...['From: users-admin@lists.client.example', 'To: ana@us.example'],
      ...['Subject: fml Loop Alert: (users ML)', '', `Loop Back Warning: in <${list}>`, ''],
      ...['FML found that the mail may loop and did not distribute it.', '', 'Original Mail:', ''],
      ...['Message-ID: <1@us.example>', 'From: ana@us.example', `To: ${list}`, '', 'Hello'],
    ]
    deepEqual((await kindOf(...lines))?.slice(0, 4), ['bounce', '5.4.6', false, list])
  })

  it('of a gateway to X.400 says in its head that it is one', async () => {
    const lines = ['From: MHS <mhs-gw@relay.example>', 'Message-Type: Delivery Report', '']
    const body = [`Adressat: ${kim}`, 'UNABLE-TO-TRANSFER / UNRECOGNISED-OR-NAME']
    deepEqual(await kindOf(...lines, ...body), bounce)
    equal(await kindOf('From: Kim <kim@client.example>', '', ...body), null)
  })

  it('by a gateway for telephones comes from its bare address', async () => {
    const number = '15550100@mms.client.example'
    const said = `Your message to ${number} was not delivered. The phone could not be reached for three days.`
    const [kind, , isPermanent, recipient] =
      (await kindOf('From: mms@mms.client.example', 'Subject: Your MMS', '', said)) ?? []
    deepEqual([kind, isPermanent, recipient], ['bounce', false, number])
  })

  it('by a service for sending is marked in its subject', async () => {
    const said = `The message that you sent to ${kim} has hard bounced: 550 5.1.1 no such user.`
    const from = 'From: Sending service <support@sending.example>'
    deepEqual(await kindOf(from, 'Subject: [Bounced] Cold rooms', '', said), bounce)
  })

  it('is no bounce while the server still tries', async () => {
    const texts = [
      `Your message could not be delivered for more than 4 hours.\r\nIt will be retried until it is 5 days old.\r\n\r\n<${kim}>: Connection timed out`,
      `A message that you sent has not yet been delivered to one or more of its recipients.\r\n\r\n  ${kim}\r\n\r\nNo action is required on your part.`,
      `    ** THIS IS A WARNING MESSAGE ONLY **\r\n    ** YOU DO NOT NEED TO RESEND YOUR MESSAGE **\r\n\r\n<${kim}>... Deferred`,
    ]
    for (const text of texts)
      equal((await read(daemon, 'Subject: Delayed mail', '', text)).report?.kind, 'delivery', text)
  })

  it('of a program that a mail was shown is a delivery', async () => {
    const { report } = await read(
      ...[`From: Kim <${kim}>`, 'Return-Path: <>', 'Subject: Read: A cold room'],
      ...['Content-Type: multipart/report; report-type=disposition-notification; boundary=b', ''],
      ...['--b', 'Content-Type: message/disposition-notification', ''],
      ...[`Final-Recipient: rfc822; ${kim}`, 'Original-Message-ID: <ours@us.example>'],
      ...['Disposition: manual-action/MDN-sent-manually; displayed', '--b--'],
    )
    deepEqual([report?.kind, report?.refersTo], ['delivery', ['<ours@us.example>']])
  })

  it('says about each recipient what it says about that one', async () => {
    const { report } = await read(
      ...[daemon, 'Content-Type: message/delivery-status', '', ...status, ''],
      ...['Final-Recipient: rfc822; full@client.example', 'Action: failed', 'Status: 5.2.2', ''],
      ...['Final-Recipient: rfc822; late@client.example', 'Action: delayed', 'Status: 4.4.1', ''],
    )
    deepEqual(report, {
      kind: 'bounce',
      permanent: true,
      code: '5.1.1',
      recipients: [kim],
      refersTo: [],
      others: [{ code: '5.2.2', permanent: false, recipients: ['full@client.example'] }],
    })
  })

  const worded: [string, string, string][] = [
    ['German', `Unser Server konnte Ihre E-Mail nicht zustellen: ${kim}, Postfach voll.`, '5.2.2'],
    ['French', `Ce message n'a pu être acheminé à ${kim} : boîte pleine.`, '5.2.2'],
    ['Spanish', `Error de entrega para los siguientes destinatarios. ${kim}`, '5.0.0'],
    ['Hungarian', `Levelét nem tudtuk kézbesíteni: ${kim}, a postafiók megtelt.`, '5.2.2'],
    ['Greek', `Το μήνυμα δεν ήταν δυνατό να παραδοθεί: ${kim}. Η διεύθυνση δεν υπάρχει.`, '5.1.1'],
    ['Japanese', `下記宛先のアカウントは有効期限切れのため削除されました。 ${kim}`, '5.2.1'],
    [
      'MailScanner',
      `Our content detector has just been triggered by a message you sent:-\r\n  To: ${kim}\r\nA virus was in it.`,
      '5.7.1',
    ],
  ]
  for (const [language, text, code] of worded)
    it(`is read in the words of a server: ${language}`, async () => {
      const raw = `From: postmaster@relay.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`
      const { report } = await readMail(Buffer.from(raw), at)
      deepEqual(
        [report?.kind, report?.code, report?.unclear, report?.recipients],
        ['bounce', code, undefined, [kim]],
      )
    })

  it('of a list names the list as well as those who keep it', async () => {
    const { report } = await read(
      ...['From: fruit-bounces@lists.example', 'Subject: Your request was rejected', ''],
      'Your posting has been rejected by the moderator. Questions go to fruit-owner@lists.example.',
    )
    deepEqual(report?.recipients, ['fruit-owner@lists.example', 'fruit@lists.example'])
  })

  it('that masks the recipient is about the one in the head of the letter', async () => {
    const said = '***@client.example: the mailbox is full.'
    const { report } = await read(
      ...[daemon, 'Subject: Returned mail', '', said, '', '--- Original message ---', ''],
      ...['Received: from us.example', 'Message-ID: <ours@us.example>', `To: ${kim}`],
    )
    deepEqual([report?.recipients, report?.refersTo], [[kim], ['<ours@us.example>']])
  })

  it('of MMDF that a mail still waits is no bounce', async () => {
    const text = `After 2 days, your message has not yet been fully delivered to ${kim}. Attempts will go on.`
    for (const from of [daemon, 'From: Memo Service (MMDF) <mmdf@relay.example>'])
      equal((await read(from, 'Subject: Waiting mail', '', text)).report?.kind, 'delivery')
  })

  it('by Amazon SES is read from its notification', async () => {
    const told = {
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [{ emailAddress: kim, status: '5.1.1', diagnosticCode: 'smtp; 550' }],
      },
      mail: { headers: [{ name: 'Message-ID', value: '<ours@us.example>' }] },
    }
    const from = 'From: no-reply@sns.amazonaws.com'
    const { report } = await read(
      from,
      'Subject: AWS Notification Message',
      '',
      JSON.stringify(told),
    )
    deepEqual(report, {
      kind: 'bounce',
      code: '5.1.1',
      permanent: true,
      recipients: [kim],
      refersTo: ['<ours@us.example>'],
    })
    equal((await read(`From: ${kim}`, '', JSON.stringify(told))).report, null)
  })

  it('that nobody can understand is one about its sender, if that is not the server', async () => {
    const { report, automated } = await read(
      'Return-Path: <>',
      `From: ${kim}`,
      '',
      'Code 7. Ask eva@client.example.',
    )
    deepEqual(
      [automated, report],
      [
        true,
        {
          kind: 'bounce',
          permanent: false,
          code: null,
          recipients: [kim, 'eva@client.example'],
          refersTo: [],
          unclear: true,
        },
      ],
    )
  })
})

describe('a mail whose sender looks like a server, or its subject like a program', () => {
  const people: [string, string[]][] = [
    ['a list sent it on', ['Return-Path: <office-bounces@client.example>', `From: ${kim}`]],
    ['"Auto" is a car', [`From: ${kim}`, 'Subject: Auto: neue Fahrzeuge']],
    ['it tells of a bounce', [`From: ${kim}`, 'Subject: Delivery failed: our order 71']],
    ['an office is meant', [`From: ${kim}`, 'Subject: Out of office furniture']],
  ]
  for (const [why, head] of people)
    it(`is a person's where ${why}`, async () => {
      const { report, automated } = await read(
        ...head,
        '',
        'Your parcel could not be delivered. Call us.',
      )
      deepEqual([report, automated], [null, false])
    })

  for (const phone of ['Phone: 512-555-0143', 'Phone: (512) 555-0143', 'Phone: 512.555.0143'])
    it(`is a person's where the number of a telephone begins as an answer of a server: ${phone}`, async () => {
      const { report } = await read(
        ...[`From: ${kim}`, 'Subject: Flyer', ''],
        'You are not a member of this mailing list, so marketing did not send you the flyer.',
        ...['', 'Kim Hale', kim, phone],
      )
      equal(report, null)
    })
})
