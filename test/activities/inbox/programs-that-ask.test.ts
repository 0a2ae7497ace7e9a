import { deepEqual } from 'node:assert/strict'
import { readText as read } from '../../support/read-text.ts'

// Programs that hold a mail back, tell of an absence or report on a domain, without the headers of automatic mail; and people who
// use the same words.

const programs: [what: string, head: string[], body: string[]][] = [
  [
    'a list that waits for its moderator',
    ['From: List server (16.5) <LISTSERV@lists.example>', 'Subject: FRUIT-L: queued'],
    ['Your message "A cold room" has been submitted to the moderator of the FRUIT-L list: Bo Li.'],
  ],
  [
    'a filter that asks for a confirmation',
    [
      'From: Bo Li <bo-confirm+1795425600.2114.0c9f2e@kobalt.example>',
      'Subject: Please confirm your message',
      'In-Reply-To: <ours@us.example>',
    ],
    [
      'Your message, a copy of which is below, is being held because the address is new here.',
      'To release your message for delivery, answer this one.',
      '',
      '--- Enclosed is a copy of your message.',
      ...['', 'Subject: A cold room', '', 'Do you need one? I would call you.'],
    ],
  ],
  [
    'a provider whose customers are protected by a link',
    ['From: Anti-Spam Kobalt <bo@check.kobalt.example>', 'Subject: Re: A cold room'],
    [
      'Olá,',
      'Para que sua mensagem seja entregue, por favor clique aqui [https://check.kobalt.example/?a=1]',
    ],
  ],
  [
    'Spam Arrest',
    [
      'From: Bo Li <bo@kobalt.example>',
      'Subject: Re: A cold room (verification)',
      'X-Spamarrest-noauth: 1',
    ],
    ["Bo here. I'm protecting myself from junk mail: click below, once."],
  ],
  [
    'Notes, for an address of an initial and a family name',
    ['From: blindqvist@kobalt.example', 'Subject: Britta Lindqvist/Kobalt is out of the office.'],
    ['I will be out of the office starting  11/20/2026 and will not return until 12/04/2026.'],
  ],
  [
    'Notes, for an address without a name',
    [
      'From: office@kobalt.example',
      'Subject: =?utf-8?Q?Britta_Lindqvist/Kobalt_ist_au=C3=9Fer_Haus.?=',
    ],
    ['Ich werde ab  20.11.2026 nicht im Büro sein. Ich kehre zurück am 04.12.2026.'],
  ],
  [
    'a report on the mail of a domain',
    [
      'From: postmaster-reports@kobalt.example',
      'Subject: Report Domain: us.example Submitter: kobalt.example Report-ID: <71.2026@kobalt.example>',
    ],
    ['This is a report for us.example.'],
  ],
]

const people: [what: string, head: string[], body: string[]][] = [
  [
    'who passes such a report on',
    [
      'From: Bo Li <bo@kobalt.example>',
      'Subject: FW: Report Domain: us.example Submitter: kobalt.example Report-ID: 71',
    ],
    ['Do you know what this is?'],
  ],
  [
    'who asks about a mail that waits',
    ['From: Bo Li <bo@kobalt.example>', 'Subject: Your mail'],
    ['Your message was submitted to the moderator, Kim. She asks for the offer without pictures.'],
  ],
  [
    'who works for a maker of filters',
    ['From: Anti-Spam Kobalt, Bo Li <bo@kobalt.example>', 'Subject: Re: A cold room'],
    ['Para que sua mensagem seja lida, envie ao Kim. Obrigado, Bo'],
  ],
  [
    'who works for a maker of filters, and names what is missing',
    ['From: AntiSpam Kobalt <bo@kobalt.example>', 'Subject: Your mail'],
    ['Please confirm your message: before your message can be delivered to the board, we compare.'],
  ],
  [
    'who answers before leaving',
    ['From: office@kobalt.example', 'Subject: Cold rooms'],
    ['I will be out of the office starting Friday and will not return until May: send it today.'],
  ],
  [
    'who answers by a relay that nobody reads',
    [
      'From: Bo Li <no-reply@kobalt.example>',
      'Subject: Re: A cold room',
      'In-Reply-To: <ours@us.example>',
    ],
    ['The order is waiting for approval by our board, which meets on Friday.'],
  ],
  [
    'who answers about a colleague, and leaves as well',
    ['From: office@kobalt.example', 'Subject: Re: Bo is out of the office'],
    [
      'I will be out of the office starting Monday and will not return until Friday.',
      'Shall we talk before?',
    ],
  ],
  [
    'of an initial and a family name, who answers about a namesake',
    ['From: blindqvist@kobalt.example', 'Subject: Re: Britta Lindqvist is out of the office'],
    ['I am on vacation as well, from Monday on. Shall we talk before?'],
  ],
  [
    'who writes of a colleague',
    ['From: info@kobalt.example', 'Subject: Britta Lindqvist is out of the office'],
    ['She is out of the office until Friday, so talk to me about the cold room.'],
  ],
]

describe('a program that asks or tells', () => {
  for (const [what, head, body] of programs)
    it(`is recognized: ${what}`, async () => {
      const { automated, report } = await read(head, ...body)
      deepEqual([automated, report], [true, null])
    })

  for (const [what, head, body] of people)
    it(`is no person ${what}`, async () => {
      const { automated, report } = await read(head, ...body)
      deepEqual([automated, report], [false, null])
    })
})
