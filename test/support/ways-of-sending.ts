// How a mail reaches the mailbox of ana@halden.example: directly, through groups and forms of halden.example, to several people at
// once, and from another address of its writer. Each way says what it puts into the head, and around the text.

export type WayOfSending = {
  name: string
  head: string[]
  /** What it makes of the text. */
  text?: (own: string) => string
  writer: string
  via?: string
}

const sofia = 'sofia@azahar.example'
const nadia = 'nadia@roth.example'
const toAna = 'To: Ana Ruiz <ana@halden.example>'

const footerOfGoogle = `
--
You received this message because you are subscribed to the Google Groups "Sales" group.
To unsubscribe from this group and stop receiving emails from it, send an email to sales+unsubscribe@halden.example.
To view this discussion visit https://groups.google.com/a/halden.example/d/msgid/sales/1.`
const footerOfMailman = `
_______________________________________________
Sales mailing list -- sales@halden.example
To unsubscribe send an email to sales-leave@halden.example`
const below = (footer: string) => (own: string) => `${own}\n${footer}`

const group = (name: string, head: string[], text?: WayOfSending['text']): WayOfSending => ({
  ...{ name, writer: sofia, via: 'sales@halden.example' },
  head: [...head, 'To: sales@halden.example', 'Precedence: list'],
  ...(text && { text }),
})
const form = (name: string, from: string, text?: WayOfSending['text'], more: string[] = []) => ({
  ...{ name, writer: nadia, via: /<(.*)>/.exec(from)?.[1] ?? '' },
  head: [`From: ${from}`, `Reply-To: Nadia Roth <${nadia}>`, toAna, ...more],
  ...(text && { text }),
})
const direct = (name: string, head: string[], writer = sofia): WayOfSending => ({
  ...{ name, head, writer },
})

