// UTF-7 (RFC 2152), as old programs wrote it: a run may end without its sign, with the line, or within a character.

/** The text of what is written in it. What is no run of it stays as it is. */
export const decodeUtf7 = (written: string): string =>
  written.replace(/\+(?:([a-z\d+/]{2,100000})(?:=*-)?|-)/gi, (as, run?: string) =>
    run === undefined ? '+' : (unitsIn(run) ?? as),
  )

/** Undefined if it is no text: somebody has written a plus in front of a word. */
function unitsIn(run: string): string | undefined {
  const bytes = Buffer.from(run, 'base64')
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const text = Buffer.from(whole).swap16().toString('utf16le')
  return whole.length === 0 || !text.isWellFormed() || /[\p{Cn}\p{Co}]/u.test(text)
    ? undefined
    : text
}
