import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { partsOf, rowOf, zipPacked } from '../support/workbooks.ts'
import { storms } from './storms.ts'
import { type Attack, call, during, type Note, type Target } from './target.ts'

// What one tenant with an ordinary token, or a stranger with a mail program, may try in order to stop everybody else: what is read
// and worked out for them. Each attack lasts for the target's number of seconds. What they may do to the machinery that all share is in
// `storms.ts`.

/** Mails a stranger sends to the noisy tenant, one every `everyMs`. */
const mailed =
  (everyMs: number, make: (n: number, to: string) => string) =>
  async (target: Target, note: Note) => {
    const transport = createTransport({ host: '127.0.0.1', port: target.smtpPort, ignoreTLS: true })
    await during(target, 1, async (n) => {
      const envelope = { from: `stranger${n}@evil.example`, to: target.account }
      const raw = make(n, target.account).replaceAll(/\r?\n/g, '\r\n')
      await transport.sendMail({ envelope, raw }).then(
        () => note('taken'),
        () => note('refused'),
      )
      await sleep(everyMs)
    })
    transport.close()
  }

const head = (n: number, to: string, more: string) =>
  `From: Stranger <stranger${n}@evil.example>\nTo: ${to}\nSubject: Hello ${n}\nMessage-ID: <${randomUUID()}@evil.example>\nMIME-Version: 1.0\n${more}\n`

const newlines = (n: number, to: string) =>
  `${head(n, to, 'Content-Type: text/plain\n')}${'\n'.repeat(1_000_000)}end\n`

// Broken into lines that SMTP takes.
const nested = (n: number, to: string) =>
  `${head(n, to, 'Content-Type: text/html\n')}${`${'<b>'.repeat(300)}\n`.repeat(4_600)}\n`

const list = (to: number) => Array.from({ length: to }, (_, i) => i).join(',')
const rule = `FREQ=DAILY;BYHOUR=${list(24)};BYMINUTE=${list(60)};BYSECOND=${list(60)}`
const calendar = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REPLY', 'BEGIN:VEVENT', 'UID:bomb@evil.example'],
  ...['DTSTAMP:20261123T090000Z', 'DTSTART:20261123T090000Z', 'DTEND:20261123T093000Z'],
  ...[`RRULE:${rule}`, 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:stranger@evil.example'],
  ...['END:VEVENT', 'END:VCALENDAR'],
].join('\n')
const bomb = (n: number, to: string) =>
  `${head(n, to, 'Content-Type: multipart/mixed; boundary=b\n')}${`--b\nContent-Type: text/calendar; method=REPLY\n\n${calendar}\n`.repeat(143)}--b--\n`

async function rules(target: Target, note: Note) {
  const phrase = (i: number) => `Never mention topic${i} or anything like it.`
  const words = (length: number) => {
    let text = ''
    for (let i = 0; text.length < length; i++) text += `${phrase(i)} `
    return text.slice(0, length)
  }
  const big = await call(target, 'PATCH', `/agents/${target.agent}`, { rules: words(100_000) })
  note(`100 KB: ${big.status}`)
  for (const [path, member] of [
    [`/agents/${target.agent}`, 'rules'],
    [`/agents/${target.agent}`, 'knowledge'],
    [`/companies/${target.company}`, 'pitch'],
    [`/companies/${target.company}`, 'policy'],
  ] as const)
    note(`20,000: ${(await call(target, 'PATCH', path, { [member]: words(20_000) })).status}`)
  await during(target, 4, async () => {
    const { status } = await call(target, 'POST', `/campaigns/${target.campaign}/letters`, {
      write: [1, 2, 3],
    })
    note(`letters: ${status}`)
  })
}

async function webhooks(target: Target, note: Note) {
  // A receiver that takes its time and then refuses.
  const receiver = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.writeHead(500).end(), 14_000)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  for (let i = 0; i < 400; i++) {
    const url = `http://127.0.0.1:${port}/${i}`
    note(`webhook: ${(await call(target, 'POST', '/webhooks', { url })).status}`)
  }
  await during(target, 1, async (n) => {
    const person = target.people[n % target.people.length]
    const { status } = await call(target, 'PATCH', `/people/${person}`, { city: `City ${n}` })
    note(`change: ${status}`)
  })
}

