import type { Notice } from './notices-in-fields.ts'

// What programs answer for people, and ticket systems by themselves, under ordinary addresses.

export const answersOfPrograms: Notice[] = [
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Poza biurem Re: A cold room',
    text: () => 'Jestem na urlopie.\n',
  },
  {
    kind: 'auto',
    from: 'Service clients <service@cedro.example>',
    subject: '[Ticket#: 71] Votre demande',
    text: () => 'Merci, un technicien vous répondra.\n\n> user unknown\n',
    head: ['X-Mailer: OTRS Mail Service (2.0.4)', 'X-OTRS-Loop: yes', 'Precedence: bulk'],
  },
  {
    kind: 'auto',
    from: 'Helpdesk <help@cedro.example>',
    subject: '[Ticket#71] RE: A cold room',
    text: () => 'Thank you. We have opened a ticket.\n',
    head: ['X-Mailer: OTOBO Mail Service (10.1)', 'X-Loop: yes'],
  },
  {
    kind: 'auto',
    from: 'Kancelaria <noreply@wisla.example>',
    subject: 'Potwierdzenie',
    text: () =>
      'Szanowni Państwo,\n\npotwierdzamy otrzymanie zgłoszenia i dziękujemy. Wiadomość została wygenerowana automatycznie.\n\n-- Wiadomość wygenerowana automatycznie --\n',
  },
  {
    kind: 'auto',
    from: 'Accueil <no-reply@mistral.example>',
    subject: 'Votre courriel',
    text: () =>
      'Nous accusons réception de votre courriel, qui porte le numéro 71.\n\nMessage automatique, merci de ne pas y répondre.\n',
  },
  {
    kind: 'auto',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'Your mail to Kim',
    text: () =>
      'This message was created automatically by mail delivery software (TMDA).\n\nYour message is being held because the address is not known to me. To release your message for delivery, answer this one.\n',
    head: [
      'Reply-To: Kim Lee <kim-confirm-1795425600.2114.0c9f2e@kobalt.example>',
      'Precedence: bulk',
      'X-Delivery-Agent: TMDA/1.1.12 (Macallan)',
    ],
    with: 'part',
  },
  {
    kind: 'auto',
    from: 'Spam Blocker <kim@kobalt.example>',
    subject: 'Re: A cold room',
    text: () => 'To be added to my list of approved senders, please use the form below.\n',
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Re: A cold room',
    text: () => 'Kim no longer works here. Write to info@kobalt.example.\n',
    head: ['X-Autoresponder: answer 2'],
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Re: A cold room',
    text: () => 'A Kim não trabalha mais aqui.\n',
    head: ['X-Mailer: Hosting Autoresponder'],
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'away from my mail',
    text: () => 'I will read your mail when I return from my vacation.\n',
    head: ['Return-Path: <>', 'Delivered-By-The-Graces-Of: The Vacation program'],
  },
  {
    kind: 'auto',
    from: 'Kim Lee <Kim_Lee@kobalt.example>',
    subject: 'Kim Lee/Sales/Kobalt is out of the office.',
    text: () => 'I will be out of the office and will not return until 4 December.\n',
  },
  {
    kind: 'auto',
    from: 'Eva Lang <e.lang@kobalt.example>',
    subject: 'Eva Lang ist außer Haus.',
    text: () => 'Ich bin ab 20.11. nicht im Büro.\n',
  },
  {
    kind: 'auto',
    from: 'e.lang@kobalt.example',
    subject: 'Antw: A cold room (Urlaub)',
    text: () => 'Ich bin im Urlaub. Ihre Nachricht wird nicht weitergeleitet.\n',
  },
  {
    kind: 'auto',
    from: '김 <kim@kobalt.example>',
    subject: '[휴가중 자동회신] A cold room',
    text: () => '현재 휴가 중입니다.\n',
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Yahoo! Auto Response',
    text: () => "I'm on vacation, back soon!\n",
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Please confirm your message',
    text: () =>
      'This message was created automatically by mail delivery software.\n\nYour message is being held because the address is not known. To release your message for delivery, answer this.\n\n',
    head: ['Return-Path: <>', 'Auto-Submitted: auto-replied'],
    with: 'text',
  },
]
