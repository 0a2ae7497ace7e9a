import { deepEqual } from 'node:assert/strict'
import { readText as read } from '../../support/read-text.ts'

// People who tell in their own mail of a letter that did not arrive, as servers do that write under ordinary addresses
// (unknown-senders.test.ts).

const kim = 'kim@client.example'

describe('a person who tells of a letter that did not arrive', () => {
  const own = 'Bo Li <bo@client.example>'
  const people: [subject: string, from: string, body: string[]][] = [
    [
      'Re: Cold rooms',
      own,
      ['Hi, the program for Thursday was not delivered to us. Send it again?'],
    ],
    [
      'Re: Cold rooms',
      own,
      ['Hi! The program at the fair is full. This is a permanent error of ours.'],
    ],
    ['Cold rooms', own, ['Hi, this is the program for Thursday: unable to deliver before 10. Bo']],
    ['Message not received?', own, [`Your message to ${kim} was not delivered. Send it again?`]],
    ['Ihre Nachricht', own, [`Ihre Nachricht an ${kim} wurde nicht zugestellt, Postfach voll.`]],
    [
      'Message not delivered',
      own,
      [`Your message to ${kim} could not be delivered: mailbox full.`, 'Use my address. Bo'],
    ],
    [
      'Message not delivered',
      own,
      [`Our server says that your message to ${kim} was not delivered: user unknown.`],
    ],
    [
      'Delivery failed again',
      own,
      [
        'Twice this week: what is wrong with your server? We wait for the offer.',
        ...['', '<ana@us.example>:', 'Remote host said: 452 4.2.2 Mailbox full'],
      ],
    ],
    [
      'Message rejected',
      own,
      [`Your message to ${kim} was rejected by the recipient, access denied. Try another way. Bo`],
    ],
    [
      'Message not delivered',
      own,
      [`Your message to ${kim} was not delivered, the user is not set up yet. Use this address.`],
    ],
    [
      'Delivery failed',
      own,
      [`The mail to ${kim} bounced: mailboxes of the old firm are closed. Use bo@new.example.`],
    ],
    [
      'Message not delivered',
      'info@client.example',
      [`${kim} is not a valid address any more, Kim left. Your mail was not delivered. Bo`],
    ],
    ['Zprávu nebylo možné doručit', own, [`Zprávu se nepodařilo doručit. Pište na ${kim}`]],
    [
      'Re: Cold rooms',
      'Kim <kim@client.example>',
      ['Hello, this is no automatic message: your message to bo@client.example was rejected.'],
    ],
    [
      'Invoice 4711 was rejected',
      own,
      ['It was rejected. Bo Li', 'bo@client.example, (415) 555-0100'],
    ],
    [
      'Your message contains a virus',
      own,
      ['The attachment was blocked by the virus filter. Bo Li, it@client.example'],
    ],
    [
      'Message not delivered',
      'notifications@desk.example',
      [
        `Hello Ana, Bo commented: the message to ${kim} was rejected, mailbox full. Can you resend?`,
      ],
    ],
    [
      'Re: Cold rooms',
      'Mail Administrator <it@client.example>',
      ['I found it: our gateway answered 550 5.7.1, your mail was rejected. Fixed now.'],
    ],
    [
      '退信:请重新发送',
      own,
      ['收到系统退信:', `550 User not found: ${kim}`, '我们有兴趣,请再发一次。'],
    ],
    [
      'Returned mail',
      own,
      ['Ana,', '', 'This came from our server:', `<${kim}>`, '5.2.2 Over quota'],
    ],
    ['Undeliverable message?', own, [`The mailbox is full. Send it to ${kim} instead.`]],
    [
      'Fax or mail',
      'Bo (Fax Server) <bo@client.example>',
      ['Hello, your fax did not go through, the message came without pages.'],
    ],
    [
      'Your fax could not be sent',
      'Kim (RightFax) <kim@client.example>',
      ['Your fax to 555-0143 was not sent, there was no answer. Status: failed.'],
    ],
    [
      'Ihr Faxauftrag',
      own,
      [`Ihr Faxauftrag konnte nicht versendet werden, die Gegenstelle ist besetzt. ${kim}`],
    ],
    [
      'Re: Cold rooms',
      'Kim Lee <owner-rooms@client.example>',
      ['Your posting was not accepted, the list is for members.', kim],
    ],
    [
      'Re: Cold rooms',
      'owner-rooms@client.example',
      ['Your posting was rejected since it was an offer. Regards, Kim'],
    ],
    [
      'Changement d’adresse',
      own,
      [`L'adresse ${kim} n'est plus valide, merci d'écrire à la nouvelle.`],
    ],
    [
      'Notificación',
      'Servicio de Correo <correo@client.example>',
      [`Su mensaje a ${kim} no pudo ser entregado: la casilla está llena. Saludos, Juan`],
    ],
    [
      'Notificación',
      'Servicio de Correo <correo@client.example>',
      [`Estimado Ron: su mensaje a ${kim} no pudo ser entregado, la casilla está llena.`],
    ],
    [
      'Message not delivered',
      own,
      [
        `The list rooms@client.example does not exist any more. Message automatically rejected? ${kim}`,
      ],
    ],
    [
      'Mail not delivered',
      own,
      [
        `This is what came. Automatic message of our server: your mail to ${kim} was rejected, mailbox full.`,
      ],
    ],
    [
      'Mail not delivered',
      own,
      ['Hi Ana,', '', `This message was generated automatically for ${kim}:`, 'mailbox full', 'Bo'],
    ],
  ]
  for (const [subject, from, body] of people)
    it(`is one: ${body[0]}`, async () => {
      const { report, automated } = await read([`From: ${from}`, `Subject: ${subject}`], ...body)
      deepEqual([report, automated], [null, false])
    })
})
