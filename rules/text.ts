// Which characters are kept in texts that somebody else wrote. Pure: the child process that reads an import uses it too.

// Characters other than the space that move the position of writing: control characters, line and paragraph separators, and
// those that change the direction of the text after them (they can make a name or an address look like another). Marks that
// right-to-left scripts need within a word (U+200E, U+200F, U+061C) stay.
const notInLines = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
// Longer texts keep their line breaks, tabs and direction marks; all other control characters could do harm in a terminal.
const notInTexts = /[^\P{Cc}\n\r\t]/gu

// Format characters, such as zero width spaces, soft hyphens and marks of direction, others that Unicode says are not to be shown,
// and the place of an object in a text that was copied. The two joiners stay: some scripts write words with them.
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}\ufffc]/gu

/** A text without characters that nobody sees. Not for texts to be shown: they change how some scripts are written. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

/** The words of a text, for looking for phrases: without the joiners too, which tell no phrase from another. */
export const seenWords = (text: string): string =>
  withoutInvisible(text).replace(/\u200c|\u200d/g, '')

/** For a subject, a name or an address: a single line, in which each run of other characters becomes a space. */
export const plainLine = (text: string): string => text.toWellFormed().replace(notInLines, ' ')

/** A text without control characters except line breaks and tabs, and without what Postgres does not accept. */
export const plainText = (text: string): string => text.toWellFormed().replace(notInTexts, '')

// Letters and signs that show nothing although they are neither blanks nor control characters (Default_Ignorable_Code_Point of
// Unicode, the blank of Braille).
const shown = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows anything: not if it has blanks and invisible characters only. */
export const isVisible = (text: string): boolean => shown.test(text)

/**
 * Whether Postgres accepts a text: its text type holds every character except U+0000, and its jsonb no half of a surrogate
 * pair.
 */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A text without what Postgres does not accept. */
export const keepable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The first `most` characters of a text, without half of a surrogate pair at the end. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

const longestHtml = 1024 * 1024

/**
 * HTML of mail as it is kept: without control characters, and not at all if it is too long, because a part of a page is no page.
 */
export function keptHtml(html: string | null | undefined): string | null {
  if (!html || html.length > longestHtml) return null
  const kept = plainText(html)
  return Buffer.byteLength(kept) > longestHtml ? null : kept
}

/** The character with a number that is written in these digits; undefined if there is none, beyond 10FFFF. */
export function characterOf(digits: string, radix: 10 | 16): string | undefined {
  const code = Number.parseInt(digits, radix)
  return code > 0x10ffff ? undefined : String.fromCodePoint(code)
}
