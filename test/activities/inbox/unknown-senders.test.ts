import { deepEqual } from 'node:assert/strict'
import { readText as read } from '../../support/read-text.ts'

// Bounces whose sender shows nothing, of the firm of the very address that failed: what they say, and how, has to show it. People
// who tell of a letter that did not arrive are in who-tells.test.ts.

const kim = 'kim@client.example'

type Bounce = [what: string, from: string, subject: string, body: string[], wanted: unknown[]]
const bounces: Bounce[] = [
  [
    'under a subject that says so of a mail',
    'Doručovací systém <dorucovani@client.example>',
    'Zprávu nebylo možné doručit',
    ['Vaši zprávu se nepodařilo doručit na adresu:', '', kim, '', '550 5.2.1 Mailbox disabled'],
    ['bounce', '5.2.1', true, kim],
  ],
  [
    'in fields, under any subject',
    'InfoCenter <info@client.example>',
    'Katalog',
    [
      'Ihre nachfolgende Nachricht konnte nicht zugestellt werden.',
      '',
      `Empfänger: ${kim}`,
      'Grund: Die Adresse ist diesem System nicht bekannt.',
    ],
    ['bounce', '5.1.1', true, kim],
  ],
  [
    'with a greeting, where nobody reads an answer',
    'Service Messagerie <no-reply@client.example>',
    'Message non distribué',
    [
      "Bonjour, le message que vous avez envoyé n'a pas pu être distribué.",
      `Destinataire : ${kim}`,
      'Motif : la boîte aux lettres du destinataire est pleine',
    ],
    ['bounce', '5.2.2', false, kim],
  ],
  [
    'that says of itself that it is automatic',
    'Mailverteilung <verteilung@client.example>',
    'Re: Kühlräume',
    [
      'Diese E-Mail wurde automatisch erzeugt.',
      `Ihre Nachricht vom Mon, 23 Nov an ${kim} wurde NICHT zugestellt.`,
      '(554 5.6.0 Message contains NUL characters)',
    ],
    ['bounce', '5.6.0', false, kim],
  ],
  [
    'of a server that introduces itself, under the subject of an answer',
    'System <system@client.example>',
    'Re: Cold rooms',
    [
      'Hi. The MTA program at mx.client.example was unable to deliver your message to the following addresses.',
      'This is a permanent error.',
      '',
      `<${kim}>:`,
      "User's Disk Quota Exceeded.",
    ],
    ['bounce', '5.2.2', false, kim],
  ],
  [
    'of a server that introduces itself in French',
    'System <system@client.example>',
    'Re: Cold rooms',
    [
      'Bonjour. Ici le programme qmail-send sur mx.client.example.',
      `<${kim}>:`,
      'Désolé, aucune boîte aux lettres ici à ce nom. (#5.1.1)',
    ],
    ['bounce', '5.1.1', true, kim],
  ],
  [
    'of an old program that writes no more than Re: into its head',
    'System Administrator <sysadmin@client.example>',
    'RE: Cold rooms',
    [
      'Your message',
      `  To: '${kim}'`,
      '  Sent: Mon, 6 Nov 2000 16:44:02 -0000',
      'did not reach the following recipient(s):',
      `'${kim}' on Mon, 6 Nov 2000 16:51:13 -0000`,
      '  The recipient name is not recognized',
    ],
    ['bounce', '5.1.1', true, kim],
  ],
  [
    'of a list that refuses the letter',
    'rooms-help@client.example',
    'Returned post for rooms@client.example',
    [
      "Hi! This is the ezmlm program. I'm managing the rooms@client.example mailing list.",
      "I'm sorry, your message was not accepted by the moderator.",
    ],
    ['bounce', '5.0.0', false, 'rooms@client.example'],
  ],
  [
    'of a Danish postmaster',
    'Postmester <postmester@client.example>',
    'Din besked kunne ikke leveres',
    ['Din e-mail kunne ikke leveres til:', kim, 'Modtageren findes ikke på denne server.'],
    ['bounce', '5.1.1', true, kim],
  ],
  [
    'in German without umlauts',
    'Hausserver <verwaltung@client.example>',
    'Katalog',
    [
      'Ihre Mail konnte nicht zugestellt werden.',
      '',
      `Empfaenger: ${kim}`,
      'Grund: Das Postfach ist ueberfuellt',
    ],
    ['bounce', '5.2.2', false, kim],
  ],
  [
    'of a network for pictures',
    'sysop@client.example',
    'Undeliverable message',
    [`Your message to ${kim} was not delivered.`, 'This handset cannot receive picture messages.'],
    ['bounce', '5.6.1', false, kim],
  ],
  [
    'of a service for mail that asks for patience',
    'Serviço de E-mail <correio@client.example>',
    'Aviso: caixa postal',
    [
      'Prezado(a) usuário(a):',
      '',
      'Sua mensagem "Câmaras frias" enviada para',
      '',
      `    ${kim}`,
      '',
      'não pôde ser entregue porque a caixa do destinatário está cheia. Por favor, tente mais tarde.',
    ],
    ['bounce', '5.2.2', false, kim],
  ],
  [
    'of a list in the form of an answer',
    'Lyris ListManager <rooms-noreply@client.example>',
    'Re: Cold rooms',
    [
      "Your message to 'rooms' was not accepted: only members may post, and you are not a member.",
      '',
      '> From: Ana Ruiz <ana@us.example>',
      '> To: rooms@client.example',
      '> Subject: Cold rooms. Shall we call you? Thank you!',
    ],
    ['bounce', '5.7.1', false, 'rooms@client.example'],
  ],
  [
    'of a list that has been closed',
    'owner-rooms@client.example',
    'Your mail to rooms@client.example',
    [
      'Your posting has NOT been distributed to anybody.',
      'The mailing list rooms@client.example no longer exists.',
    ],
    ['bounce', '5.1.1', true, 'rooms@client.example'],
  ],
  [
    'right to left',
    'سامانه پست <mailsys@client.example>',
    'نامه شما تحویل داده نشد',
    ['نامه شما تحویل داده نشد:', kim, `550 5.1.1 <${kim}>: User unknown`],
    ['bounce', '5.1.1', true, kim],
  ],
]

