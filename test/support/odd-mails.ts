// Malformed mail, and mail that is odd but valid: what a mailbox must accept without losing any.

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n')
const head = (n: number, more = '') =>
  `From: Odd ${n} <odd${n}@client.example>\nTo: us@us.example\nSubject: Odd ${n}\nMessage-ID: <odd-${n}@client.example>\n${more}`

/** At least 200, each with its own number; latin1 carries raw bytes. */
export function oddMails(): Buffer[] {
  const made: Buffer[] = []
  const add = (make: (n: number) => string | Buffer) => {
    const mail = make(made.length)
    made.push(typeof mail === 'string' ? Buffer.from(crlf(mail), 'latin1') : mail)
  }
  for (const charset of charsets)
    for (const encoding of encodings)
      add((n) => head(n, `MIME-Version: 1.0\n${type(charset)}${cte(encoding)}\n${bytes}\n`))
  for (const content of brokenBodies) add((n) => `${head(n)}${content}`)
  for (const lines of oddHeaders) add((n) => `${head(n, lines)}\nWords.\n`)
  for (const whole of whole5322) add(() => whole)
  for (const subject of subjects)
    add((n) => `From: odd${n}@client.example\nMessage-ID: <odd-s-${n}@x>\nSubject: ${subject}\n\nx`)
  for (const html of htmls)
    add((n) => `${head(n, 'MIME-Version: 1.0\nContent-Type: text/html\n')}\n${html}`)
  add((n) => `${head(n, flood(5_000))}\nA flood of headers.\n`)
  add((n) => `${head(n, `X-Long: ${'a'.repeat(900_000)}\n`)}\nA header as long as a book.\n`)
  add((n) => nested(n, 40))
  add((n) => nested(n, 400))
  add((n) => parts(n, 3_000))
  add((n) => Buffer.concat([Buffer.from(head(n)), Buffer.from('\r\n'), Buffer.alloc(70_000, 0)]))
  add((n) => Buffer.concat([Buffer.from(crlf(`${head(n)}\n`)), noise(50_000)]))
  add((n) => Buffer.from(`${head(n)}\nBare line feeds.\nNothing else.\n`))
  add((n) => Buffer.from(`${head(n)}\nBare carriage returns.\n`.replaceAll('\n', '\r')))
  return made
}

