import { type Letter, letterOf } from './letters.ts'
import { encodedWord, mailOf, partOf, pick } from './mail.ts'
import { words } from './words.ts'

export type AutoSample = {
  name: string
  raw: Buffer
  letter: Letter
  outOfOffice: boolean
  until: string | null
}

/** The heads of programs that answer for people. A subject of a program is enough by itself. */
const programs: { name: string; head: string[]; own?: boolean }[] = [
  {
    name: 'Exchange',
    head: ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
    own: true,
  },
  { name: 'Gmail', head: ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes'] },
  { name: 'Sieve', head: ['Auto-Submitted: auto-replied (vacation)', 'Return-Path: <>'] },
  {
    name: 'vacation',
    head: [
      'Precedence: bulk',
      'Auto-Submitted: auto-replied',
      'Return-Path: <MAILER-DAEMON>',
    ].slice(0, 2),
  },
  { name: 'cPanel', head: ['X-Autorespond: A cold room', 'Precedence: auto_reply'] },
  { name: 'GMX', head: ['Precedence: auto_reply'] },
  { name: 'a program without headers', head: [], own: true },
]

/** Out-of-office replies in nine languages, with a day and without one, and acknowledgements. */
export const autoReplies = (): AutoSample[] => [
  ...words.flatMap((language, w) =>
    programs.map((program, p): AutoSample => {
      const letter = letterOf(`away ${language.language} ${p}`)
      const n = w + p
      const away = [...language.away, language.gone]
      const text = pick(away, n)
      const subject = program.own
        ? pick(language.automatic, n)
        : `${language.re}: ${letter.subject}`
      const hasDay = text !== language.gone || /\d/.test(subject)
      return {
        name: `${program.name}, ${language.language}: ${text}`,
        raw: mailOf(head(letter, subject, program.head), plain(text)),
        letter,
        outOfOffice: true,
        until: hasDay ? '2026-12-05' : null,
      }
    }),
  ),
  ...acknowledgements.map(([subject, text, ...more], n): AutoSample => {
    const letter = letterOf(`ack ${n}`)
    return {
      name: subject,
      raw: mailOf(head(letter, subject, more), plain(text)),
      letter,
      outOfOffice: false,
      until: null,
    }
  }),
]

const head = (letter: Letter, subject: string, more: string[]) => [
  `From: Kim Lee <${letter.to}>`,
  `To: ${letter.from}`,
  `Subject: ${encodedWord(subject)}`,
  'Date: Mon, 23 Nov 2026 09:20:00 +0000',
  `Message-ID: <auto-${letter.id.slice(5, 15)}@azahar.example>`,
  `In-Reply-To: ${letter.id}`,
  ...more,
]

const plain = (text: string) =>
  partOf({ type: 'text/plain', charset: 'utf-8', encoding: 'base64', text: `${text}\n` })

const acknowledgements: [subject: string, text: string, ...head: string[]][] = [
  [
    '[#71] We have received your request',
    'A colleague will answer within two days.',
    'Auto-Submitted: auto-replied',
  ],
  ['Ihre Anfrage ist eingegangen', 'Wir melden uns.', 'Auto-Submitted: auto-generated'],
  ['Re: A cold room', 'Thank you for contacting us.', 'X-Autoreply: yes'],
  [
    'Re: A cold room',
    'This address is no longer in use.',
    'Auto-Submitted: auto-replied',
    'Return-Path: <>',
  ],
  ['Merci de votre message', 'Nous vous répondrons.', 'X-Autorespond: yes'],
  ['Ticket 71', 'Your ticket is open.', 'Precedence: auto_reply'],
]
