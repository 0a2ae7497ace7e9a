import type { Notice } from './notices-in-fields.ts'

// What programs for lists and faxes write of a letter that they have not sent on.

export const noticesOfLists: Notice[] = [
  {
    kind: 'bounce',
    from: 'owner-drills@lists.example',
    subject: 'BOUNCE drills@lists.example: Non-member submission from [Ana Ruiz]',
    text: () => '',
    with: 'text',
  },
  {
    kind: 'bounce',
    from: 'LISTSERV@lists.example',
    subject: 'Rejected posting to DRILLS@LISTS.EXAMPLE',
    text: () => 'You are not authorized to send mail to the DRILLS list from your account.\n',
    with: 'part',
  },
  {
    kind: 'auto',
    from: 'drills-owner@lists.example',
    subject: 'Your message to drills awaits moderator approval',
    text: () => 'Your mail is being held until the list moderator can review it.\n',
    head: ['X-List-Administrivia: yes', 'Precedence: bulk'],
  },
  {
    kind: 'bounce',
    from: 'Network Mailer <MAILER@vm.example>',
    subject: 'Mail not processed',
    text: ({ to }) =>
      `An error was detected while processing the enclosed message.\n\nError-For:  ${to}\nError-Text: No such local user.\n`,
    with: 'text',
  },
  {
    kind: 'bounce',
    from: 'Majordomo <majordomo@lists.example>',
    subject: 'Your posting to drills',
    text: () => 'Your posting has not been approved, the list is for announcements.\n',
    with: 'quoted',
  },
  {
    kind: 'bounce',
    from: 'LISTSERV Server <listserv@lists.example>',
    subject: 'DRILLS: message returned',
    text: () => 'Your message is being returned to you unprocessed, it has been sent before.\n',
    with: 'text',
  },
  {
    kind: 'bounce',
    from: 'drills-bounces@lists.example',
    subject: 'Ihre Nachricht an drills',
    text: () =>
      'Sie dürfen an diese Liste nicht schreiben, Ihre Nachricht wurde automatisch abgelehnt.\n',
  },
  // Faxes
  {
    kind: 'bounce',
    from: 'RightFax E-mail Gateway <rightfax@fax.example>',
    subject: 'Your fax to 555-0143',
    text: () =>
      'Your fax did not go through.\n\nStatus: Busy after 3 attempts\nPages sent: 0 of 2\n',
  },
  {
    kind: 'bounce',
    from: 'Kobalt Fax Server <fax@kobalt.example>',
    subject: 'Fax 12',
    text: () => 'Il fax a 02 5550143 non è stato inviato: nessuna risposta\n',
  },
  {
    kind: 'bounce',
    from: 'The HylaFAX Server <fax@kobalt.example>',
    subject: 'Faxauftrag 12 fehlgeschlagen',
    text: () => 'Ihr Faxauftrag konnte nicht versendet werden: Gegenstelle antwortet nicht\n',
  },
  {
    kind: 'bounce',
    from: 'HylaFAX <hylafax@fax.example>',
    subject: 'facsimile job 12 failed',
    text: () => 'Your facsimile job was not sent because: No carrier detected\n',
  },
]
