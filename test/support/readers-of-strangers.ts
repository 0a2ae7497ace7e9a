import { equal, ok } from 'node:assert/strict'
import { readAddress } from '../../rules/addresses.ts'
import { meaningOfImap } from '../../rules/answers/imap.ts'
import { loginProblemOf, loginWords } from '../../rules/answers/login.ts'
import { restOf, statedGapSeconds, statedWait } from '../../rules/answers/rest-lengths.ts'
import { meaningOfSmtp, type Stage } from '../../rules/answers/smtp.ts'
import { restTold } from '../../rules/answers/told.ts'
import { readAuthentication } from '../../rules/mail/authentication.ts'
import { readAutoReply } from '../../rules/mail/automatic/auto-reply.ts'
import { daysNamed, namesDay } from '../../rules/mail/automatic/days.ts'
import {
  acknowledges,
  hasErrorLine,
  holdsMail,
  refusesMail,
  saysSenderHasLeft,
} from '../../rules/mail/automatic/notices.ts'
import {
  endsAway,
  isOfNotes,
  readSigns,
  readSubject,
  saysSenderIsAway,
} from '../../rules/mail/automatic/signs.ts'
import { wordsOf } from '../../rules/mail/html/words.ts'
import { ownWords } from '../../rules/mail/own-words.ts'
import { idIn, unreadable } from '../../rules/mail/received.ts'
import { idsIn } from '../../rules/mail/reports/addresses.ts'
import { saysAutomatic } from '../../rules/mail/reports/automatic-words.ts'
import {
  complains,
  isOfSpamCop,
  readFeedback,
  saysReported,
  spamReport,
} from '../../rules/mail/reports/complaints.ts'
import { outcomesIn } from '../../rules/mail/reports/delivery-status.ts'
import { diagnose } from '../../rules/mail/reports/diagnosis.ts'
import { isFaxReport, isFilterForm, isFormOfAbuse } from '../../rules/mail/reports/forms.ts'
import {
  answersIn,
  originsIn,
  readNotice,
  recipientsIn,
  tellsIn,
} from '../../rules/mail/reports/notice.ts'
import { looksReturned, refusesForSender } from '../../rules/mail/reports/ordinary-senders.ts'
import { takesLeave, withoutPolishAnd } from '../../rules/mail/reports/people.ts'
import { isReceipt, readNotification } from '../../rules/mail/reports/read.ts'
import { isAbuseDesk, isDaemon } from '../../rules/mail/reports/senders.ts'
import { isTitleOfBounce } from '../../rules/mail/reports/titles.ts'
import { saysUnsent } from '../../rules/mail/reports/words.ts'
import { declinesOffer, isInterested } from '../../rules/mail/wishes/interest.ts'
import { markConversation, phrases } from '../../rules/mail/wishes/marks.ts'
import { asksForNoLetters } from '../../rules/mail/wishes/unsubscribe.ts'
import { readSender } from '../../rules/mail/writer.ts'
import { fieldOfHeading } from '../../rules/people-file/headings.ts'
import { isOfOthers } from '../../rules/people-file/others.ts'
import { readStop, stopOfHeading } from '../../rules/people-file/stops.ts'
import { otherFormat } from '../../rules/people-file/table.ts'
import { takeCards } from '../../rules/people-file/visiting-cards.ts'
import { serversOfAutoconfig } from '../../rules/servers/found.ts'
import { units } from './expressions-of-strangers.ts'
import { growsFaster } from './growth.ts'

// Each function that reads the words of strangers is fed what it is given in life, and what is bad for many, over and over.

