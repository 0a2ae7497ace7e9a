import { bounces } from './bounces.ts'
import { type Client, clients } from './clients.ts'
import { type Letter, letterOf, returned } from './letters.ts'
import { encodedWord, mailOf, multipart, partOf, pick } from './mail.ts'
import { type Words, words } from './words.ts'

/** `answers` is whether it names our letter as the one that it answers. */
export type ReplySample = { name: string; raw: Buffer; letter: Letter; answers: boolean }

/** People's answers: from every client in every language, and what looks like something else. */
export const replies = (): ReplySample[] => [
  ...clients.flatMap((client, c) => words.map((one, w) => replyOf(client, one, c + w))),
  ...words.flatMap((one) => one.odd.map((subject) => oddly(one, subject))),
  ...aboutBounces(),
]

type Given = {
  letter: Letter
  subject: string
  from?: string | undefined
  head?: string[]
  answers?: boolean
}

const headers = ({ letter, subject, from, head = [], answers = true }: Given): string[] => [
  `From: Kim Lee <${from ?? letter.to}>`,
  `To: ${letter.from}`,
  `Subject: ${encodedWord(subject)}`,
  'Date: Mon, 23 Nov 2026 11:00:00 +0000',
  `Message-ID: <reply-${letter.id.slice(5, 15)}@azahar.example>`,
  ...(answers
    ? [`In-Reply-To: ${letter.id}`, `References: <first@halden.example> ${letter.id}`]
    : []),
  ...head,
]

function replyOf(client: Client, language: Words, n: number): ReplySample {
  const letter = letterOf(`${client.name} ${language.language}`)
  const said = pick([language.yes, language.no], n)
  const subject = `${language.re}: ${letter.subject}`
  const head = headers({
    letter,
    subject: client.subject?.(subject) ?? subject,
    from: client.from,
    head: client.head,
  })
  const body = bodies[client.quotes](said, language, letter)
  return {
    name: `${client.name}, ${language.language}`,
    raw: mailOf(head, body),
    letter,
    answers: true,
  }
}

const quoted = (letter: Letter) =>
  returned(letter)
    .split('\n')
    .slice(-6)
    .map((line) => `> ${line}`)
    .join('\n')
const text = (all: string) =>
  partOf({ type: 'text/plain', charset: 'utf-8', encoding: 'quoted-printable', text: all })

const bodies: Record<Client['quotes'], (said: string, words: Words, letter: Letter) => Buffer> = {
  above: (said, { wrote }, letter) =>
    text(`${said}\n\n${wrote(letter.from)}\n\n${quoted(letter)}\n`),
  below: (said, { wrote }, letter) => text(`${wrote(letter.from)}\n${quoted(letter)}\n\n${said}\n`),
  block: (said, _, letter) =>
    text(
      `${said}\n\n________________________________\nFrom: Ana Ruiz <${letter.from}>\nSent: Monday, 23 November 2026 10:12\nTo: ${letter.to}\nSubject: ${letter.subject}\n\nMay I call you?\n`,
    ),
  none: (said) => text(`${said}\n`),
  html: (said, { wrote }, letter) =>
    multipart(
      'alternative',
      [
        text(`${said}\n\n${wrote(letter.from)}\n\n${quoted(letter)}\n`),
        partOf({
          type: 'text/html',
          charset: 'utf-8',
          encoding: 'base64',
          text: `<p>${said.replaceAll('\n', '<br>')}</p><blockquote>May I call you?</blockquote>`,
        }),
      ],
      'alt',
    ),
}

function oddly(language: Words, subject: string): ReplySample {
  const letter = letterOf(subject)
  const raw = mailOf(headers({ letter, subject, answers: false }), text(`${language.yes}\n`))
  return { name: `"${subject}"`, raw, letter, answers: false }
}

/** People who write about a bounce that they got, or send it on. */
function aboutBounces(): ReplySample[] {
  const made = bounces().filter((_, n) => n % 23 === 0)
  return made.flatMap(({ raw, letter, name }) => {
    const bounce = raw.toString('utf8')
    const subject = /^Subject: (.*)$/m.exec(bounce)?.[1]?.trim() ?? ''
    const content = bounce.slice(bounce.indexOf('\r\n\r\n') + 4).replaceAll('\r\n', '\n')
    const lines = content.split('\n').map((line) => `> ${line}`)
    const samples: [string, string, Buffer, boolean][] = [
      [
        'tells of',
        'Mail delivery failed',
        text(
          `Hello Ana,\n\nmy mail to ${letter.from} came back: 550 5.1.1 user unknown, "could not be delivered to the following". Is it right?\n\nKim\n`,
        ),
        false,
      ],
      [
        'quotes',
        `Re: ${letter.subject}`,
        text(
          `My answer to you came back, see below. Is your address right?\n\n${lines.join('\n')}\n`,
        ),
        true,
      ],
      [
        'forwards',
        `Fwd: ${subject}`,
        text(
          `Your colleague's mailbox does not work.\n\n---------- Forwarded message ---------\nFrom: Mail Delivery System <mailer-daemon@relay.example>\n\n${content}`,
        ),
        false,
      ],
      [
        'attaches',
        `Problem with your address`,
        multipart(
          'mixed',
          [
            text('I cannot reach your colleague.\n'),
            partOf({ type: 'message/rfc822', text: bounce }),
          ],
          'fw',
        ),
        false,
      ],
      [
        'sends on its parts of',
        `FW: ${subject}`,
        multipart(
          'mixed',
          [
            text('This came back. Can you help?\n'),
            partOf({
              type: 'message/delivery-status',
              text: `Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; ${letter.to}\nAction: failed\nStatus: 5.1.1\n`,
            }),
          ],
          'fw',
        ),
        false,
      ],
    ]
    return samples.map(([what, title, body, answers]) => ({
      name: `a person who ${what} a bounce (${name})`,
      raw: mailOf(headers({ letter, subject: title, answers }), body),
      letter,
      answers,
    }))
  })
}
