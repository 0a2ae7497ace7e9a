import type { Family } from './family.ts'

/** Filters and services that stand before the server of a company. */
export const gateways: Family[] = [
  {
    name: 'Symantec Email Security.cloud, MessageLabs, Mimecast, Barracuda, Postini',
    opens: [
      'we were unable to deliver your message to the following address',
      'your message could not be delivered to',
      'your message was not delivered to',
      'this message has been rejected by',
      'your email was rejected',
      'your email has been rejected',
      'the message you sent to was rejected',
      'was rejected by the recipient domain',
    ],
  },
  {
    name: 'McAfee, mxLogic',
    opens: [
      'the following addresses had delivery problems',
      'this message was created automatically by mail delivery software',
    ],
    cuts: ['included is a copy of the message header'],
  },
  {
    name: 'InterScan',
    opens: ['sent <<< rcpt to', 'sent >>> rcpt to'],
  },
  {
    name: 'MailFoundry',
    opens: [
      'delivery failed for the following reason',
      'this has been a permanent failure. no further delivery attempts will be made',
    ],
  },
  {
    name: 'm-FILTER, Activehunter, FML',
    opens: ['-------server message', '-----server message', '送信できませんでした'],
    cuts: ['-------original message', '-------original mail info', '-----original mail info'],
  },
  {
    name: 'Amavis and virus filters',
    opens: [
      'your message has been blocked because',
      'delivery of the email was stopped',
      'your message to was considered unsolicited',
    ],
  },
  {
    name: 'services that send',
    opens: [
      'i am sending you this message to inform you on the delivery status of a message',
      'an error occurred while trying to deliver the mail to the following recipients',
      'an error occurred while trying to deliver the mail',
      'your message to the following recipients was not delivered',
      'the following message to was undeliverable',
    ],
  },
  {
    name: 'appliances without a name',
    opens: [
      'this message was undeliverable due to the following reason',
      'each of the following recipients was rejected by a remote mail server',
      'the following recipients did not receive this message',
      'the following recipient(s) did not receive',
      'unable to deliver message to the following address(es)',
      'unable to deliver message to the following recipient',
      "we're sorry. there's a problem with the e-mail address(es) listed below",
      'we had trouble delivering your message',
      'delivery failure report',
      'non-delivery report',
      'non-delivered information',
    ],
    cuts: [
      '--- original message',
      '----- original message',
      '-----original message',
      '---original message',
      '----- message header',
      '--- message header',
      '----- returned message',
      '--- returned message',
      '--- undelivered message',
      '--- begin message',
      '--- your message',
      'original message follows',
      'message header follows',
      'message headers follow',
      'headers follow',
      'returned message follows',
      'the original message follows',
      'the original message:',
      'content of the original message',
      '===== original message',
    ],
  },
]
