// Fixed phrases of mail servers, found in texts however these are broken into lines. All of it is linear in the text.

// Answers of several lines repeat their code on each (RFC 5321, 4.2.1), in the middle of a sentence.
const repeatedCode = /\s[245]\d\d-(?:[245]\.\d{1,3}\.\d{1,3}(?!\S))?/g
const apostrophes = /[’ʼ`´‘]/g
// As Italian programs write it in ASCII.
const italian = /\be' /g

/** A text in lower case on a single line, as phrases are written. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(apostrophes, "'")
    .replace(repeatedCode, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(italian, 'è ')

/** Whether a folded text has one of the phrases. */
export const hasOne = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase))

/** A list of phrases, between vertical lines or on lines of their own; those with an umlaut also as German is written without. */
export const listed = (list: string): string[] =>
  list
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .flatMap((phrase) => (umlaut.test(phrase) ? [phrase, asciiOf(phrase)] : [phrase]))
const umlaut = /[äöüß]/

/** German words in ASCII, as old programs write them. */
export const asciiOf = (words: string): string =>
  words.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')
