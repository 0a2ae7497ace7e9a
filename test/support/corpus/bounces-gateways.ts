import { type BounceFamily, blocks, firm } from './bounce-family.ts'

export const gateways: BounceFamily[] = [
  {
    name: 'Symantec',
    from: 'Mail Delivery System <postmaster@messagelabs.example>',
    subject: 'Mail Delivery Failure',
    reasons: firm,
    says: ({ letter, answer }) =>
      `This is the mail delivery agent at messagelabs.example.\nI was not able to deliver your message to the following addresses.\n\n${letter.to}\n\n${answer}\n`,
    status: blocks(),
  },
  {
    name: 'Mimecast',
    from: 'postmaster@mimecast.example',
    subject: '[Postmaster] Email Delivery Failure',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Your message was not delivered to: ${letter.to}\n\nThe reason: ${answer}\n\nMessage-ID: ${letter.id}\n`,
    status: blocks(),
    loose: true,
  },
  {
    name: 'Barracuda',
    from: 'Mail Delivery System <MAILER-DAEMON@barracuda.example>',
    subject: 'Undelivered Mail Returned to Sender',
    reasons: ['policy', 'unknown'],
    says: ({ letter, answer }) =>
      `Your message to <${letter.to}> was considered unsolicited bulk e-mail or refused.\n\n${answer}\n`,
    status: blocks(),
  },
  {
    name: 'Postini',
    from: 'postmaster@psmtp.example',
    subject: 'Delivery Failure',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Your message could not be delivered to <${letter.to}>.\n\n${answer} - psmtp\n\n----- Original message -----\n${tail}`,
  },
  {
    name: 'McAfee',
    from: 'postmaster@mcafee.example',
    subject: 'Delivery Status',
    reasons: firm,
    says: ({ letter, answer }) =>
      `   ----- The following addresses had delivery problems -----\n<${letter.to}>   (${answer})\n`,
    status: blocks(),
    loose: true,
  },
  {
    name: 'mxLogic',
    from: 'Mail Delivery System <Mailer-Daemon@mxlogic.example>',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  <${letter.to}>: ${answer}\n\nIncluded is a copy of the message header:\n-----------------------------------------\n${tail}`,
  },
  {
    name: 'InterScan',
    from: '"InterScan MSS" <imss@relay.example>',
    subject: 'Mail could not be delivered',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Sent <<< RCPT TO:<${letter.to}>\nReceived >>> ${answer}\n\nUnable to deliver message to <${letter.to}>.\n\n${tail}`,
  },
  {
    name: 'MailFoundry',
    from: 'MAILER-DAEMON@mf.relay.example',
    subject: 'Message delivery has failed',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Unable to deliver message to: <${letter.to}>\nDelivery failed for the following reason:\nServer mx.${letter.host}[192.0.2.25] failed with: ${answer}\n\nThis has been a permanent failure.  No further delivery attempts will be made.\n\n${tail}`,
  },
  {
    name: 'm-FILTER',
    from: 'mailer-daemon@filter.tokyo.example',
    subject: 'failure notice',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `${letter.to}\n\n-------server message\n${answer}\n\n-------original message\n${tail}`,
  },
  {
    name: 'Activehunter',
    from: 'MAILER-DAEMON@hunter.tokyo.example',
    subject: 'FAILURE NOTICE :',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `  ----- The following addresses had permanent fatal errors -----\n\n>>> ${letter.to} <<<\n\n   ----- Transcript of session follows -----\n${answer}\n\n${tail}`,
  },
  {
    name: 'PowerMTA',
    from: 'mailer-daemon@pmta.relay.example',
    subject: 'Delivery report',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Hello, this is the mail server on pmta.relay.example.\n\nI am sending you this message to inform you on the delivery status of a\nmessage you previously sent.  Immediately below you will find a list of\nthe affected recipients.\n\n  <${letter.to}>: delivery failed: ${answer}\n`,
    status: blocks(),
  },
  {
    name: 'an appliance that lists errors',
    from: 'Mail Delivery <postmaster@box.relay.example>',
    subject: 'There was an error sending your mail',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `We had trouble delivering your message. Full details follow:\n\nSubject: 'A cold room'\nDate: 'Mon, 23 Nov 2026 09:12:43 +0000'\n\n1 error(s):\n\nSMTP Server <mx.${letter.host}> rejected recipient <${letter.to}>\n  (Error following RCPT command). It responded as follows: [${answer}]\n\n${tail}`,
  },
  {
    name: 'an appliance in one line',
    from: '"MAILER-DAEMON" <>',
    subject: 'Mail delivery status',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Unable to deliver message to the following address(es).\n\n<${letter.to}>:\n${answer}\n\n--- Original message follows.\n\n${tail}`,
  },
  {
    name: 'a server that writes the fields into its text',
    from: 'postmaster@plain.relay.example',
    subject: 'Delivery failure',
    reasons: firm,
    says: (given) =>
      `The message could not be delivered.\n\n${blocks()(given)}\n\n----- Message header follows -----\n\n${given.tail}`,
  },
  {
    name: 'a server that numbers nothing',
    from: 'bounce@mailing.relay.example',
    subject: 'Returned mail',
    reasons: ['unknown', 'domain', 'full'],
    says: ({ letter, reason, tail }) =>
      `Your message was returned because it could not be delivered to\n\n   ${letter.to}\n\n${{ unknown: 'There is no such user.', domain: 'The domain does not exist.', full: 'The mailbox is full.' }[reason.name as 'unknown'].replace('There is n', 'N').replace('The domain', 'This domain')}\n\n--- Returned message\n${tail}`,
  },
]
