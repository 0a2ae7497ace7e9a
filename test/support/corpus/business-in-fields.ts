// People who write about filters, faxes, groups, letters that came back and leaving a firm, some of them in lines of a name and a
// value as programs do.

export type Said = [subject: string, text: string, from?: string]

export const saidInFields: Said[] = [
  // What filters, fax services, groups and abuse desks tell in lines of a name and a value
  [
    'Found in our quarantine',
    'Sender: ana@halden.example\nSubject: Offer\nPolicy: Spam\nAction: Quarantined\n\nReleased now. Our filter is strict.',
  ],
  [
    'Your mail in quarantine',
    'Sender: ana@halden.example\nRecipient: kim@kobalt.example\nPolicy: bulk\nAction: blocked\n\nI have released it. What does the small one cost?',
  ],
  [
    'Quality alert: pallet 12',
    'Source: plant 2\nAction: blocked\nPolicy: returns\nDate: 12 May\n\nPlease call the warehouse.',
  ],
  [
    'Warning: invoice rejected',
    'Sender: Halden Ltd\nAmount: 400\nAction: rejected by accounting\nReason: no order number',
  ],
  [
    'Notification of the committee',
    'From: purchasing\nSubject: cold room\nAction: offer rejected\nReason: the policy of the group',
  ],
  [
    'Your policy',
    'Policy: liability\nAction: cancelled\nFrom: 1 May\nThe old policy is cancelled.',
  ],
  [
    'Qualitätsmeldung',
    'Absender: Werk 2\nAktion: gesperrt und abgelehnt\nRichtlinie: Retouren\n\nBitte zurückrufen.',
  ],
  [
    'Fax not received',
    'The fax did not arrive. Please send pages 1 and 2 again.\n\nKim Lee\nTel: 555\nFax: 556\nMobile: 557',
  ],
  [
    'The fax came with errors',
    'Pages: 1 and 2\nTime: this morning\nPlease send it by mail. It is hard to read.',
  ],
  [
    'Our fax number has changed',
    'Fax number: 555 123\nPhone number: 555 124\n\nPlease note it for the orders.',
  ],
  [
    'Fax nicht lesbar',
    'Das Fax war nicht lesbar, bitte noch einmal.\n\nSeiten: 2\nUhrzeit: 10:00\n\nKim Lee\nFax: 0711 555',
  ],
  [
    'Fax illisible',
    "Le fax de ce matin est arrivé avec une erreur. Pouvez-vous l'envoyer par courriel ?\n\nFax : 01 55 55",
  ],
  [
    'Our buying group',
    'The group only accepts offers from its members. You are not a member yet, shall I add you?',
  ],
  [
    'Unable to deliver your message',
    'I was unable to deliver the message from ana@halden.example to the board. They meet in May.',
  ],
  [
    'Message not delivered',
    'The message from ana@halden.example to bo@kobalt.example was not delivered, our filter took it. Please send it again.',
  ],
  [
    'Could not deliver the pallet',
    'The driver could not deliver to the dock. The number from ana@halden.example was wrong.',
  ],
  [
    'Message refusé pour la liste de diffusion',
    "Bonjour Ana, votre message pour la liste a été rejeté. Je vous ajoute aujourd'hui.",
  ],
  [
    'Message refusé',
    'Votre message a été refusé par le comité des achats. Merci de nous rappeler.',
  ],
  ['Offre refusée', 'Le prix a été refusé par la direction.', 'Sympa Café <cafe@lantern.example>'],
  ['Your offer', 'It was rejected by the board.', 'Jeff Mailman <jeff.mailman@kobalt.example>'],
  [
    'Spam filters for your firm',
    'Is your IP still 192.0.2.7? A spam filter is what we make. Date: any.',
    'Kim Lee <abuse-sales@lantern.example>',
  ],
  ['FW: Unsolicited offer', 'One of us forwarded this. What does the room cost?'],
  // Letters that came back, and receipts
  [
    'Letter returned to sender',
    'The post returned your letter: addressee unknown. Please send it to\n\nDock 4\n\nkim@kobalt.example',
  ],
  ['Received: samples', 'The samples were delivered to: dock 4. The note on the box says Halden.'],
  ['Delivered: 40 pumps', 'The pallet was successfully delivered to: dock 4'],
  ['Read: your offer', 'Your offer was read at our meeting on Monday. We take it.'],
  [
    'Zugestellt: Palette 12',
    'Die Palette wurde zugestellt an: Rampe 4. Der Fahrer war freundlich.',
  ],
  [
    'Delivery',
    'The cold room was successfully delivered. No further work is needed. Thank you very much!',
  ],
  // Leaving, waiting, and what could not be processed
  [
    'I am leaving the company',
    'I am leaving the company on Friday, please write to bo@kobalt.example.',
  ],
  ['Goodbye', 'Kim Lee here. I have left the company, please write to bo@kobalt.example.'],
  ['Our buyer', 'Our buyer Bo Lund has left the company. Please send the offer to me.'],
  [
    'Ansprechpartner',
    'Herr Kern ist nicht mehr im Unternehmen. Das Angebot brauchen wir trotzdem, bitte an mich.',
  ],
  ['Salida', 'Dejo la empresa el viernes. Escriba por favor a luis@cedro.example.'],
  ['Vertrek', 'Vrijdag is mijn laatste dag. Schrijf daarna aan inkoop@kobalt.example.'],
  ['Waiting for approval', 'Your offer is waiting for approval by the board of the group.'],
  ['The moderator', 'Your talk is pending approval by the moderator of the round table.'],
  ['Your order', 'Your order could not be processed. Please send the tax number.'],
  ['Rechnung 71', 'Die Rechnung konnte nicht verarbeitet werden, die Bestellnummer fehlt.'],
  [
    'Automatic reply only',
    'We only got an automatic reply. Has the order been received by anybody?',
  ],
  ['Error 404 on your page', 'ERROR 404 on your page. The form does not work. Send the list.'],
  [
    'Your first mail',
    'Your first mail was not delivered to purchasing. Please write to kim@kobalt.example in future.',
    'kim@kobalt.example',
  ],
  [
    'My address',
    'Your letter was returned. My address kim@kobalt.example is no longer valid from May.',
    'kim@kobalt.example',
  ],
  [
    'The mailbox of Bo',
    'Your message was not delivered. The mailbox bo@kobalt.example does not exist, write to kim@kobalt.example.',
    'kim@kobalt.example',
  ],
  [
    'Kim Lee',
    'Your mail was not delivered. We think kim@kobalt.example has left the company.',
    'Kim Lee <kim@kobalt.example>',
  ],
]
