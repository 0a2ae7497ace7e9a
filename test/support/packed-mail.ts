// What programs pack into mails: cryptographic messages, TNEF and RTF.

/** A value of BER: its tag, its length, and what is in it. */
export function ber(tag: number, ...inside: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    inside.map((one) => (typeof one === 'string' ? Buffer.from(one, 'hex') : one)),
  )
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** A message of CMS (RFC 5652) of the type with this object identifier. */
export const sealed = (oid: string, entity: string | Buffer): Buffer =>
  ber(
    0x30,
    ber(0x06, oid),
    ber(
      0xa0,
      ber(
        0x30,
        ber(0x02, '01'),
        ber(0x31),
        ber(0x30, ber(0x06, '2a864886f70d010701'), ber(0xa0, ber(0x04, Buffer.from(entity)))),
      ),
    ),
  )
export const oids = {
  signed: '2a864886f70d010702',
  enveloped: '2a864886f70d010703',
  compressed: '2a864886f70d0109100109',
}

/** An attribute of TNEF. */
export function attribute(level: number, id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(level)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, data, Buffer.from([0, 0])])
}

export const winmailOf = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...attributes])

const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)

/** The attribute with the properties of a message, whose only one is its letter in RTF. */
export const lettersInRtf = (rtf: Buffer): Buffer =>
  attribute(
    1,
    0x69003,
    Buffer.concat([
      numbers(1, 0x10090102, 1, rtf.length),
      rtf,
      Buffer.alloc((4 - (rtf.length % 4)) % 4),
    ]),
  )

/** As MAPI keeps RTF ([MS-OXRTFCP]); without compression, or with bytes that stand for themselves alone. */
export function keptRtf(rtf: string, isCompressed: boolean): Buffer {
  const bytes = Buffer.from(rtf, 'latin1')
  const kind = isCompressed ? 0x75465a4c : 0x414c454d
  const pieces = isCompressed
    ? Array.from({ length: Math.ceil(bytes.length / 8) }, (_, n) => [
        Buffer.from([0]),
        bytes.subarray(n * 8, n * 8 + 8),
      ]).flat()
    : [bytes]
  const content = Buffer.concat(pieces)
  return Buffer.concat([numbers(content.length + 12, bytes.length, kind, 0), content])
}

/** A file among the lines of a text (uuencode). */
export function uuencoded(name: string, content: Buffer, blank = '`'): string[] {
  const sign = (value: number) => (value === 0 ? blank : String.fromCharCode(32 + value))
  const lines: string[] = []
  for (let at = 0; at < content.length; at += 45) {
    const piece = content.subarray(at, at + 45)
    let line = sign(piece.length)
    for (let i = 0; i < piece.length; i += 3) {
      const [a = 0, b = 0, c = 0] = piece.subarray(i, i + 3)
      line += [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63]
        .map(sign)
        .join('')
    }
    // Programs on the way take away blanks at the end of a line.
    lines.push(line.trimEnd())
  }
  return [`begin 644 ${name}`, ...lines, blank.trim(), 'end']
}
