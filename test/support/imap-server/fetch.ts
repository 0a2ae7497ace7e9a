import type { Answer } from './rows.ts'
import type { Session } from './served.ts'
import type { Entry } from './store.ts'
import { envelopeOf, partOf, sectionOf, splitMail, structureOf } from './structure.ts'
import { quote, setOf, type Token } from './tokens.ts'

const macros: Record<string, string[]> = {
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  FULL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODY'],
}

/** The items that a FETCH asks for, in capitals. */
export function itemsOf(token: Token | undefined): string[] {
  const named = [token ?? []].flat(2).map((item) => String(item).toUpperCase())
  return named.flatMap((item) => macros[item] ?? [item])
}

/** How rows name an item: without PEEK and the range. */
export const plainItem = (item: string) => item.replace('.PEEK', '').replace(/<.*>$/, '')

/** The mails that a set names, with their numbers in the session. */
export function namedBy(session: Session, set: string, isUid: boolean) {
  const { view } = session
  const isIn = setOf(set, isUid ? (view.at(-1)?.uid ?? 0) : view.length)
  return view
    .map((entry, i) => ({ entry, number: i + 1 }))
    .filter(({ entry, number }) => isIn(isUid ? entry.uid : number))
}

/** Says the mails that a FETCH asks for; false if the connection has been broken off on the way. */
export function sayMails(session: Session, args: Token[], isUid: boolean, answer: Answer): boolean {
  const [set = '', wanted, modifier = []] = args
  const since = Number([modifier].flat()[1] ?? 0)
  const items = itemsOf(wanted)
  const left = answer.leaveOut
  const named = namedBy(session, String(set), isUid)
    .filter(({ entry }) => entry.modseq > since)
    .filter(({ entry }) => left !== 'all' && !left?.includes(entry.uid))
    .slice(0, answer.mails)
  for (const { entry, number } of named) {
    const told = items.map((item) => tell(session, entry, item))
    if (isUid && !items.includes('UID')) told.unshift(Buffer.from(`UID ${entry.uid}`))
    const cells = told.flatMap((one, i) => (i === 0 ? [one] : [Buffer.from(' '), one]))
    const line = Buffer.concat([Buffer.from(`* ${number} FETCH (`), ...cells, Buffer.from(')\r\n')])
    if (answer.cutAt === undefined) session.write(line)
    else {
      session.write(cutWithin(line, answer.cutAt))
      return false
    }
  }
  return true
}

/** A line up to so many bytes of its last literal. */
function cutWithin(line: Buffer, bytes: number): Buffer {
  const literals = [...line.toString('latin1').matchAll(/\{\d+\}\r\n/g)]
  const last = literals.at(-1)
  return last ? line.subarray(0, last.index + last[0].length + bytes) : line
}

function tell(session: Session, { uid, modseq, mail }: Entry, item: string): Buffer {
  const { raw, at, flags, id } = mail
  const say = (text: string) => Buffer.from(`${item} ${text}`, 'latin1')
  switch (item) {
    case 'UID':
      return say(String(uid))
    case 'FLAGS':
      return say(`(${[...flags].join(' ')})`)
    case 'INTERNALDATE':
      return say(quote(dateOf(at)))
    case 'RFC822.SIZE':
      return say(String(raw.length))
    case 'MODSEQ':
      return say(`(${modseq})`)
    case 'ENVELOPE':
      return say(envelopeOf(splitMail(raw).head))
    case 'BODY':
    case 'BODYSTRUCTURE':
      return say(structureOf(partOf(raw)))
    case 'X-GM-MSGID':
    case 'X-GM-THRID':
      return say(String(1_790_000_000_000_000_000n + BigInt(id)))
    case 'X-GM-LABELS':
      return say(`(${session.labels(mail).join(' ')})`)
    case 'RFC822':
    case 'RFC822.HEADER':
    case 'RFC822.TEXT':
      return literal(item, sectionOf(raw, item.slice(7)))
    default:
      return body(item, raw, flags)
  }
}

function body(item: string, raw: Buffer, flags: Set<string>): Buffer {
  const [, peek, section = '', from, bytes] =
    /^BODY(\.PEEK)?\[(.*)\](?:<(\d+)(?:\.(\d+))?>)?$/s.exec(item) ?? []
  if (!peek) flags.add('\\Seen')
  const whole = sectionOf(raw, section)
  if (from === undefined) return literal(`BODY[${section}]`, whole)
  const end = bytes === undefined ? undefined : Number(from) + Number(bytes)
  return literal(`BODY[${section}]<${from}>`, whole?.subarray(Number(from), end))
}

const literal = (name: string, bytes: Buffer | undefined) =>
  bytes
    ? Buffer.concat([Buffer.from(`${name} {${bytes.length}}\r\n`), bytes])
    : Buffer.from(`${name} NIL`)

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 17-Jul-1996 02:44:25 +0000 */
export function dateOf(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2, ' ')
  const month = months[at.getUTCMonth()]
  return `${day}-${month}-${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)} +0000`
}
