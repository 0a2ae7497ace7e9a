// Files come as base64 within JSON. Programs break it into lines, and some put blanks between: they are taken out where bodies are
// parsed, since tens of megabytes of it take their time.

/** A member of a body, by the names on the way to it; `*` stands for each item of a list. */
export type MemberPath = string[]

/** Has the texts at these places hold base64 alone, without blanks. What is no base64 becomes a short text that is none either. */
export function joinBase64(json: unknown, places: MemberPath[]): void {
  for (const place of places) join(json, place)
}

function join(within: unknown, [name, ...further]: MemberPath): void {
  if (name === undefined || typeof within !== 'object' || within === null) return
  if (name === '*') {
    if (Array.isArray(within))
      for (const [at] of within.entries()) step(within, String(at), further)
  } else if (Object.hasOwn(within, name)) step(within, name, further)
}

function step(within: object, name: string, further: MemberPath) {
  const members = within as Record<string, unknown>
  const value = members[name]
  if (further.length > 0) join(value, further)
  else if (typeof value === 'string') members[name] = joined(value)
}

const noBase64 = '!'

function joined(text: string): string {
  if (/[^A-Za-z0-9+/=\t-\r ]/.test(text)) return noBase64
  if (!/[\t-\r ]/.test(text)) return text
  // A byte each: of such texts, only characters that have one are left.
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (const byte of bytes) if (byte > blank) bytes[length++] = byte
  return bytes.toString('latin1', 0, length)
}

const blank = 0x20
