import { all, type BounceFamily, blocks, firm } from './bounce-family.ts'

export const unix: BounceFamily[] = [
  {
    name: 'Postfix',
    from: 'Mail Delivery System <MAILER-DAEMON@mx.relay.example>',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: all,
    says: ({ letter, answer }) =>
      `This is the mail system at host mx.relay.example.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<${letter.to}>: host mx.${letter.host}[192.0.2.25] said: ${answer} (in reply to RCPT TO command)\n`,
    status: blocks('failed', ['Original-Recipient: rfc822;x@y.example'].slice(1)),
  },
  {
    name: 'an old Postfix',
    from: 'MAILER-DAEMON@mx.relay.example (Mail Delivery System)',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: all,
    says: ({ letter, answer, tail }) =>
      `This is the Postfix program at host mx.relay.example.\n\nI'm sorry to have to inform you that the message returned\nbelow could not be delivered to one or more destinations.\n\n\t\t\tThe Postfix program\n\n<${letter.to}>: ${answer}\n\n${tail}`,
  },
  {
    name: 'Sendmail',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@relay.example>',
    subject: 'Returned mail: see transcript for details',
    reasons: all,
    says: ({ letter, answer }) =>
      `The original message was received at Mon, 23 Nov 2026 09:12:44 GMT\nfrom mail.halden.example [192.0.2.7]\n\n   ----- The following addresses had permanent fatal errors -----\n<${letter.to}>\n    (reason: ${answer})\n\n   ----- Transcript of session follows -----\n... while talking to mx.${letter.host}.:\n>>> DATA\n<<< ${answer}\n`,
    status: blocks(),
  },
  {
    name: 'a Sendmail of before',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON>',
    subject: 'Returned mail: User unknown',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `   ----- Transcript of session follows -----\n${answer.replace(/^(\d+) /, `$1 <${letter.to}>... `)}\n\n   ----- Unsent message follows -----\n${tail}`,
  },
  {
    name: 'qmail',
    from: 'MAILER-DAEMON@relay.example',
    subject: 'failure notice',
    reasons: all,
    says: ({ letter, reason, tail }) =>
      `Hi. This is the qmail-send program at relay.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${letter.to}>:\n192.0.2.25 does not like recipient.\nRemote host said: ${reason.reply} ${reason.says} (#${reason.code})\nGiving up on 192.0.2.25.\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <${letter.from}>\n${tail}`,
  },
  {
    name: 'qmail in its own words',
    from: 'MAILER-DAEMON@relay.example',
    subject: 'failure notice',
    reasons: ['unknown', 'domain'],
    says: ({ letter, reason, tail }) =>
      `Hi. This is the qmail-send program at relay.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<${letter.to}>:\n${reason.name === 'unknown' ? 'Sorry, no mailbox here by that name. (#5.1.1)' : `Sorry, I couldn't find any host named ${letter.host}. (#5.1.2)`}\n\n--- Below this line is a copy of the message.\n\n${tail}`,
  },
  {
    name: 'vdelivermail',
    from: 'Postmaster@relay.example',
    subject: 'failure notice',
    reasons: ['full', 'unknown'],
    says: ({ letter, reason, tail }) =>
      `Hi. This is the program that brings mail into mailboxes at relay.example.\nI'm afraid I wasn't able to deliver your message.\n\n<${letter.to}>:\n${reason.name === 'full' ? 'The user has exceeded their quota: mailbox is over quota' : 'Sorry, no mailbox here by that name.'}\n\n--- Enclosed is a copy of the message.\n\n${tail}`,
  },
  {
    name: 'Exim',
    from: 'Mail Delivery System <Mailer-Daemon@relay.example>',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: all,
    says: ({ letter, answer, tail }) =>
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${letter.to}\n    SMTP error from remote mail server after RCPT TO:<${letter.to}>:\n    host mx.${letter.host} [192.0.2.25]: ${answer}\n\n------ This is a copy of the message, including all the headers. ------\n\n${tail}`,
  },
  {
    name: 'Exim in its own words',
    from: 'Mail Delivery System <Mailer-Daemon@relay.example>',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: ['unknown', 'domain', 'expired', 'full'],
    codes: { expired: '4.4.7' },
    says: ({ letter, reason, tail }) =>
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. The following address(es) failed:\n\n  ${letter.to}\n    ${{ unknown: 'Unrouteable address', domain: 'all relevant MX records point to non-existent hosts', expired: 'retry timeout exceeded', full: 'mailbox is full: retry timeout exceeded' }[reason.name as 'unknown']}\n\n------ This is a copy of the message, including all the headers. ------\n\n${tail}`,
  },
  {
    name: 'Courier',
    from: '"Courier mail server at relay.example" <postmaster@relay.example>',
    subject: 'NOTICE: mail delivery status.',
    reasons: firm,
    says: ({ letter, answer }) =>
      `This is a delivery status notification from relay.example,\nrunning the Courier mail server.\n\n\t\t\t   UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<${letter.to}>:\n    mx.${letter.host} [192.0.2.25]:\n>>> RCPT TO:<${letter.to}>\n<<< ${answer}\n`,
    status: blocks(),
  },
  {
    name: 'OpenSMTPD',
    from: 'Mailer Daemon <MAILER-DAEMON@relay.example>',
    subject: 'Delivery status notification: error',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\n${letter.to}: ${answer}\n\n    Below is a copy of the original message:\n\n${tail}`,
  },
  {
    name: 'DragonFly Mail Agent',
    from: '<>',
    subject: 'Mail delivery failed',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `This is the DragonFly Mail Agent v0.13 at relay.example.\n\nThere was an error delivering your mail to <${letter.to}>.\n\nmx.${letter.host} [192.0.2.25] did not like our RCPT TO:\n${answer}\n\nOriginal message follows.\n\n${tail}`,
  },
  {
    name: 'Apache James',
    from: 'postmaster@relay.example',
    subject: 'Re:A cold room',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Hi. This is the James mail server at relay.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.  Below\nI include the list of recipients and the reason why I was unable to deliver\nyour message.\n\nFailed recipient(s):\n${letter.to}\n\nError message:\n${answer}\n\nMessage details:\n  Message ID: ${letter.id}\n  MAIL FROM: ${letter.from}\n`,
  },
  {
    name: 'Zimbra',
    from: 'MAILER-DAEMON@zimbra.relay.example (Mail Delivery System)',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: firm,
    says: ({ letter, answer }) =>
      `This is the mail system at host zimbra.relay.example.\n\n<${letter.to}>: host zimbra.relay.example[192.0.2.9] said: ${answer} (in reply to end of DATA command)\n`,
    status: blocks('failed', ['X-Postfix-Queue-ID: 4Xy7'].slice(1)),
  },
  {
    name: 'Messaging Server',
    from: 'Internet Mail Delivery <postmaster@relay.example>',
    subject: 'Delivery Notification: Delivery has failed',
    reasons: firm,
    says: ({ letter, answer }) =>
      `This report relates to a message you sent with the following header fields:\n\n  Message-id: ${letter.id}\n  Date: Mon, 23 Nov 2026 09:12:43 +0000\n  From: Ana Ruiz <${letter.from}>\n  To: ${letter.to}\n  Subject: A cold room\n\nYour message cannot be delivered to the following recipients:\n\n  Recipient address: ${letter.to}\n  Reason: Remote SMTP server has rejected address\n  Diagnostic code: smtp;${answer}\n  Remote system: dns;mx.${letter.host} (TCP|192.0.2.7|33421|192.0.2.25|25)\n`,
    status: blocks(),
  },
  {
    name: 'smail with its log',
    from: '<MAILER-DAEMON@relay.example>',
    subject: 'mail failed, returning to sender',
    reasons: ['unknown', 'full'],
    says: ({ letter, reason, tail }) =>
      `|------------------------- Message log follows: -------------------------|\n no valid recipients were found for this message\n|------------------------- Failed addresses follow: ---------------------|\n <${letter.to}> ... ${reason.name === 'full' ? 'mailbox is full' : 'unknown user'}\n|------------------------- Message text follows: ------------------------|\n${tail}`,
  },
  {
    name: 'Haraka',
    from: 'MAILER-DAEMON@relay.example',
    subject: 'failure notice',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Hi. This is the Haraka Mailer program at relay.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\nIntended Recipients: <${letter.to}>\nFailure Reason: Error: ${answer}\n\n--- Below this line is a copy of the message.\n\n${tail}`,
  },
  {
    name: 'smail',
    from: '<MAILER-DAEMON@relay.example>',
    subject: 'mail failed, returning to sender',
    reasons: ['unknown'],
    says: ({ letter, tail }) =>
      `|------------------------- Failed addresses follow: ---------------------|\n <${letter.to}> ... unknown user\n|------------------------- Message text follows: ------------------------|\n${tail}`,
  },
]
