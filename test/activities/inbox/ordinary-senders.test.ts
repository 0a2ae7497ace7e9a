import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'

// Bounces and complaints under an address that anybody may have, and people who write as servers do.

const at = new Date('2026-11-23T09:30:00Z')
const kim = 'kim@client.example'
const read = (head: string[], ...body: string[]) =>
  readMail(Buffer.from(['To: ana@us.example', ...head, '', ...body].join('\r\n')), at)
const kindOf = async (head: string[], ...body: string[]) => {
  const { report } = await read(head, ...body)
  return report && [report.kind, report.code, report.permanent, report.recipients[0]]
}
const utf8 = 'Content-Type: text/plain; charset=utf-8'
const parts = (type: string) => ['MIME-Version: 1.0', `Content-Type: ${type}; boundary=b`]

describe('a report under an ordinary address', () => {
  const reports: [string, string[], string[], unknown[]][] = [
    [
      'of an address that nobody reads',
      ['From: noreply@relay.example', 'Subject: Message status'],
      ['Your message could not be delivered.', '', `<${kim}>: 550 5.1.1 No such user`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'of one that has a name of a server',
      ['From: Mail Gateway <gateway@relay.example>', 'Subject: Message rejected'],
      [`Message to ${kim} rejected: 554 5.7.1 content policy`],
      ['bounce', '5.7.1', false, kim],
    ],
    [
      'with the subject of one and its recipient on a line',
      ['From: it@relay.example', 'Subject: No se puede entregar: x', utf8],
      ['No se puede entregar a:', '', `  ${kim}`, '', 'El buzón está lleno.'],
      ['bounce', '5.2.2', false, kim],
    ],
    [
      'with our letter behind it',
      [
        ...[
          'From: noreply@relay.example',
          'Subject: Re: Cold rooms',
          'In-Reply-To: <a@us.example>',
        ],
        ...parts('multipart/mixed'),
      ],
      [
        ...['--b', '', `Delivery to ${kim} failed: 550 5.1.1 no such user`],
        ...['--b', 'Content-Type: message/rfc822', '', 'From: ana@us.example', `To: ${kim}`],
        ...['Message-ID: <a@us.example>', '', 'Hello', '--b--'],
      ],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'that says nothing else, below the subject of an answer',
      ['From: mail-relay@relay.example', 'Subject: RE: Offer : non remis (delivery failed)'],
      [
        ...['******', "Votre message n'a pas pu etre delivre a", kim, '', '******'],
        ...['Your message could not be delivered to', kim, '', '******'],
      ],
      ['bounce', '5.0.0', false, kim],
    ],
    [
      'of a list that will not send on what may be a loop',
      ['From: rooms-admin@lists.client.example', 'Subject: Loop Alert: rooms ML'],
      [
        ...['Loop Back Warning:', '', 'This ML server has detected a loop condition so that'],
        ...[`the mail from <ana@us.example> to <${kim}> is not delivered.`, ''],
        ...['Original mail as follows:', '', 'From: ana@us.example', `To: ${kim}`],
      ],
      ['bounce', '5.4.6', false, kim],
    ],
    [
      'of a postmaster whose address was taken into another',
      ['From: <Postmaster\\@client.example@relay.example>', 'Subject: Mail Delivery Warning'],
      [`Delivery of email to this address "${kim}" has been postponed due to a full mailbox.`],
      ['delivery', null, false, kim],
    ],
    [
      'of a filter that says its name first',
      [
        'From: inetgw1@relay.example',
        'Subject: Mail could not be delivered',
        ...parts('multipart/mixed'),
      ],
      [
        ...['--b', '', '****** Message from InterScan E-Mail VirusWall NT ******', ''],
        ...[
          'The following mail could not be delivered.',
          'Reason: Exceeded Maximum Delivery Attempts.',
        ],
        ...['--b', 'Content-Type: message/rfc822', '', 'From: ana@us.example', `To: ${kim}`],
        ...['Message-ID: <a@us.example>', '', 'Hello', '--b--'],
      ],
      ['bounce', '4.4.7', false, kim],
    ],
    [
      'without any sender',
      ['From: <>', 'Subject: Returned mail'],
      [`${kim}: no such user`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'without any sender, which says that it is automatic',
      ['From: <>', 'Auto-Submitted: auto-replied', 'In-Reply-To: <a@us.example>'],
      [`You sent mail to ${kim}. That's not a valid user here.`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'under the very address that failed, as an answer',
      [`From: ${kim}`, 'Subject: Re: Cold rooms', 'In-Reply-To: <a@us.example>'],
      [`Your mail was not delivered. ${kim} has left the company.`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'without a field for its sender',
      ['Subject: Mail returned'],
      [`Your mail to ${kim} was returned: no such user`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'that gives no reason',
      ['From: MAILER-DAEMON@relay.example'],
      [`Your message to ${kim} could not be delivered.`],
      ['bounce', '5.0.0', false, kim],
    ],
    [
      'next to words without a space',
      ['From: postmaster@relay.example', utf8],
      [`退信原因：收件人地址${kim}不存在`],
      ['bounce', '5.1.1', true, kim],
    ],
    [
      'that refuses the letter in the form of a receipt',
      [
        ...['From: postmaster@relay.example', 'Subject: Rejected: Cold rooms'],
        ...parts('multipart/report; report-type=disposition-notification'),
      ],
      [
        ...['--b', '', `Your message to <${kim}> was automatically rejected: Quota exceeded`],
        ...['--b', 'Content-Type: message/disposition-notification', ''],
        ...[`Final-Recipient: rfc822; ${kim}`, 'Disposition: automatic-action/sent; deleted'],
        '--b--',
      ],
      ['bounce', '5.2.2', false, kim],
    ],
    [
      'that a provider sends on',
      ['From: fbl@relay.example', 'Subject: FW: Cold rooms', ...parts('multipart/mixed')],
      [
        ...['--b', '', 'A complaint.', '--b', 'Content-Type: message/feedback-report', ''],
        ...['Feedback-Type: abuse', `Original-Rcpt-To: ${kim}`, '--b--'],
      ],
      ['complaint', null, true, kim],
    ],
    [
      'that a desk sends on with the head of our letter below a line of its own',
      ['From: abuse@relay.example', 'Subject: Spam complaint'],
      [
        ...[
          'Somebody has complained about spam.',
          '',
          '--- their mail ---',
          'Message-ID: <a@us.example>',
        ],
        ...['From: ana@us.example', `To: ${kim}`, 'Subject: Cold rooms', '', 'Hello.'],
      ],
      ['complaint', null, true, kim],
    ],
  ]
  for (const [what, head, body, wanted] of reports)
    it(`is understood: ${what}`, async () => deepEqual(await kindOf(head, ...body), wanted))

  it('is a notification of Amazon SES within one', async () => {
    const told = { eventType: 'Delivery', mail: { destination: [kim] }, delivery: {} }
    const wrapped = JSON.stringify({ Type: 'Notification', Message: JSON.stringify(told) })
    const { report } = await read(['From: no-reply@sns.amazonaws.com'], wrapped)
    deepEqual(report?.kind, 'delivery')
  })

  it('names the letter that it answers where it is under the address that failed', async () => {
    const head = [`From: <${kim}>`, 'In-Reply-To: <a@us.example>']
    const { report, suspect } = await read(head, `Delivery failed. The account ${kim} is closed.`)
    deepEqual([report?.refersTo, report?.recipients, suspect], [['<a@us.example>'], [kim], false])
  })

  it('is none of a list that waits for its moderator, nor of a person without an address', async () => {
    const list = ['From: rooms-bounces@lists.example', 'Subject: Your message']
    const held = await read(list, 'It is being held until the moderator can review it.')
    deepEqual([held.report, held.automated], [null, true])
    const person = await read(['From: "Bo"'], 'Hello, my mail to you was blocked. Bo')
    deepEqual([person.report, person.suspect], [null, true])
  })

  it('is none in the mail of people whose programs mark it as those of tickets and challenges do', async () => {
    const heads = [
      ['X-Mailer: OTRS Mail Service (6.0.1)', 'X-Powered-By: OTRS', 'X-Loop: no'],
      [
        'X-Delivery-Agent: TMDA/1.1.12 (Macallan)',
        `Reply-To: kim-keyword-ana.0c9f2e@client.example`,
      ],
      ['Reply-To: rooms-confirm@client.example', 'Precedence: bulk'],
      ['X-Mailer: Some Mailer', 'X-Loop: yes'],
    ]
    for (const head of heads) {
      const said = await read([`From: Kim <${kim}>`, 'Subject: Your offer', ...head], 'Call me.')
      deepEqual([said.report, said.automated], [null, false], head[0])
    }
  })

  it('is not one of a policy that suppresses an address', async () => {
    for (const says of ['Mail size limit exceeded', 'Mailbox size limit reached'])
      deepEqual(
        (
          await kindOf(
            ['From: mailer-daemon@relay.example', 'Subject: Mail delivery failed'],
            `This is a permanent error. The following address failed: ${kim}`,
            says,
          )
        )?.[2],
        false,
      )
  })
})

describe('a person who writes as servers do', () => {
  const own = 'bo@client.example'
  const people: [string, string, string[]][] = [
    ['Delivery problem with our cold room', own, ['The pallet was returned.', '', own]],
    ['Delivery failure of the last pallet', own, ['It was rejected. Write to', '', kim]],
    ['Message blocked by our customs agent', own, ['It could not be delivered.', 'Bo', own]],
    ['Mail could not be delivered to our door', own, [`Hello, my colleague ${kim} waits.`]],
    ['Undeliverable promises?', 'noreply@client.example', ['Call me, please.']],
    ['Fwd: Undelivered Mail', own, ['FYI this bounced.', '', `<${kim}>: 550 5.1.1 unknown`]],
    [
      'Cold rooms, our number 71',
      'noreply-tickets@client.example',
      ['The last one was rejected by Bo.', '', 'Write to', own],
    ],
    [
      'Cold rooms',
      own,
      [
        ...[`Our mail to ${kim} was rejected as spam.`, '', '-----Original Message-----'],
        ...['From: ana@us.example', `To: ${own}`, 'Subject: Cold rooms', '', 'Hello'],
      ],
    ],
    ['Cold rooms', 'Kyle Bounce <kyle.bounce@client.example>', ['That is my real name.']],
    ['Re: Cold rooms', 'Kyle Bounce <bounce.kyle@client.example>', ['So is this.']],
    [
      'Peter does not get the offer',
      own,
      [
        ...['See below, pass it on.', '', '-------- Forwarded Message --------'],
        ...['From: Mail Delivery System <Mailer-Daemon@client.example>', `To: ${own}`],
        ...['Subject: Mail delivery failed: returning message to sender', ''],
        ...['This message was created automatically by mail delivery software.', ''],
        ...['A message that you sent could not be delivered to one or more of its recipients.'],
        ...['This is a permanent error. The following address(es) failed:', '', `  ${kim}`],
        '    550 5.1.1 No such user',
      ],
    ],
    [
      'VS: Mail delivery failed: returning message to sender',
      own,
      [
        ...['This came back.', '', 'From: Mail Delivery System <Mailer-Daemon@client.example>'],
        ...['Date: 23/11/2026 11:12', `To: ${own}`, 'Subject: Mail delivery failed', ''],
        ...['This message was created automatically by mail delivery software.', ''],
        ...['The following address(es) failed:', '', `  ${kim}: 550 5.1.1 No such user`],
      ],
    ],
    ['Returned goods', 'returns@client.example', ['Your goods were returned.', '', own]],
    [
      'Rejected',
      'Bo (Anti-Virus Ltd) <bo@client.example>',
      ['Your offer was rejected by my boss.'],
    ],
    [
      'Spam from your firm',
      'Abuse Team <abuse@client.example>',
      ['Is this offer spam? If it is from you, please call me.'],
    ],
    ['Re: Offer', 'Kim Lee <kim@client.example>', [`Your mail was rejected. ${kim} has left.`]],
    ['Spam is what we cool', own, ['It must not be blocked. Mail', kim, 'or me.']],
    [
      '[SpamCop (192.0.2.7) id:71]Cold rooms',
      own,
      ['SpamCop sent this to us. Was it you?', '', 'Return-Path: <ana@us.example>'],
    ],
    [
      'Re: [SpamCop (192.0.2.7) id:71]Cold rooms',
      '71@reports.client.example',
      ['It was a mistake, sorry.', '', '> Return-Path: <ana@us.example>'],
    ],
    [
      'Potwierdzenie zamówienia',
      'Ewa <noreply@client.example>',
      ['Potwierdzamy otrzymanie oferty i zgadzamy się. Kiedy możecie zacząć?'],
    ],
  ]
  for (const [subject, from, body] of people)
    it(`is one: ${subject}`, async () => {
      const { report, automated } = await read([`From: ${from}`, `Subject: ${subject}`], ...body)
      deepEqual([report, automated], [null, false])
    })
})
