import { type BounceFamily, blocks, firm } from './bounce-family.ts'

export const providers: BounceFamily[] = [
  {
    name: 'Google',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
    subject: 'Delivery Status Notification (Failure)',
    reasons: firm,
    says: ({ letter, answer }) =>
      `\n** Address not found **\n\nYour message wasn't delivered to ${letter.to} because the server refused it.\n\nThe response from the remote server was:\n${answer}\n`,
    status: blocks(),
  },
  {
    name: 'Google of before',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
    subject: 'Delivery Status Notification (Failure)',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Delivery to the following recipient failed permanently:\n\n     ${letter.to}\n\nTechnical details of permanent failure:\nGoogle tried to deliver your message, but it was rejected by the recipient domain. The error that the other server returned was: ${answer} (state 14).\n\n   ----- Original message -----\n\n${tail}`,
  },
  {
    name: 'Yahoo',
    from: 'MAILER-DAEMON@yahoo.example',
    subject: 'Failure Notice',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Sorry, we were unable to deliver your message to the following address.\n\n<${letter.to}>:\nRemote host said: ${answer} [RCPT_TO]\n\n--- Below this line is a copy of the message.\n\n${tail}`,
  },
  {
    name: 'AOL',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@aol.example>',
    subject: 'Undeliverable: A cold room',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Your mail to the following recipients could not be delivered because they are not accepting mail:\n\n<${letter.to}>: ${answer}\n`,
    status: blocks(),
  },
  {
    name: 'Verizon',
    from: 'post_master@vtext.example',
    subject: 'Undeliverable Message',
    reasons: ['unknown'],
    says: ({ letter, tail }) =>
      `Error: Message could not be delivered to mobile.\nError: No valid recipients for this MM\n\nFrom: ${letter.from}\nTo: ${letter.to}\n\n${tail}`,
  },
  {
    name: 'Amazon SES',
    from: 'MAILER-DAEMON@amazonses.example',
    subject: 'Delivery Status Notification (Failure)',
    reasons: firm,
    says: ({ letter, answer }) =>
      `An error occurred while trying to deliver the mail to the following recipients:\n${letter.to}\n${answer}\n`,
    status: blocks(),
  },
  {
    name: 'GMX',
    from: 'GMX Mailer Daemon <mailer-daemon@gmx.example>',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: ['unknown', 'full'],
    says: ({ letter, reason, tail }) =>
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address failed:\n\n"${letter.to}":\n${reason.name === 'full' ? 'mailbox is full' : 'SMTP error from remote server after RCPT command: no such user'}\n\n--- The header of the original message is following. ---\n\n${tail}`,
  },
  {
    name: '1&1 in German',
    from: 'mailer-daemon@kundenserver.example',
    subject: 'Mail nicht zustellbar',
    reasons: ['unknown', 'full'],
    latin: true,
    says: ({ letter, reason, tail }) =>
      `Diese Nachricht wurde automatisch erzeugt.\n\nIhre Nachricht konnte nicht zugestellt werden. Folgende Adresse(n) schlugen fehl:\n\n${letter.to}:\n${reason.name === 'full' ? 'Das Postfach ist voll, Quota überschritten' : 'Empfänger unbekannt'}\n\n--- Der Header der ursprünglichen Nachricht folgt. ---\n\n${tail}`,
  },
  {
    name: 'Yandex',
    from: 'mailer-daemon@yandex.example',
    subject: 'Недоставленное сообщение',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Это письмо создано автоматически сервером Яндекс.Почты.\n\nК сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:\n\n<${letter.to}>: host mx.${letter.host}[192.0.2.25] said: ${answer}\n`,
    status: blocks(),
  },
  {
    name: 'Mail.ru',
    from: 'Mail Delivery System <mailer-daemon@corp.mail.example>',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: ['unknown', 'full'],
    says: ({ letter, reason, tail }) =>
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${letter.to}\n    ${reason.name === 'full' ? 'over quota' : 'invalid mailbox'}\n\n------ This is a copy of your message, including all the headers. ------\n\n${tail}`,
  },
  {
    name: 'KDDI',
    from: 'no-reply@app.auone.example',
    subject: 'Mail Delivery Failure',
    reasons: ['unknown', 'full'],
    says: ({ letter, reason, tail }) =>
      `Your mail sent on: Mon, 23 Nov 2026 18:12:44 +0900\n    Could not be delivered to: <${letter.to}>\n\n    ${reason.name === 'full' ? 'As their mailbox is full.' : 'As 550 User unknown.'}\n\n${tail}`,
  },
  {
    name: 'au and EZweb',
    from: 'Postmaster@ezweb.example',
    subject: 'Mail System Error - Returned Mail',
    reasons: ['unknown', 'disabled', 'full'],
    says: ({ letter, reason, tail }) =>
      `The following recipients did not receive this message:\n\n    <${letter.to}>\n\n${{ unknown: `Each of the following recipients was rejected by a remote mail server.\n\n    Recipient: <${letter.to}>\n    >>> RCPT TO:<${letter.to}>\n    <<< 550 <${letter.to}>: User unknown`, disabled: 'The user(s) account is disabled.', full: 'The user(s) account is temporarily limited.' }[reason.name as 'unknown']}\n\nReceived: from mail.halden.example\n${tail}`,
  },
  {
    name: 'docomo',
    from: 'mail delivery system <MAILER-DAEMON@docomo.example>',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: ['unknown'],
    says: ({ letter }) =>
      `This is the mail system at host mfsmax.docomo.example.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<${letter.to}>: host mfsmax.docomo.example[192.0.2.8] said: 550 Unknown user ${letter.to} (in reply to RCPT TO command)\n`,
    status: ({ letter }) =>
      `Reporting-MTA: dns; mfsmax.docomo.example\n\nFinal-Recipient: rfc822; ${letter.to}\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 Unknown user ${letter.to}\n`,
  },
  {
    name: 'a Japanese provider',
    from: 'postmaster@tokyo.example',
    subject: '送信エラーのお知らせ',
    reasons: ['unknown', 'full'],
    japanese: true,
    says: ({ letter, reason, tail }) =>
      `次のあて先へのメッセージはエラーのため送信できませんでした。\n\n${letter.to}\n\n理由: ${reason.name === 'full' ? 'メールボックスがいっぱいです。' : '宛先不明です。'}\n\n--- Original message\n${tail}`,
  },
  {
    name: 'Biglobe',
    from: 'postmaster@biglobe.example',
    subject: 'Returned mail: Mailbox full',
    reasons: ['full'],
    says: ({ letter, tail }) =>
      `   ----- The following addresses had delivery problems -----\n<${letter.to}>\n\n   ----- Non-delivered information -----\nThe number of messages in recipient's mailbox exceeded the local limit.\n\n   ----- Original message follows -----\n\n${tail}`,
  },
  {
    name: 'Facebook',
    from: 'Facebook <mailer-daemon@mx.facebook.example>',
    subject: 'Sorry, your message could not be delivered',
    reasons: ['unknown'],
    says: () =>
      'This message was created automatically by Facebook.\n\nSorry, your message could not be delivered.\n',
    status: ({ letter }) =>
      `Reporting-MTA: dns; 192.0.2.77\n\nFinal-Recipient: rfc822; ${letter.to}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 RCP-P2 no such recipient\n`,
  },
  {
    name: 'Zoho',
    from: 'mailer-daemon@mail.zoho.example',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: ['unknown'],
    says: ({ letter, tail }) =>
      `This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n${letter.to} Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 User unknown\n\nReceived:from mail.halden.example\n${tail}`,
  },
  {
    name: 'a provider in Spanish',
    from: 'postmaster@correo.example',
    subject: 'Error de entrega',
    reasons: ['unknown', 'full'],
    latin: true,
    says: ({ letter, reason, tail }) =>
      `Su mensaje no se pudo entregar a la siguiente dirección:\n\n${letter.to}\n\nMotivo: ${reason.name === 'full' ? 'el buzón lleno no admite más mensajes' : 'el usuario no existe'}\n\n--- Original message\n${tail}`,
  },
]
