// What may be kept of words that somebody else chose. Pure: the child process that reads an import uses it too.

// Everything that moves the place of writing but a blank: control characters, separators of lines and paragraphs, and the ones
// that turn the direction of what follows (they make a name or an address look like another). Marks that right-to-left
// scripts need within a word (U+200E, U+200F, U+061C) stay.
const notInLines = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
// A text keeps its line breaks, tabs and directions; a terminal that shows it must not be told anything else.
const notInTexts = /[^\P{Cc}\n\r\t]/gu

/** A subject, a name or an address: one line, each run of what is no part of one made a blank. */
export const plainLine = (text: string): string => text.toWellFormed().replace(notInLines, ' ')

/** A text without control characters but line breaks and tabs, and without what Postgres does not take. */
export const plainText = (text: string): string => text.toWellFormed().replace(notInTexts, '')

/** Whether Postgres takes a text: its text holds every character but U+0000, and its jsonb no half of a surrogate pair. */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A text without what Postgres does not take. */
export const keepable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The first `most` characters of a text, without half of a surrogate pair at the end. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()
