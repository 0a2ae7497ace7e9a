// Files come as base64 within JSON, and may have tens of megabytes. They become bytes where bodies are parsed: in a thread, from
// which bytes are handed over without being copied.

/** A member of a body, by the names on the way to it; `*` stands for each item of a list. */
export type MemberPath = string[]

/**
 * Has the members at these places hold the bytes of their base64. A text that is no base64 becomes a short one that is none either.
 * Answers the memory of all those bytes, which holds nothing else.
 */
export function decodeBase64(json: unknown, places: MemberPath[]): ArrayBuffer[] {
  const memory: ArrayBuffer[] = []
  for (const place of places) decode(json, place, memory)
  return memory
}

function decode(within: unknown, [name, ...further]: MemberPath, memory: ArrayBuffer[]): void {
  if (name === undefined || typeof within !== 'object' || within === null) return
  if (name === '*') {
    if (Array.isArray(within))
      for (const [at] of within.entries()) step(within, String(at), further, memory)
  } else if (Object.hasOwn(within, name)) step(within, name, further, memory)
}

function step(within: object, name: string, further: MemberPath, memory: ArrayBuffer[]) {
  const members = within as Record<string, unknown>
  const value = members[name]
  if (further.length > 0) return decode(value, further, memory)
  if (typeof value !== 'string') return
  const bytes = bytesOf(value)
  members[name] = bytes ?? noBase64
  if (bytes) memory.push(bytes.buffer)
}

const noBase64 = '!'

/** The bytes of a text, which may be broken into lines or have blanks; undefined if it is not base64. */
function bytesOf(given: string): Buffer<ArrayBuffer> | undefined {
  const isAscii = Buffer.byteLength(given) === given.length
  if (!isAscii || /[-_]/.test(given)) return undefined
  const text = /[\t-\r ]/.test(given) ? withoutBlanks(given) : given
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  if (length % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return undefined
  const bytes = Buffer.allocUnsafeSlow(Math.floor((length * 3) / 4))
  // Node skips characters that are not base64, and then writes fewer bytes. The alphabet for URLs (RFC 4648, section 5), which it
  // accepts too, was refused above.
  return bytes.write(text, 'base64') === bytes.length ? bytes : undefined
}

/** An ASCII text without its blanks. */
function withoutBlanks(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  // Counted by hand: an iterator takes several times as long.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte > blank || (byte !== blank && (byte < tab || byte > carriageReturn)))
      bytes[length++] = byte
  }
  return bytes.toString('latin1', 0, length)
}

const [tab, carriageReturn, blank] = [0x09, 0x0d, 0x20]
