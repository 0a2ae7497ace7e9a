import { quote } from './tokens.ts'

// A mail as FETCH tells it (RFC 9051, 7.5.2): its sections, its ENVELOPE and its BODYSTRUCTURE. As much of MIME as clients ask for.

export type Part = {
  head: Buffer
  body: Buffer
  type: string
  subtype: string
  params: Record<string, string>
  parts: Part[]
}

export function splitMail(raw: Buffer): { head: Buffer; body: Buffer } {
  const end = raw.indexOf('\r\n\r\n')
  if (end < 0) return { head: raw, body: Buffer.alloc(0) }
  return { head: raw.subarray(0, end + 4), body: raw.subarray(end + 4) }
}

/** The fields of a head, unfolded, in order. */
export function fieldsOf(head: Buffer): { name: string; value: string; text: string }[] {
  return head
    .toString('latin1')
    .split(/\r\n(?![ \t])/)
    .flatMap((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) return []
      const value = text.slice(colon + 1).replace(/\r\n/g, '')
      return [{ name: text.slice(0, colon).trim().toLowerCase(), value: value.trim(), text }]
    })
}

export const fieldOf = (head: Buffer, name: string) =>
  fieldsOf(head).find((field) => field.name === name)?.value

export function partOf(raw: Buffer): Part {
  const { head, body } = splitMail(raw)
  const [kind = '', ...rest] = (fieldOf(head, 'content-type') ?? 'text/plain').split(';')
  const [type = 'text', subtype = 'plain'] = kind.trim().toLowerCase().split('/')
  const params = Object.fromEntries(
    rest.flatMap((one) => {
      const [, name = '', value = ''] = /^\s*([\w*-]+)="?([^"]*)"?\s*$/.exec(one) ?? []
      return name ? [[name.toLowerCase(), value]] : []
    }),
  )
  const boundary = type === 'multipart' ? params['boundary'] : undefined
  const parts = boundary ? partsIn(body, boundary).map(partOf) : []
  return { head, body, type, subtype, params, parts }
}

function partsIn(body: Buffer, boundary: string): Buffer[] {
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`)
  const whole = pieces.slice(1).filter((piece) => !piece.startsWith('--'))
  return whole.map((piece) => Buffer.from(piece.replace(/^[^\r\n]*\r\n/, ''), 'latin1'))
}

const nilOr = (text: string | undefined) => (text === undefined ? 'NIL' : quote(text))

export function envelopeOf(head: Buffer): string {
  const field = (name: string) => fieldOf(head, name)
  const people = (name: string, otherwise?: string) => {
    const given = field(name) ?? (otherwise && field(otherwise))
    const found = given ? addressesIn(given) : []
    return found.length > 0 ? `(${found.join('')})` : 'NIL'
  }
  const members = [
    nilOr(field('date')),
    nilOr(field('subject')),
    people('from'),
    people('sender', 'from'),
    people('reply-to', 'from'),
    people('to'),
    people('cc'),
    people('bcc'),
    nilOr(field('in-reply-to')),
    nilOr(field('message-id')),
  ]
  return `(${members.join(' ')})`
}

function addressesIn(list: string): string[] {
  return list.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).flatMap((one) => {
    const [, name, inBrackets, bare] = /^\s*(?:"?([^"<]*?)"?\s*<([^>]*)>|(\S+))\s*$/.exec(one) ?? []
    const [local = '', host = ''] = (inBrackets ?? bare ?? '').split('@')
    return local ? [`(${nilOr(name || undefined)} NIL ${quote(local)} ${quote(host)})`] : []
  })
}

export function structureOf({ head, body, type, subtype, params, parts }: Part): string {
  if (parts.length > 0)
    return `(${parts.map(structureOf).join('')} ${quote(subtype)} ${paramsOf(params)} NIL NIL)`
  const [kind = '', ...rest] = (fieldOf(head, 'content-disposition') ?? '').split(';')
  const [, filename] = /filename="?([^";]*)/i.exec(rest.join(';')) ?? []
  const disposition = kind
    ? `(${quote(kind.trim())} ${filename ? `("filename" ${quote(filename)})` : 'NIL'})`
    : 'NIL'
  const encoding = fieldOf(head, 'content-transfer-encoding') ?? '7bit'
  const lines = type === 'text' ? ` ${body.toString('latin1').split('\r\n').length}` : ''
  return `(${quote(type)} ${quote(subtype)} ${paramsOf(params)} ${nilOr(fieldOf(head, 'content-id'))} NIL ${quote(encoding)} ${body.length}${lines} NIL ${disposition} NIL)`
}

const paramsOf = (params: Record<string, string>) => {
  const all = Object.entries(params).map(([name, value]) => `${quote(name)} ${quote(value)}`)
  return all.length > 0 ? `(${all.join(' ')})` : 'NIL'
}

/** What stands in the brackets of BODY[…]; undefined if the mail has no such section. */
export function sectionOf(raw: Buffer, section: string): Buffer | undefined {
  const [, numbers = '', rest = ''] = /^([\d.]*\d)?\.?(.*)$/s.exec(section) ?? []
  let part: Buffer | undefined = raw
  let isWhole = true
  for (const number of numbers === '' ? [] : numbers.split('.')) {
    const { parts }: Part = partOf(part)
    const inner: Part | undefined = parts[Number(number) - 1]
    if (!inner && (number !== '1' || parts.length > 0)) return undefined
    isWhole = false
    if (inner) part = Buffer.concat([inner.head, inner.body])
  }
  const { head, body } = splitMail(part)
  const [, word = '', names = ''] = /^([\w.]*)\s*(?:\((.*)\))?$/s.exec(rest) ?? []
  switch (word.toUpperCase()) {
    case '':
      return isWhole ? part : body
    case 'TEXT':
      return body
    case 'HEADER':
    case 'MIME':
      return head
    case 'HEADER.FIELDS':
    case 'HEADER.FIELDS.NOT': {
      const wanted = names.toLowerCase().replace(/"/g, '').split(' ')
      const isWanted = ({ name }: { name: string }) => wanted.includes(name) !== /NOT/i.test(word)
      const lines = fieldsOf(head).filter(isWanted)
      return Buffer.from([...lines.map(({ text }) => text), '', ''].join('\r\n'), 'latin1')
    }
    default:
      return undefined
  }
}