const at = new Date('2026-11-23T09:00:00Z')
const stages: Stage[] = ['login', 'mail', 'rcpt', 'dot']
const header = (name: string) => (name === 'auto-submitted' ? 'auto-replied' : '')
const readers: [string, (text: string) => unknown, string[]][] = [
  ['the words of a page', wordsOf, ['<b>', '<b></i>', '<p>\n', '"data:', '<!--', '<style>', '&am']],
  ['a mail kept as it came', (text) => unreadable(Buffer.from(text)), ['From: a@', 'From: <']],
  [
    'a sender',
    (text) => readSender([{ key: 'from', value: text }]),
    ['a@b.c ', '<a@b.c>', '"<a@b>"', '(a', 'a: ', 'a, ', '=?a?q?b?= ', '\\"'],
  ],
  [
    'what a server says of a sender',
    (text) => readAuthentication([{ key: 'authentication-results', value: `mx; ${text}` }]),
    ['dmarc ', 'dmarc/1', 'dmarc=pass; ', '(a', '"a'],
  ],
  ['a Message-ID', idIn, ['<a@', '<<a>']],
  [
    'the marks of a message',
    (text) => markConversation(text, text),
    phrases.slice(0, 40).flatMap(([, list]) =>
      list
        .split('|')
        .map((one) => `${one.trim().replaceAll(/[*_]/g, 'x')} `)
        .slice(0, 2),
    ),
  ],
  [
    'what a message asks for',
    (text) => [
      declinesOffer(text.slice(0, 20_000)),
      isInterested(text.slice(0, 20_000)),
      asksForNoLetters(text.slice(0, 20_000)),
    ],
    [
      'please stop ',
      'do not want to receive ',
      'melden sie mich ',
      'not ',
      'kein ',
      'ne veux plus ',
      'if ',
      'whether ',
      'interested ',
      'unsubscribe\n',
      '配信',
      '興味',
      'の。',
    ],
  ],
  [
    'what a message quotes',
    ownWords,
    ['on x wrote x', '\non x', 'on x wrote ', '\nfrom: ', '-- \n', '__', '\n2026/1 ', '\nod: '],
  ],
  [
    'an automatic reply',
    (given) => {
      const [subject, text] = ['away', `out of office urlop ${given}`]
      const from = { name: given, address: 'a@b.example' }
      const signs = readSigns({ header, from, subject, text })
      return readAutoReply(signs, { subject, text, at })
    },
    [
      '1-',
      'mon ',
      '1 december ',
      'from ',
      '1 grudnia ',
      'do piątku ',
      'i will be back ',
      'bin ich ',
    ],
  ],
  [
    'the days of an absence',
    (text) => [daysNamed(text, '2026-11-23'), namesDay(text)],
    ['1. december ', 'december ', 'bis 4.12. ', 'through ', 'friday, ', '1/', '12月', 'the 7th'],
  ],
  ['a subject', readSubject, ['auto-', 'out of office ', '[a] ', 'until 1', 'absence of ']],
  [
    'a report in fields',
    (text) => outcomesIn(text, text),
    ['status: 5.1.1\n', 'final-recipient: rfc822; a@b.c\n', 'action: failed\n\n', '550 5.1.1 '],
  ],
  [
    'a bounce in words',
    (text) => {
      const notice = readNotice(`Undeliverable\n${text}`)
      readNotice(`It has been identified as a possible delivery error notice\nReceived: x\n${text}`)
      const said = answersIn(notice.said)
      return [
        tellsIn(text, notice.said),
        looksReturned('Undeliverable', notice.said, { to: ['a@b.c'] }),
        diagnose(undefined, [said, notice.said]),
        recipientsIn(notice, () => false),
        originsIn(notice.said),
        idsIn(text),
      ]
    },
    [
      '550 5.1.1 ',
      '<a@b.c>:\n',
      'to: a@b.c ',
      'rcpt to:',
      'message-id: ',
      'message-id: <',
      '>a@',
      'a@b.c\n (expanded from: ',
      'a@b.c\n (reason: ',
    ],
  ],
  [
    'what a program tells in lines',
    (text) => [
      isFilterForm({ subject: 'filter', said: text, isOwn: true }, ['a@b.c']),
      isFaxReport('fax', text),
      isFormOfAbuse(text),
      refusesForSender(`Delivery failed. ${text}`, { name: '', address: 'a@b.c' }),
    ],
    ['action: deleted\n', 'from: a@b.c\n', 'ip: 1.2.3.4\n', '1.1.', 'a@b.c is closed. '],
  ],
  [
    'what a program answers',
    (text) => [
      acknowledges(`this is an automatic reply ${text}`),
      refusesMail(text),
      holdsMail(`waiting for approval ${text}`),
      hasErrorLine(text),
      saysSenderHasLeft(text, { name: text }),
      saysAutomatic(`this is an automatic message ${text}`),
      saysUnsent('fax', text),
      takesLeave(text),
      withoutPolishAnd(text),
    ],
    [
      'error (1): ',
      'e-mail ',
      'is no longer with ',
      'mr ',
      'hat uns ',
      'automatic message. ',
      'ę i ',
    ],
  ],
  [
    'the title of a bounce or a receipt',
    (text) => [isTitleOfBounce(text), isReceipt(text, text), isReceipt('read: x', text)],
    ['ihre mail an ', 'mail was ', '[a] ', 'bounce a@', 'delivery to '],
  ],
  [
    'the title of an absence',
    (text) => [
      endsAway(`Re: ${text}`),
      isOfNotes(text, text),
      saysSenderIsAway(text, { name: text, address: 'a@b.example' }),
    ],
    ['(ooo)', 'kim is away ', 'ist '],
  ],
  [
    'a complaint',
    (text) => [
      complains(text, text),
      saysReported(text),
      spamReport.test(text),
      isOfSpamCop(`[SpamCop (${text}) id:1]`, { sender: text, isMarked: false }),
      isAbuseDesk({ name: text, address: text }),
    ],
    ['abuse-', 'abuse.', 'report-type: ', 'a@abuse.'],
  ],
  [
    'the answer of a mail server',
    (words) => [
      stages.map((stage) => meaningOfSmtp({ stage, code: 550, words, host: 'mx.example' })),
      meaningOfImap({ verb: 'LOGIN', words, loggedIn: false }),
      statedGapSeconds(words),
      statedWait(`again ${words}`),
      restOf({ cause: 'smtp_rate', tries: 1, words, zone: 'UTC', now: at }),
      restTold('ana@us.example', 'smtp_rate', words, at),
      loginProblemOf({ server: 'smtp', words, code: 535 }),
      loginWords(words, ['password']),
    ],
    [
      '550-5.4.5 ',
      'daily limit exceeded ',
      '30 messages per minute ',
      '9 a b per ',
      'in about 9 h ',
    ],
  ],
  [
    'an autoconfig document',
    (text) => serversOfAutoconfig(`<clientConfig>${text}`, 'a@b.example') ?? null,
    [
      '<incomingServer type="imap">',
      '<incomingServer type="imap"><hostname>a.b',
      '<!-- ',
      '<outgoingServer type="smtp"><hostname>a.example</hostname><port>587</port><socketType>SSL</socketType></outgoingServer>',
    ],
  ],
  ['feedback', readFeedback, ['feedback-type: abuse\n', 'original-rcpt-to: a@b.c\n']],
  ['the name of a server', isDaemon, ['bounce-', '-bounces', 'mail-']],
  ['a notification', readNotification, ['"eventType"', '{"eventType":']],
  [
    'an address',
    (text) => readAddress('email', text),
    ['a@a.', 'mailto:', '<a@a.', '\u00ad', '＠', '('],
  ],
  ['a phone', (text) => readAddress('phone', text), ['+1 ', '1-', 'x1']],
  ['a profile', (text) => readAddress('linkedin', text), ['a.', 'https://', '%41', '/']],
  ['a heading', fieldOfHeading, ['e-mail ', 'e', '_']],
  [
    'who must not be written to',
    (text) => [stopOfHeading(text), readStop('mailStatus', text), isOfOthers(text)],
    ['unsub', 'do not ', 'aA', 'not ', 'cancelou', 'referr'],
  ],
  ['the format of a file', otherFormat, ['"a" <a@b>, ', '"', '{"', '/*', '-- ', '- a']],
  [
    'visiting cards',
    (text) => takeCards(`BEGIN:VCARD\nEMAIL${text}\nEND:VCARD`, () => {}),
    [';a="b"', ';"', ':=41', '\\;', '\n x', '=\n', ':a,b'],
  ],
]

/** Feeds them so many characters, each size ten times the last. */
export function feedReaders(sizes: number[]) {
  it('asks little of what is nearly an address', () => {
    const text = '@'.repeat(60_000)
    const began = performance.now()
    originsIn(text)
    const took = performance.now() - began
    ok(took < 400, `${took} ms`)
  })

  for (const [what, read, own] of readers)
    it(`takes time in proportion to its input when it reads ${what}`, () => {
      const slow = [...units, ...own].flatMap((unit) => {
        const inputOf = (size: number) => `${unit.repeat(size / unit.length)}\u0001`
        const said = growsFaster(sizes, inputOf, read)
        return said ? [`${JSON.stringify(unit)}: ${said}`] : []
      })
      equal(slow.join('\n'), '')
    })
}
