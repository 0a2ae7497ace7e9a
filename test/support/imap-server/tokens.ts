import type { Socket } from 'node:net'

// What a client says (RFC 9051, 9), taken apart. Bytes are kept as Latin-1, so that nothing of a literal is lost.

export type Token = string | Token[]
export type Command = { tag: string; verb: string; args: Token[] }

/** Lines and bytes of a socket, in order; undefined at its end. */
export function readerOf(socket: Socket) {
  let buffer: Buffer = Buffer.alloc(0)
  let hasEnded = false
  let wake = () => {}
  socket.on('data', (data) => {
    buffer = buffer.length > 0 ? Buffer.concat([buffer, data]) : data
    wake()
  })
  socket.on('close', () => {
    hasEnded = true
    wake()
  })
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  function take(n: number, skip = 0) {
    const taken = buffer.subarray(0, n).toString('latin1')
    // A copy, so that an idle session holds no large piece of memory.
    buffer = Buffer.from(buffer.subarray(n + skip))
    return taken
  }
  return {
    async line(): Promise<string | undefined> {
      for (;;) {
        const end = buffer.indexOf('\r\n')
        if (end >= 0) return take(end, 2)
        if (hasEnded) return undefined
        await more()
      }
    },
    async bytes(n: number): Promise<string | undefined> {
      while (buffer.length < n) {
        if (hasEnded) return undefined
        await more()
      }
      return take(n)
    },
  }
}

// Stands in the line for the literal with that number: no byte has such a character.
const firstMark = 0x100

/** A whole command from its first line on, with its literals; undefined if the connection ends within it. */
export async function commandFrom(
  first: string,
  reader: ReturnType<typeof readerOf>,
  goOn: () => void,
): Promise<Command | undefined> {
  const literals: string[] = []
  let text = first
  for (;;) {
    const announced = /\{(\d+)(\+?)\}$/.exec(text)
    if (!announced) break
    if (announced[2] === '') goOn()
    const literal = await reader.bytes(Number(announced[1]))
    const rest = await reader.line()
    if (literal === undefined || rest === undefined) return undefined
    literals.push(literal)
    const mark = String.fromCharCode(firstMark + literals.length - 1)
    text = `${text.slice(0, announced.index)}${mark}${rest}`
  }
  const [, tag = '', name = '', rest = ''] = /^(\S+) ?((?:UID )?\S*) ?(.*)$/is.exec(text) ?? []
  return { tag, verb: name.toUpperCase(), args: tokensOf(rest, literals) }
}

function tokensOf(text: string, literals: string[]): Token[] {
  let at = 0
  function list(end?: string): Token[] {
    const found: Token[] = []
    while (at < text.length) {
      const c = text[at] as string
      if (c === end) break
      if (c === ' ') at++
      else if (c === '(') {
        at++
        found.push(list(')'))
        at++
      } else if (c === '"') found.push(quoted())
      else if (c.charCodeAt(0) >= firstMark) {
        found.push(literals[c.charCodeAt(0) - firstMark] ?? '')
        at++
      } else found.push(atom())
    }
    return found
  }
  function quoted() {
    const [all, inner = ''] = /"((?:[^"\\]|\\.)*)"?/y.exec(text.slice(at)) ?? ['"']
    at += all.length
    return inner.replace(/\\(.)/g, '$1')
  }
  /** What stands in brackets belongs to it: `BODY[HEADER.FIELDS (DATE)]`. */
  function atom() {
    const [all] = /(?:\[[^\]]*\]|[^\s()])+/y.exec(text.slice(at)) ?? [text[at] as string]
    at += all.length
    return all
  }
  return list()
}

/** A sequence set (RFC 9051, 9) as a test; `last` is what `*` means. */
export function setOf(text: string, last: number) {
  const ranges = text.split(',').map((part) => {
    const [from = 0, to = from] = part.split(':').map((n) => (n === '*' ? last : Number(n)))
    return { from: Math.min(from, to), to: Math.max(from, to) }
  })
  return (n: number) => ranges.some(({ from, to }) => n >= from && n <= to)
}

export const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
