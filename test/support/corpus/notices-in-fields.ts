import type { Letter } from './letters.ts'

// What filters and fax services tell in lines of a name and a value, and what groups, servers without an address, abuse desks and
// ticket systems write.

export type Notice = {
  kind: 'bounce' | 'complaint' | 'delivery' | 'auto'
  from: string
  subject: string
  text: (letter: Letter) => string
  head?: string[]
  /** How the letter comes with it. */
  with?: 'part' | 'text' | 'quoted'
}

export const noticesInFields: Notice[] = [
  // Filters that tell in lines of a name and a value what they did
  {
    kind: 'bounce',
    from: 'mailsec@firma.example',
    subject: '[MailSec] Content violation',
    text: ({ from, to }) =>
      `Mail security notice\n\nFrom: ${from}\nTo: ${to}\nRule: Block bulk\nAction taken: Quarantined\n`,
  },
  {
    kind: 'bounce',
    from: 'pruefung@firma.example',
    subject: 'Benachrichtigung: Verstoß gegen eine Richtlinie',
    text: ({ from, to }) =>
      `Geprüft wurde:\n\nAbsender: ${from}\nEmpfänger: ${to}\nBetreff: A cold room\nAktion: gelöscht\n`,
  },
  {
    kind: 'bounce',
    from: 'jouhou@filter.example',
    subject: 'ウイルス検知のお知らせ',
    text: ({ from, to }) => `送信者: ${from}\n宛先: ${to}\n件名: A cold room\n処理: 削除\n`,
  },
  {
    kind: 'bounce',
    from: 'Trend_Micro_Messaging_Security@gate.example',
    subject: 'Notification',
    text: ({ to }) => `Your mail to ${to} was rejected: this type of file is not allowed.\n`,
  },
  // Groups and lists
  {
    kind: 'bounce',
    from: 'Rooms Group <notify@groups.example>',
    subject: 'Message not delivered',
    text: ({ from }) =>
      `The message from ${from} to rooms@groups.example could not be delivered.\n\nOnly members may write.\n`,
  },
  {
    kind: 'bounce',
    from: 'Groupes <notify@groupes.example>',
    subject: 'Message non distribué',
    text: ({ from }) => `Le message de ${from} vers froid@groupes.example n'a pas été distribué.\n`,
  },
  {
    kind: 'bounce',
    from: 'SYMPA <sympa@listes.example>',
    subject: 'Message refusé pour la liste froid',
    text: () => 'Votre message pour la liste froid@listes.example a été rejeté.\n',
  },
  {
    kind: 'auto',
    from: 'drills-bounces@lists.example',
    subject: 'Ihre Nachricht an drills wartet auf Freigabe',
    text: () => 'Ihre Nachricht wartet auf Freigabe durch den Moderator.\n',
  },
  // Servers without an address, and under the address that failed
  {
    kind: 'bounce',
    from: '"Postman"',
    subject: 'Report to sender',
    text: ({ to }) => `Votre message n'a pas pu être remis à : ${to}\n`,
  },
  {
    kind: 'bounce',
    from: 'Forwarding',
    subject: 'An address has gone',
    text: ({ to }) =>
      `The account of\n\n  ${to}\n\nhas been closed. Your message has been discarded.\n`,
  },
  {
    kind: 'bounce',
    from: 'bo@wisla.example',
    subject: 'Re: A cold room',
    text: () =>
      'Your message was not delivered. The mailbox bo@wisla.example does not exist any more.\n',
  },
  {
    kind: 'bounce',
    from: '<bo@wisla.example>',
    subject: 'AW: A cold room',
    text: () =>
      'Ihre Nachricht wurde nicht zugestellt. Das Postfach bo@wisla.example existiert nicht.\n',
  },
  // Success, and receipts of more programs
  {
    kind: 'delivery',
    from: 'MAILER-DAEMON@relay.example',
    subject: 'Successful report',
    text: ({ to }) =>
      `Your message was successfully delivered to ${to}. You will receive no further notifications.\n`,
  },
  {
    kind: 'bounce',
    from: 'MAILER-DAEMON@relay.example',
    subject: 'Report',
    text: ({ to }) => `Die Nachricht konnte nicht erfolgreich zugestellt werden: ${to}\n`,
  },
  {
    kind: 'delivery',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'DELIVERED: A cold room',
    text: () => 'Your document: A cold room\nwas successfully delivered to: Kim Lee/Kobalt\n',
  },
  {
    kind: 'delivery',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'RCPT: A cold room',
    text: () =>
      'Confirmation of reading: your message -\n\n  Subj: A cold room\n\nWas read at 11:21.\n',
  },
  // Abuse desks that forward the letter
  {
    kind: 'complaint',
    from: 'Customer Security <abuse-noreply@cable.example>',
    subject: 'FW: Unsolicited mail from your network',
    text: () => 'A subscriber reported the attached message as spam.\n',
    with: 'part',
  },
  {
    kind: 'complaint',
    from: 'Abuse <abuse@netz.example>',
    subject: 'Beschwerde über unverlangte Werbung',
    text: () => 'IP-Adresse: 192.0.2.7\nBetreff: A cold room\nZeit: 22.11.2026 10:00\n',
  },
  // Fax services and ticket systems
  {
    kind: 'auto',
    from: 'fax@dienst.example',
    subject: 'Ihr Fax konnte nicht gesendet werden',
    text: () => 'Faxnummer: 0711 555\nSeiten: 0 von 2\nFehler: besetzt\n',
  },
  {
    kind: 'auto',
    from: 'desk@kobalt.example',
    subject: 'Re: A cold room',
    text: () =>
      'ERROR (623): error occurred while processing your request.\nNothing was recorded.\n',
  },
  {
    kind: 'auto',
    from: 'desk@kobalt.example',
    subject: '[#71] Re: A cold room',
    text: () => 'Diese Nachricht wurde automatisch erstellt. Ihre Anfrage ist eingegangen.\n',
    head: ['Precedence: bulk'],
  },
]
