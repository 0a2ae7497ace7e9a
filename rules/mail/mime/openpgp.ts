// Texts of OpenPGP within a letter (RFC 9580, 6 and 7): signed ones are the letter itself, and of encrypted ones it is said.

const signed =
  /^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[a-z]+: [^\n]*\n){0,5}[ \t]*\n([\s\S]*?)\n-----BEGIN PGP SIGNATURE-----[\s\S]*?(?:-----END PGP SIGNATURE-----|(?![\s\S]))/im
const encrypted = /^\s*-----BEGIN PGP MESSAGE-----/

/** The text without the lines that a program has put around it. */
export function unarmoured(text: string): string {
  if (!text.includes('-----BEGIN PGP ')) return text
  const lines = text.replaceAll('\r\n', '\n')
  if (encrypted.test(lines))
    return `This message is encrypted (OpenPGP): a mail program that has its key shows it.\n\n${text}`
  // Lines with a dash in front are escaped.
  return lines.replace(signed, (_, words: string) => words.replaceAll(/^- /gm, ''))
}