export const waysOfSending: WayOfSending[] = [
  group(
    'a group of Google',
    [
      `From: "'Sofia Marín' via Sales" <sales@halden.example>`,
      ...[`Reply-To: Sofia <${sofia}>`, `X-Original-From: Sofia <${sofia}>`],
      ...[`X-Original-Sender: ${sofia}`, 'List-ID: <sales.halden.example>'],
      'List-Unsubscribe: <mailto:googlegroups-manage+1+unsubscribe@halden.example>',
    ],
    below(footerOfGoogle),
  ),
  group('a group of Google without the first field', [
    `From: "Sofia über Sales" <sales@halden.example>`,
    ...[`X-Original-Sender: ${sofia}`, 'List-ID: <sales.halden.example>'],
  ]),
  group(
    'a list of Mailman 2',
    [
      'From: Sofia via Sales <sales@halden.example>',
      `Reply-To: Sofia <${sofia}>, Sales <sales@halden.example>`,
      ...['X-Mailman-Version: 2.1.39', 'X-BeenThere: sales@halden.example'],
    ],
    below(footerOfMailman),
  ),
  group(
    'a list of Mailman 3',
    [
      ...['From: Sofia via Sales <sales@halden.example>', `X-MailFrom: ${sofia}`],
      ...['Reply-To: sales@halden.example', 'X-Mailman-Version: 3.3.8'],
      'List-Id: Sales <sales.halden.example>',
    ],
    below(footerOfMailman),
  ),
  group('a list of Sympa', [
    'From: "Sofia (via sales Mailing List)" <sales@halden.example>',
    ...[`X-Original-From: Sofia <${sofia}>`, 'X-Loop: sales@halden.example'],
  ]),
  group('a server that names the author', [
    ...[`From: Sofia <sales@halden.example>`, `Author: Sofia <${sofia}>`],
  ]),

  form('a form of WordPress', 'WordPress <wordpress@halden.example>', undefined, [
    ...['X-Mailer: PHPMailer 6.9.1', 'Auto-Submitted: auto-generated'],
  ]),
  form(
    'Contact Form 7',
    'Halden <wordpress@halden.example>',
    (own) =>
      `From: Nadia Roth <${nadia}>\nSubject: Cold room\n\nMessage Body:\n${own}\n\n-- \nThis is a notification that a contact form was submitted on your website (Halden https://halden.example).`,
  ),
  form(
    'Contact Form 7 in German',
    'Halden <ana@halden.example>',
    (own) =>
      `Von: Nadia Roth <${nadia}>\nBetreff: Kühlraum\n\nNachrichtentext:\n${own}\n\n-- \nDiese E-Mail wurde von einem Kontaktformular von Halden gesendet.`,
  ),
  form(
    'Contact Form 7 in French',
    'Halden <form@halden.example>',
    (own) =>
      `De : Nadia Roth <${nadia}>\nObjet : Chambre froide\n\nCorps du message :\n${own}\n\n-- \nCet e-mail a été envoyé via le formulaire de contact.`,
  ),
  form(
    'a form of Elementor',
    'Halden <email@halden.example>',
    (own) =>
      `Name: Nadia Roth\nEmail: ${nadia}\nMessage: ${own}\n\n---\n\nDate: November 23, 2026\nTime: 10:00\nPage URL: https://halden.example/contact/\nUser Agent: Mozilla/5.0\nRemote IP: 192.0.2.7\nPowered by: Elementor\n`,
  ),
  form(
    'a form of Joomla',
    'Halden <noreply@halden.example>',
    (own) =>
      `This is an enquiry email via https://halden.example/ from:\nNadia Roth <${nadia}>\n\n${own}`,
  ),
  form(
    'a form of TYPO3',
    'Halden <no-reply@halden.example>',
    (own) => `Name:\nNadia Roth\n\nE-Mail:\n${nadia}\n\nNachricht:\n${own}\n`,
    ['X-Auto-Response-Suppress: All'],
  ),
  form(
    'a form of Drupal',
    'Halden <info@halden.example>',
    (own) =>
      `Nadia Roth (${nadia}) sent a message using the contact form at https://halden.example/contact.\n\n${own}`,
  ),

  direct('to several', [
    `From: Sofia <${sofia}>`,
    'To: "Ruiz, Ana" <ana@halden.example>, bo@halden.example',
    'Cc: office@azahar.example, "Kim (Vogel)" <kim@vogel.example>',
  ]),
  direct('to a group of addresses', [
    `From: Sofia <${sofia}>`,
    'To: Sales: ana@halden.example, Bo <bo@halden.example>;',
  ]),
  direct('to nobody openly', [`From: Sofia <${sofia}>`, 'To: undisclosed-recipients:;']),
  direct('in copy', [
    ...[`From: Sofia <${sofia}>`, 'To: kim@vogel.example', 'Cc: ana@halden.example'],
  ]),

  direct(
    'from an alias',
    ['From: Sofia <so.fia+shop@googlemail.com>', toAna],
    'so.fia+shop@googlemail.com',
  ),
  direct('from capital letters', ['From: <SOFIA@Azahar.Example>', toAna], 'SOFIA@Azahar.Example'),
  direct('with the name in a comment', [`From: ${sofia} (Sofia Marín)`, toAna]),
  direct('by a secretary', [
    ...[`From: Sofia <${sofia}>`, 'Sender: Bo <bo@azahar.example>', toAna],
  ]),
  direct('by a service for her', [
    `From: Sofia <${sofia}>`,
    ...[
      'Sender: sofia@azahar.example@smtp.relay.example',
      'X-Original-Sender: other@x.example',
      toAna,
    ],
  ]),
  direct('with answers to herself', [
    ...[`From: Sofia <${sofia}>`, `Reply-To: Sofia Marín <${sofia}>`, toAna],
  ]),
  direct('with answers to her office', [
    ...[`From: Sofia <${sofia}>`, 'Reply-To: Office <office@azahar.example>', toAna],
  ]),
  direct('with an invisible character', ['From: Sofia <sofia\u200b@azahar.example>', toAna]),
  direct('with a mark of a direction in the name', [`From: \u200eSofia\u200e <${sofia}>`, toAna]),
  direct(
    'from a ticket system',
    [`From: Azahar <reply+${'0f'.repeat(40)}@azahar.example>`, toAna],
    `reply+${'0f'.repeat(40)}@azahar.example`,
  ),
]
