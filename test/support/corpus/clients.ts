/** A program in which people answer: what it puts into the head beside the usual, and how it quotes. */
export type Client = {
  name: string
  head: string[]
  quotes: 'above' | 'below' | 'html' | 'block' | 'none'
  /** The answer comes under an address that nobody reads. */
  from?: string
  /** What it writes into the subject. */
  subject?: (given: string) => string
}

const list = (name: string) => [
  `List-Id: ${name} <${name}.azahar.example>`,
  `List-Unsubscribe: <mailto:leave-${name}@azahar.example>`,
]
const tag = (label: string) => (given: string) => `[${label}] ${given}`

export const clients: Client[] = [
  { name: 'Apple Mail', head: ['X-Mailer: Apple Mail (2.3776)'], quotes: 'above' },
  { name: 'iPhone', head: ['X-Mailer: iPhone Mail (22B83)'], quotes: 'above' },
  { name: 'Gmail', head: [], quotes: 'html' },
  { name: 'Gmail on Android', head: [], quotes: 'above' },
  {
    name: 'Outlook',
    head: ['X-Mailer: Microsoft Outlook 16.0', 'Thread-Index: AQHZ7A=='],
    quotes: 'block',
  },
  {
    name: 'Outlook on the web',
    head: ['X-MS-Has-Attach:', 'X-Auto-Response-Suppress: All'],
    quotes: 'block',
  },
  {
    name: 'Outlook for iOS',
    head: ['X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply'],
    quotes: 'html',
  },
  {
    name: 'Exchange',
    head: ['X-Auto-Response-Suppress: OOF', 'X-MS-TNEF-Correlator:'],
    quotes: 'block',
  },
  { name: 'Thunderbird', head: ['User-Agent: Mozilla Thunderbird'], quotes: 'below' },
  { name: 'K-9 Mail', head: ['User-Agent: K-9 Mail for Android'], quotes: 'above' },
  { name: 'mutt', head: ['User-Agent: Mutt/2.2.12'], quotes: 'below' },
  { name: 'alpine', head: ['User-Agent: Alpine 2.26'], quotes: 'below' },
  { name: 'Evolution', head: ['User-Agent: Evolution 3.50'], quotes: 'below' },
  { name: 'KMail', head: ['User-Agent: KMail/5.24'], quotes: 'below' },
  { name: 'Roundcube', head: ['User-Agent: Roundcube Webmail/1.6'], quotes: 'above' },
  { name: 'Zimbra', head: ['X-Mailer: Zimbra 9.0'], quotes: 'block' },
  { name: 'Yahoo', head: ['X-Mailer: WebService/1.1'], quotes: 'html' },
  { name: 'GMX', head: ['X-Priority: 3'], quotes: 'above' },
  { name: 'Proton', head: ['Feedback-ID: 1:proton'], quotes: 'above' },
  { name: 'Fastmail', head: ['X-Mailer: MessagingEngine'], quotes: 'below' },
  { name: 'Notes', head: ['X-Mailer: HCL Notes Release 12', 'X-Disclaimed: 1'], quotes: 'block' },
  { name: 'Spark', head: ['X-Readdle-Message-ID: x'], quotes: 'html' },
  { name: 'Superhuman', head: ['X-Mailer: Superhuman'], quotes: 'html' },
  { name: 'Front', head: ['X-Front-Thread: 1', 'X-Auto-Response-Suppress: All'], quotes: 'html' },
  {
    name: 'Zendesk',
    head: ['X-Auto-Response-Suppress: All', 'Precedence: bulk', 'X-Zendesk-Ticket: 71'],
    quotes: 'html',
    subject: tag('Azahar'),
  },
  {
    name: 'Freshdesk',
    head: ['X-Auto-Response-Suppress: All', 'X-Freshdesk-Ticket: 71'],
    quotes: 'above',
    subject: tag('#71'),
  },
  { name: 'Intercom', head: ['X-Auto-Response-Suppress: All', 'Precedence: bulk'], quotes: 'none' },
  {
    name: 'Help Scout',
    head: ['X-Auto-Response-Suppress: All', 'Auto-Submitted: no'],
    quotes: 'html',
  },
  {
    name: 'HubSpot',
    head: ['X-Auto-Response-Suppress: All', 'List-Unsubscribe: <https://h.example/u>'],
    quotes: 'html',
  },
  { name: 'Salesforce', head: ['X-SFDC-LK: 1', 'X-Auto-Response-Suppress: All'], quotes: 'block' },
  {
    name: 'ServiceNow',
    head: ['X-ServiceNow-Source: email', 'Precedence: bulk'],
    quotes: 'block',
    subject: tag('INC0071'),
  },
  {
    name: 'Jira',
    head: ['X-JIRA-FingerPrint: 7', 'Precedence: bulk'],
    quotes: 'none',
    subject: tag('COLD-71'),
  },
  {
    name: 'OTRS',
    head: ['X-Powered-By: OTRS', 'X-Auto-Response-Suppress: All'],
    quotes: 'below',
    subject: tag('Ticket#71'),
  },
  { name: 'Zammad', head: ['X-Auto-Response-Suppress: All', 'X-Zammad: 1'], quotes: 'below' },
  {
    name: 'Request Tracker',
    head: ['X-RT-Ticket: 71', 'Precedence: bulk'],
    quotes: 'below',
    from: 'noreply@azahar.example',
  },
  {
    name: 'osTicket',
    head: ['X-Auto-Response-Suppress: ALL, AutoReply'],
    quotes: 'above',
    from: 'no-reply@azahar.example',
  },
  {
    name: 'Mailman',
    head: [
      'Precedence: list',
      ...list('office'),
      'Sender: office-bounces@azahar.example',
      'Return-Path: <office-bounces@azahar.example>',
    ],
    quotes: 'below',
  },
  { name: 'Google Groups', head: ['Precedence: list', ...list('team')], quotes: 'above' },
  {
    name: 'an Exchange group',
    head: [...list('sales'), 'X-Auto-Response-Suppress: All'],
    quotes: 'block',
  },
  {
    name: 'Sympa',
    head: ['Precedence: list', ...list('direction'), 'X-Loop: direction@azahar.example'],
    quotes: 'below',
  },
  { name: 'Groups.io', head: ['Precedence: Bulk', ...list('main')], quotes: 'below' },
  {
    name: 'a service that sends',
    head: ['Feedback-ID: 1:c', 'Return-Path: <bounces+71-ab=halden.example@mail.azahar.example>'],
    quotes: 'none',
  },
]