/** One of `megabytes`, most of it an attachment. */
export function largeMail(megabytes: number): Buffer {
  const start = head(9_999, 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n')
  const file = `--b\nContent-Type: application/zip; name=big.zip\nContent-Transfer-Encoding: base64\n\n`
  return Buffer.concat([
    Buffer.from(crlf(`${start}\n--b\n\nSee the file.\n${file}`)),
    Buffer.from(`${'QUJD'.repeat(19)}\r\n`.repeat((megabytes * 1024 * 1024) / 78)),
    Buffer.from('--b--\r\n'),
  ])
}

const type = (charset: string) => `Content-Type: text/plain; charset=${charset}\n`
const cte = (encoding: string) => (encoding ? `Content-Transfer-Encoding: ${encoding}\n` : '')
const charsets = [
  ...['utf-8', 'UTF8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'koi8-r', 'shift_jis', 'gb18030'],
  ...[
    'iso-2022-jp',
    'utf-16',
    'utf-7',
    'unknown-8bit',
    'x-nonsense',
    '"',
    '""',
    '  ',
    'latin-1; x=y',
  ],
]
const encodings = [
  '',
  '7bit',
  '8bit',
  'binary',
  'quoted-printable',
  'base64',
  'x-uuencode',
  'BASE-64',
]
const bytes = 'caf\xe9 =E9=ZZ= \xff\xfe\x80 Y2Fmw6k= ===\x1b$B'

const brokenBodies = [
  '',
  '\n',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nno boundary\n',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\n\n--\n\nx\n----\n',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nnever closed',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b--\n--b\n\nafter the end\n',
  'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\nnothing but a preamble\n',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="a b"\n\n--a b\n\nspace in the boundary\n--a b--\n',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\nContent-Type: text/plain\n\n--b\n\ntwo types\n--b--\n',
  'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nAction: what\nStatus: none\n--b--\n',
  'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--\n',
  'MIME-Version: 1.0\nContent-Type: message/rfc822\n\nSubject: inside\n\ninside\n',
  'MIME-Version: 1.0\nContent-Type: message/partial; id="x"; number=1; total=3\n\npart of something\n',
  'MIME-Version: 1.0\nContent-Type: message/external-body; access-type=local-file; name="/etc/passwd"\n\n\n',
  'MIME-Version: 1.0\nContent-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\nEND\n',
  'MIME-Version: 1.0\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgEA\n',
  'MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\nMIAGCSqGSIb3\n',
  'MIME-Version: 1.0\nContent-Type: text\n\na type without its half\n',
  'MIME-Version: 1.0\nContent-Type: /;;;=;\n\nnot a type\n',
  'MIME-Version: 1.0\nContent-Type: text/plain; format=flowed; delsp=yes\n\nflowed \ntext \n-- \nme\n',
  'MIME-Version: 1.0\nContent-Type: application/octet-stream; name="../../etc/passwd\\0"\nContent-Disposition: attachment; filename*=utf-8\'\'%00%ff..%2f\n\nx\n',
  `MIME-Version: 1.0\nContent-Type: application/x; name="${'n'.repeat(5_000)}"\n\nx\n`,
  '\n.\n..\n.hidden\n',
  `\n${'x'.repeat(200_000)}\n`,
  `\n${'\n'.repeat(50_000)}`,
  '\n\ud83d lone surrogate \u0000 and NUL\n',
  '\nbegin 644 file\n#86)C\n`\nend\n',
  '\n>From here it is escaped\nFrom here it is not\n',
]

const oddHeaders = [
  'From: second@client.example\n',
  'Subject: second\nSubject: third\n',
  'Date: yesterday\n',
  'Date: Fri, 31 Dec 9999 23:59:60 +9999\n',
  'Date: Thu, 1 Jan 1970 00:00:00 -0000\n',
  'To:\n',
  'To: undisclosed-recipients:;\n',
  'Cc: Group: a@x.example, B <b@x.example>;, "C, D" <c@x.example>\n',
  'Reply-To: <>\n',
  'References: <a@b> <c@d><e@f>garbage <unclosed\n',
  `References: ${'<r@x.example> '.repeat(3_000)}\n`,
  'In-Reply-To: your message of yesterday\n',
  'In-Reply-To: <>\n',
  'Message-ID: second\n',
  'no colon here\n',
  ': empty name\n',
  ' folded before anything\n',
  'X-Odd:\n\t\n',
  'X-8bit: caf\xe9\n',
  'X-Null: a\u0000b\n',
  'Received: from\n'.repeat(300),
  'Auto-Submitted: no\n',
  'Auto-Submitted: auto-generated; owner-email="x@y"\n',
  'Precedence: bulk\n',
  'List-Id: A list <list.example>\n',
  'X-Auto-Response-Suppress: All\n',
  'Content-Length: -1\n',
  'Status: RO\nX-Mozilla-Status: 0001\n',
  'Return-Path: <>\n',
  'Sender: "@" <@>\n',
]

const subjects = [
  '=?utf-8?B?w7bDpMO8?=',
  '=?utf-8?Q?caf=C3=A9?= =?utf-8?Q?_au_lait?=',
  '=?iso-8859-1?Q?a?==?utf-8?B?w7Y=?=',
  '=?x-unknown?Q?=FF=FE?=',
  '=?utf-8?B?not base64!?=',
  '=?utf-8?Q?cut',
  '=?utf-8?B??=',
  `=?utf-8?Q?${'=41'.repeat(3_000)}?=`,
  'Re: AW: Fwd: [EXT] Re[2]: \u0000',
  '\xff\xfe',
  '',
  ' \t ',
]

const htmls = [
  '',
  '<',
  '<html><body>',
  '<p>closed</b></i></p></p>',
  '<script>alert(1)</script><style>p{}</style>Text',
  '<table><tr><td>a<td>b<tr><td>c</table>',
  '<a href="javascript:alert(1)">x</a><img src=x onerror=alert(1)>',
  '<!-- <p> never closed',
  '&#0;&#xD800;&#1114112;&nbsp;&nonsense;&amp;amp;',
  `${'<div>'.repeat(20_000)}deep`,
  `${'<b><i>'.repeat(2_000)}crossed${'</b></i>'.repeat(2_000)}`,
  `<p>${'word '.repeat(200_000)}</p>`,
  '<meta charset="utf-16"><p>caf\xe9</p>',
  '<pre>kept   spaces\n\n</pre>',
  '<blockquote><blockquote>quoted</blockquote></blockquote>',
]

// RFC 5322, appendix A: valid, although it does not look so.
const whole5322 = [
  'From: John Doe <jdoe@machine.example>\nTo: Mary Smith <mary@example.net>\nSubject: Saying Hello\nDate: Fri, 21 Nov 1997 09:55:06 -0600\nMessage-ID: <1234@local.machine.example>\n\nThis is a message just to say hello.\nSo, "Hello".\n',
  'From: "Joe Q. Public" <john.q.public@example.com>\nTo: Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>\nCc: <boss@nil.test>, "Giant; \\"Big\\" Box" <sysservices@example.net>\nDate: Tue, 1 Jul 2003 10:52:37 +0200\nMessage-ID: <5678.21-Nov-1997@example.com>\n\nHi everyone.\n',
  'From: Pete <pete@silly.example>\nTo: A Group:Ed Jones <joe@where.test>,joe@where.test,John <jdoe@one.test>;\nCc: Undisclosed recipients:;\nDate: Thu, 13 Feb 1969 23:32:54 -0330\nMessage-ID: <testabcd.1234@silly.example>\n\nTesting.\n',
  "From: Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>\nTo:A Group(Some people)\n     :Chris Jones <c@(Chris's host.)public.example>,\n         joe@example.org,\n  John <jdoe@one.test> (my dear friend); (the end of the group)\nCc:(Empty list)(start)Hidden recipients  :(nobody(that I know))  ;\nDate: Thu,\n      13\n        Feb\n          1969\n      23:32\n               -0330 (Newfoundland Time)\nMessage-ID:              <testabcd.1234@silly.test>\n\nTesting.\n",
  'From: Joe Q. Public <john.q.public@example.com>\nTo: Mary Smith <@node.test:mary@example.net>, , jdoe@test  . example\nDate: Tue, 1 Jul 2003 10:52:37 +0200\nMessage-ID: <5678.obsolete@example.com>\n\nHi everyone.\n',
  'Resent-From: Mary Smith <mary@example.net>\nResent-To: Jane Brown <j-brown@other.example>\nResent-Date: Mon, 24 Nov 1997 14:22:01 -0800\nResent-Message-ID: <78910@example.net>\nFrom: John Doe <jdoe@machine.example>\nTo: Mary Smith <mary@example.net>\nSubject: Saying Hello\nDate: Fri, 21 Nov 1997 09:55:06 -0600\nMessage-ID: <1234.resent@local.machine.example>\n\nThis is a message just to say hello.\n',
  'From  : John Doe <jdoe@machine(comment).  example>\nTo    : Mary Smith\n__\n          <mary@example.net>\nSubject     : Saying Hello\nDate  : Fri, 21 Nov 97 09(comment):   55  :  06 -0600\nMessage-ID  : <1234   @   local(blah)  .machine .example>\n\nThis is a message just to say hello.\n',
]

const flood = (count: number) =>
  Array.from({ length: count }, (_, i) => `X-Flood-${i}: ${i}\n`).join('')

function nested(n: number, depth: number): string {
  let body = 'Content-Type: text/plain\n\nAt the bottom.\n'
  for (let i = 0; i < depth; i++)
    body = `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n${body}\n--b${i}--\n`
  return `${head(n, 'MIME-Version: 1.0\n')}${body}`
}

const parts = (n: number, count: number) =>
  `${head(n, 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n')}\n${'--b\nContent-Type: application/x\n\nx\n'.repeat(count)}--b--\n`

// Always the same, so that a failing test fails again.
function noise(length: number): Buffer {
  let state = 42
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state >> 16
    }),
  )
}