describe('a bounce whose sender shows nothing', () => {
  for (const [what, from, subject, body, wanted] of bounces)
    it(`is understood: ${what}`, async () => {
      const { report } = await read([`From: ${from}`, `Subject: ${subject}`], ...body)
      deepEqual(
        report && [report.kind, report.code, report.permanent, report.recipients[0]],
        wanted,
      )
    })

  it('is understood although it greets, where head and text both say that it is automatic', async () => {
    const text = [
      'Bonjour,',
      '',
      `L'adresse ${kim} n'est plus valide. Votre message n'a pas été remis.`,
      '',
      'Message automatique du serveur de messagerie.',
    ]
    const head = [
      'From: Messagerie <messagerie@client.example>',
      "Subject: Votre message n'a pas abouti",
    ]
    const marked = await read([...head, 'X-Auto-Response-Suppress: All'], ...text)
    deepEqual([marked.report?.code, marked.report?.recipients], ['5.1.1', [kim]])
    deepEqual((await read(head, ...text)).report, null)
    const spoken = [...head, 'X-Auto-Response-Suppress: All']
    deepEqual((await read(spoken, ...text.slice(0, -1), 'Marie')).report, null)
  })

  it('is understood where LMail or LISTSERV wrote it', async () => {
    const mailer = [
      'From: Mailer <mailer@client.example>',
      'Subject: Undelivered mail',
      'X-Report-Type: Nondelivery; boundary="> Error description:"',
    ]
    const fields = [`Error-For:  ${kim}`, 'Error-Code: 3', 'Error-Text: No such local user.']
    const told = await read(
      mailer,
      '--> Error description:',
      ...fields,
      '',
      'Error-End: One error.',
    )
    deepEqual([told.report?.code, told.report?.recipients], ['5.1.1', [kim]])
    const owner = ['From: LISTSERV@client.example', 'Subject: ROOMS: error report from RELAY']
    const bounce = [
      ...[
        'Received: from relay.example',
        'From: Mailer-Daemon@relay.example',
        'Subject: failed',
        '',
      ],
      ...['The following addresses had permanent fatal errors', `<${kim}>`, '550 User unknown', ''],
      ...['Received: from us.example', 'Message-ID: <a@us.example>'],
    ]
    const { report } = await read(
      owner,
      ...['The enclosed  message has been identified as a possible  delivery error', 'notice.', ''],
      ...['---------------------- Message in error (12 lines) ----------------------', ...bounce],
    )
    deepEqual(
      [report?.code, report?.recipients, report?.refersTo],
      ['5.1.1', [kim], ['<a@us.example>']],
    )
  })

  it('is understood whoever else it came to', async () => {
    const [, from, subject, body] = bounces[0] as Bounce
    const head = ['Cc: _ops@us.example', `From: ${from}`, `Subject: ${subject}`]
    deepEqual((await read(head, ...body)).report?.kind, 'bounce')
  })

  it('is a complaint where its fields are a part of the text, or of a desk in Japan', async () => {
    const fields = ['Feedback-Type: abuse', 'User-Agent: Some/1.0', 'Version: 1']
    const text = ['A report of abuse.', '', ...fields, `Original-Rcpt-To: <${kim}>`]
    const fromReports = ['From: feedback@client.example', 'Subject: FW: Cold rooms']
    deepEqual((await read(fromReports, ...text)).report?.recipients, [kim])
    const person = ['From: staffan@client.example', 'Subject: FW: Cold rooms']
    deepEqual((await read(person, 'What is this?', '', ...text)).report, null)
    const desk = ['From: abuse@client.example', 'Subject: 迷惑メール送信に関するご連絡']
    const told = ['迷惑メールの申告を受けました。', '', ' 送信元IP : 192.0.2.7']
    const more = [' From : ana@us.example', ' Subject : Cold rooms']
    deepEqual((await read(desk, ...told, ...more)).report?.kind, 'complaint')
  })
})