async function plans(target: Target, note: Note) {
  const rows = Array.from({ length: 50_000 }, (_, i) =>
    rowOf(i + 1, [`Person ${i} ${randomUUID()}`, `p${i}@import.example`]),
  )
  const bytes = zipPacked(partsOf([rows.join('')]))
  if (bytes.length > 3 * 1024 * 1024) throw new Error(`The workbook has ${bytes.length} bytes.`)
  const file = { name: 'people.xlsx', content: bytes.toString('base64') }
  const body = JSON.stringify({ file })
  await during(target, 64, async () => {
    note((await call(target, 'POST', '/people/import', body)).status)
    await sleep(100)
  })
}

async function largeBodies(target: Target, note: Note) {
  const body = `{"x":[${'1,'.repeat(3_750_000)}1]}`
  await during(target, 1, async () => {
    note((await call(target, 'POST', '/people/import', body)).status)
    // Fourteen a minute.
    await sleep(60_000 / 14)
  })
}

const heavy = [
  `{{ "${'%'.repeat(20_000)}"${' | url_encode'.repeat(250)} | size }}`,
  `{{ "${'utc('.repeat(15_000)}" | date: "%Y" | date: "%Y" | size }}`,
  `{% liquid\n${'assign a = 1\n'.repeat(5_000)}%}`,
  '{% for i in (1..9999) %}{% assign b = (1..9999) | has: "a" %}{% endfor %}',
]

async function templates(target: Target, note: Note) {
  await during(target, 8, async (n) => {
    const template = { place: 1, subject: 'Hello', text: heavy[n % heavy.length] }
    const preview = { person: target.people[0], place: 1 }
    const body = { templates: [template], preview }
    note((await call(target, 'POST', `/campaigns/${target.campaign}/letters`, body)).status)
  })
}

async function base64(target: Target, note: Note) {
  const body = `{"name":"a.bin","type":"application/octet-stream","content":"${'A '.repeat(18_000_000)}"}`
  await during(target, 1, async () => note((await call(target, 'POST', '/files', body)).status))
}

/** Bodies whose last byte never arrives. */
async function heldBodies(target: Target, note: Note) {
  const url = new URL(target.url)
  const chunk = Buffer.alloc(64 * 1024, 0x20)
  const size = 7_500_000
  const sockets = Array.from({ length: 150 }, () => {
    const socket = connect(Number(url.port), url.hostname)
    const start = `POST /api/v1/people/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.reader}\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`
    socket.once('data', (data) => note(data.toString('latin1').slice(9, 12)))
    socket.on('error', () => note('cut off'))
    socket.write(start)
    let left = size - 1
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        const part = chunk.subarray(0, Math.min(left, chunk.length))
        left -= part.length
        if (!socket.write(part)) return void socket.once('drain', more)
      }
    }
    more()
    return socket
  })
  await sleep(target.seconds * 1_000)
  for (const socket of sockets) socket.destroy()
}

/** Searches that read as much as any, and streams of events that are opened as soon as others end. */
async function searches(target: Target, note: Note) {
  const asked = ['e', 'a', 'giraffe e', '"the the"', 'hello -hello', '0', 'e&order=relevance']
  const streams = during(target, 8, async () => {
    const response = await fetch(`${target.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${target.token}` },
      signal: AbortSignal.timeout(1_000),
    }).catch(() => undefined)
    note(`stream: ${response?.status ?? 'no answer'}`)
    await response?.text().catch(() => '')
  })
  const found = during(target, 64, async (n) => {
    const q = asked[n % asked.length]
    note(`search: ${(await call(target, 'GET', `/search?limit=200&q=${q}`)).status}`)
  })
  await Promise.all([streams, found])
}

export const attacks: Attack[] = [
  { name: 'mails of 1 MB of newlines', run: mailed(2_000, newlines) },
  { name: 'mails of 4 MB of nested tags', run: mailed(1_000, nested) },
  { name: 'calendars that recur every second', run: mailed(500, bomb) },
  { name: 'rules as long as they may be', run: rules },
  { name: '400 webhooks and changes', run: webhooks },
  { name: '64 parallel plans of 3 MB', run: plans },
  { name: '14 bodies of 7.5 MB a minute', run: largeBodies },
  { name: 'templates that take long', run: templates },
  { name: '36 MB of base64 with blanks', run: base64 },
  { name: '150 bodies held back', run: heldBodies },
  { name: '64 parallel searches, and streams', run: searches },
  ...storms,
]
