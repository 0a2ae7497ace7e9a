import { type BounceFamily, blocks, firm } from './bounce-family.ts'

const admins = (letter: { to: string; id: string }, answer: string, words: string[]) =>
  `${words[0]}\n\n${words[1]}: MX1.relay.example\n\n${letter.to}\n#${answer.replace(/^(\d{3}) /, '$1 ')} ##\n\n${words[2]}:\n\nReceived: from EX1.relay.example by MX1.relay.example\nMessage-ID: ${letter.id}\nSubject: A cold room\n`

export const windows: BounceFamily[] = [
  {
    name: 'Exchange 2003',
    from: 'System Administrator <postmaster@relay.example>',
    subject: 'Undeliverable: A cold room',
    reasons: ['unknown', 'full'],
    noLetter: true,
    says: ({ letter, reason }) =>
      `Your message\n\n  To:      ${letter.to}\n  Subject: A cold room\n  Sent:    Mon, 23 Nov 2026 10:12:43 +0100\n\ndid not reach the following recipient(s):\n\n${letter.to} on Mon, 23 Nov 2026 10:12:51 +0100\n    ${reason.name === 'unknown' ? 'The recipient name is not recognized' : "The recipient's mailbox is full"}\n    The MTS-ID of the original message is: c=de;a= ;p=relay;l=EX1-261123091243Z-7\n    MSEXCH:IMS:Relay:EX:MX1 ${reason.name === 'unknown' ? '0 (000C05A6) Unknown Recipient' : '0 (000C05A3) Mailbox full'}\n`,
  },
  {
    name: 'Exchange 2000 with blocks',
    from: 'postmaster@relay.example',
    subject: 'Delivery Status Notification (Failure)',
    reasons: firm,
    says: ({ letter }) =>
      `This is an automatically generated Delivery Status Notification.\n\nDelivery to the following recipients failed.\n\n       ${letter.to}\n`,
    status: ({ letter, reason }) =>
      `Reporting-MTA: dns;mx1.relay.example\nReceived-From-MTA: dns;mail.halden.example\n\nFinal-Recipient: rfc822;${letter.to}\nAction: failed\nStatus: ${reason.code}\n`,
  },
  {
    name: 'Exchange 2007',
    from: 'Microsoft Exchange <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@relay.example>',
    subject: 'Undeliverable: A cold room',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Delivery has failed to these recipients or distribution lists:\n\n${letter.to}\nThe recipient's e-mail address was not accepted by the recipient's e-mail system.\n\n${admins(letter, answer, ['Diagnostic information for administrators:', 'Generating server', 'Original message headers'])}`,
  },
  {
    name: 'Exchange in German',
    from: 'postmaster@relay.example',
    subject: 'Unzustellbar: Kühlraum',
    reasons: firm,
    latin: true,
    says: ({ letter, answer }) =>
      `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:\n\n${letter.to}\n\n${admins(letter, answer, ['Diagnoseinformationen für Administratoren:', 'Generierender Server', 'Ursprüngliche Nachrichtenkopfzeilen'])}`,
  },
  {
    name: 'Exchange in French',
    from: 'postmaster@relay.example',
    subject: 'Non remis : A cold room',
    reasons: firm,
    latin: true,
    says: ({ letter, answer }) =>
      `Échec de la remise pour ces destinataires ou groupes :\n\n${letter.to}\n\n${admins(letter, answer, ['Informations de diagnostic pour les administrateurs :', 'Serveur de génération', "En-têtes de message d'origine"])}`,
  },
  {
    name: 'Exchange in Spanish',
    from: 'postmaster@relay.example',
    subject: 'No se puede entregar: A cold room',
    reasons: firm,
    latin: true,
    says: ({ letter, answer }) =>
      `No se pudo entregar el mensaje a los siguientes destinatarios o grupos:\n\n${letter.to}\n\n${admins(letter, answer, ['Información de diagnóstico para administradores:', 'Generando servidor', 'Encabezados de mensaje originales'])}`,
  },
  {
    name: 'Exchange in Italian',
    from: 'postmaster@relay.example',
    subject: 'Non recapitabile: A cold room',
    reasons: firm,
    latin: true,
    says: ({ letter, answer }) =>
      `Recapito non riuscito per i seguenti destinatari o gruppi:\n\n${letter.to}\n\n${admins(letter, answer, ['Informazioni di diagnostica per gli amministratori:', 'Server di generazione', 'Intestazioni originali del messaggio'])}`,
  },
  {
    name: 'Exchange Online',
    from: 'postmaster@relay.example',
    subject: 'Undeliverable: A cold room',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Your message to ${letter.to} couldn't be delivered.\n\n${letter.to.split('@')[0]} wasn't found at ${letter.host}.\n\nHow to Fix It\nThe address may be misspelled or may not exist.\n\nMore Info for Email Admins\n\nStatus code: ${answer.slice(0, 9)}\n`,
    status: ({ letter, reason, answer }) =>
      `Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.example\nReceived-From-MTA: dns;mail.halden.example\nArrival-Date: Mon, 23 Nov 2026 09:12:44 +0000\n\nFinal-Recipient: rfc822;${letter.to}\nAction: failed\nStatus: ${reason.code}\nDiagnostic-Code: smtp;${answer}\n`,
  },
  {
    name: 'an X.400 gateway',
    from: 'Postmaster <postmaster@gateway.relay.example>',
    subject: 'Non-Delivery Report',
    reasons: ['unknown'],
    says: ({ letter }) =>
      `Your message has not been delivered to one or more recipients.\n\nRecipient: ${letter.to}\nReason: unable to transfer; diagnostic: unrecognised O/R name, unknown recipient\nThe MTS-ID of the original message is: c=de;a=x400;p=relay;l=7781\nMessage-ID: ${letter.id}\n`,
  },
  {
    name: 'Domino',
    from: 'MAILER-DAEMON@notes.relay.example',
    subject: 'DELIVERY FAILURE: User not listed in Domino Directory',
    reasons: ['unknown', 'full'],
    says: ({ letter, reason }) =>
      `Your message\n\n  Subject: A cold room\n\nwas not delivered to:\n\n  ${letter.to}\n\nbecause:\n\n  ${reason.name === 'unknown' ? `User ${letter.to.split('@')[0]} (${letter.to}) not listed in Domino Directory` : 'Database disk quota exceeded'}\n`,
    status: ({ letter, reason }) =>
      `Reporting-MTA: dns;notes.relay.example\n\nFinal-Recipient: rfc822;${letter.to}\nAction: failed\nStatus: ${reason.code}\nDiagnostic-Code: X-Notes; ${reason.says}\n`,
  },
  {
    name: 'Lotus Notes',
    from: 'Notes Mailer <postmaster@notes.relay.example>',
    subject: 'DELIVERY FAILURE: User listed nowhere',
    reasons: ['unknown'],
    says: ({ letter, tail }) =>
      `------- Failure Reasons  --------\n\nUser not listed in public Name & Address Book\n${letter.to}\n\n------- Returned Message --------\n\n${tail}`,
  },
  {
    name: 'IMail',
    from: 'Postmaster <postmaster@relay.example>',
    subject: 'Undeliverable Mail',
    reasons: ['unknown', 'full', 'domain'],
    says: ({ letter, reason, tail }) =>
      `${{ unknown: 'Unknown user', full: 'User mailbox exceeds allowed size', domain: 'Unknown host' }[reason.name as 'unknown']}: ${letter.to}\n\nOriginal message follows.\n\n${tail}`,
  },
  {
    name: 'MailMarshal',
    from: 'postmaster@relay.example',
    subject: 'Undeliverable Mail: "A cold room"',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Your message:\n   From:    ${letter.from}\n   Subject: A cold room\n\nCould not be delivered because of\n\n${answer}\n\nThe following recipients were affected:\n    ${letter.to}\n\nAdditional Information\n======================\nOriginal Sender:    <${letter.from}>\nSender-MTA:         <192.0.2.7>\nMessage-ID:         ${letter.id}\n`,
  },
  {
    name: 'SurfControl',
    from: 'Postmaster <postmaster@relay.example>',
    subject: 'Undeliverable message: A cold room',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Your message could not be sent.\nA transcript of the attempts to send the message follows.\nThe number of attempts made: 1\nAddressed To: ${letter.to}\n\nMon 23 Nov 2026 09:12:44\nFailed to send to identified host,\n${letter.to}: [192.0.2.25], ${answer}\n--- Message non-deliverable.\n\n${tail}`,
  },
  {
    name: 'hMailServer',
    from: 'mailer-daemon@relay.example',
    subject: 'Message undeliverable: A cold room',
    reasons: firm,
    says: ({ letter, answer, tail }) =>
      `Your message did not reach some or all of the intended recipients.\n\n   Sent: Mon, 23 Nov 2026 09:12:43 +0000\n   Subject: A cold room\n\nThe following recipient(s) could not be reached:\n\n${letter.to}\n   Error Type: SMTP\n   Remote server (192.0.2.25) issued an error.\n   hMailServer sent: RCPT TO:<${letter.to}>\n   Remote server replied: ${answer}\n\nhMailServer\n\n${tail}`,
  },
  {
    name: 'Kerio',
    from: 'Mail Delivery Subsystem <postmaster@relay.example>',
    subject: 'Delivery failure: A cold room',
    reasons: firm,
    says: ({ letter, answer }) =>
      `Your message was not delivered to the following recipients:\n\n  ${letter.to}: ${answer}\n`,
    status: blocks(),
  },
]
