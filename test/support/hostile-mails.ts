// Mail crafted to take much time or memory.

const mail = (name: string, heads: string, body: string) =>
  Buffer.from(
    `From: Mallory <${name}@stranger.example>\r\nTo: us@us.example\r\nSubject: ${name}\r\nMessage-ID: <${name}@stranger.example>\r\n${heads}\r\n${body}`,
  )

const everyMinute = (uid: string) =>
  [
    ...[
      'BEGIN:VCALENDAR',
      'METHOD:REPLY',
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTART:20260101T000000Z',
    ],
    `RRULE:FREQ=DAILY;BYHOUR=${count(24)};BYMINUTE=${count(60)};BYSECOND=${count(60)}`,
    ...[
      'ATTENDEE;PARTSTAT=ACCEPTED:mailto:mallory@stranger.example',
      'END:VEVENT',
      'END:VCALENDAR',
    ],
  ].join('\r\n')
const count = (n: number) => Array.from({ length: n }, (_, i) => i).join(',')

const calendars = (parts: number) =>
  Array.from(
    { length: parts },
    (_, n) =>
      `--b\r\nContent-Type: text/calendar; method=REPLY\r\n\r\n${everyMinute(`bomb-${n}`)}\r\n`,
  ).join('')

/** What each costs grows with its size; one is too much all the same and is kept as it came. */
export const hostileMails = (): { name: string; raw: Buffer; readable: boolean }[] => [
  { name: 'newlines', raw: mail('newlines', '', '\r\n'.repeat(500_000)), readable: true },
  {
    name: 'nested',
    raw: mail('nested', 'Content-Type: text/html\r\n', `${'<b>'.repeat(1_400_000)}`),
    readable: true,
  },
  {
    name: 'bombs',
    raw: mail(
      'bombs',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      `${calendars(140)}--b--\r\n`,
    ),
    readable: true,
  },
  {
    name: 'lines',
    raw: mail('lines', 'Content-Type: application/octet-stream\r\n', '\n'.repeat(8_000_000)),
    readable: false,
  },
]
