// Sets of characters of seven bits that TextDecoder does not know: signs within the text say where Chinese or Korean begins and
// ends. With the eighth bit the characters are those of another set.

const withEighthBit = (bytes: Uint8Array, charset: string) =>
  new TextDecoder(charset).decode(bytes.map((byte) => byte | 0x80))

/** HZ (RFC 1843): Chinese stands between `~{` and `~}`. */
export const decodeHz = (written: string): string =>
  written.replace(/~\{([!-~]*?)~\}|~~|~\r?\n/g, (as, chinese?: string) => {
    if (chinese !== undefined) return withEighthBit(Buffer.from(chinese, 'latin1'), 'gbk')
    return as === '~~' ? '~' : ''
  })

const [shiftOut, shiftIn, start] = ['\x0e', '\x0f', '\x1b']

/** ISO-2022-KR (RFC 1557) and the common part of ISO-2022-CN (RFC 1922): between Shift Out and Shift In. */
export const decodeShifted = (written: string, charset: 'euc-kr' | 'gbk'): string =>
  written
    .split(start)
    .map((piece, at) => (at === 0 ? piece : piece.replace(/^\$[()*][A-H]/, '')))
    .join('')
    .split(shiftOut)
    .map((piece, at) => {
      if (at === 0) return piece.replaceAll(shiftIn, '')
      const [inside = '', ...outside] = piece.split(shiftIn)
      return withEighthBit(Buffer.from(inside, 'latin1'), charset) + outside.join('')
    })
    .join('')
