// Phrases of servers and of people, and how they are found in texts; linear in the text.
//
// Servers say the same words each time: their phrases are compared letter by letter, accents included, with a text on one line
// (`oneLine`, `listed`, `hasOne`). People leave accents out and put words between: their phrases are expressions of whole words
// (`fold`, `sentencesOf`, `patternOf`, where the form is described).

// Answers of several lines repeat their code on each (RFC 5321, 4.2.1), in the middle of a sentence.
const repeatedCode = /\s[245]\d\d-(?:[245]\.\d{1,3}\.\d{1,3}(?!\S))?/g
const apostrophes = /[’ʼ`´‘]/g
// As Italian programs write it in ASCII.
const italian = /\be' /g

/** A text in lower case on a single line, as phrases are written. */
export const oneLine = (text: string): string =>
  text
    .toLowerCase()
    .replace(apostrophes, "'")
    .replace(repeatedCode, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(italian, 'è ')

/** Whether a text, on one line, has one of the phrases. */
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

// Between the words of a phrase of people stand a few words at most, which keeps this linear.

/** Lower case without accents, and all apostrophes alike. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/[’ʼ`´]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')

const ends = /(?<![.!?…:;。！？])[.!?…:;。！？]+(?=\s|$)|\n[^\S\n]*\n/u
const pauses = /[(),–—、，]| - /gu
const notInWords = /[^\p{L}\p{N}',@./-]+/gu

/** The sentences of a text, folded, with one space between words, and of all marks only the commas. */
export const sentencesOf = (text: string): string[] =>
  fold(text)
    .split(ends)
    .map((one) =>
      one
        .replace(pauses, ', ')
        .replace(notInWords, ' ')
        .replace(/ ,/g, ',')
        .replace(/,{2,}/g, ',')
        .replace(/(?<![\p{L}\p{N}])e[- ]?mail-?/gu, 'email')
        .replace(/(?<![\p{L}\p{N}])mail-(?=\p{L})/gu, 'mail')
        .replace(/^[ ,]+|(?<![ ,])[ ,]+$/gu, ''),
    )
    .filter((one) => one !== '')

// After these a clause of its own begins, and what was denied before is not denied any more.
const conjunctions =
  'and|but|so|und|aber|sondern|et|mais|donc|y|pero|sino|e|ma|mas|quindi|portanto|en|maar|dus|i|oraz|ale|wiec|please|pls|kindly|bitte|merci|por favor|per favore|favor|graag|gelieve|prosze'
const lastBreak = new RegExp(`^.*(?:,|(?<!\\S)(?:${conjunctions}))(?!\\S)`, 'u')

/** The end of a text from its last comma or conjunction on. */
export const lastClause = (text: string): string => text.slice(-200).replace(lastBreak, '')

const literal = (word: string) =>
  word.replace(/[.+?^${}|[\]\\]/g, '\\$&').replaceAll('*', '[^\\s,]*')

const gaps: Record<string, string> = {
  _: '(?:\\S+ ){0,3}',
  __: '(?:\\S+ ){0,7}',
}
const endOfClause =
  '(?=$|,| (?:and|und|et|y|e|en|i|oraz|bitte|danke|vielen|mit|da|weil|denn|wir|ich|aub|svp|alstublieft|alsjeblieft|dank|bedankt|graag)(?!\\S))'

/**
 * The expression of a list of phrases, which stand between vertical lines or on lines of their own. A phrase consists of whole
 * words. `*` stands for any ending, `_` for up to three words, `__` for up to seven, `(a/b c)` for one of these and `(a)?` for
 * that or nothing, `^` and `$` for the ends of a sentence, and `.` for the end of a clause. `{name}` is a part that is given.
 */
export function patternOf(list: string, parts: Record<string, string> = {}): RegExp {
  const given = filled(filled(list, parts), parts)
  const all = given
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean)
    .map(sourceOf)
  return new RegExp(`(?<![^\\s,])(?:${all.join('|')})(?![^\\s,])`)
}

const filled = (list: string, parts: Record<string, string>) =>
  list.replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const before = list.slice(0, at)
    const isWithin = before.lastIndexOf('(') > before.lastIndexOf(')')
    return isWithin ? (parts[name] ?? name) : `(${parts[name] ?? name})`
  })

function sourceOf(phrase: string): string {
  const tokens = phrase.match(/\([^)]*\)\??|\S+/g) ?? []
  let source = ''
  let opens = true
  for (const token of tokens) {
    if (token === '^') source += '^'
    else if (token === '$') source += ',? ?$'
    else if (token === '.') source += endOfClause
    else if (gaps[token]) source += (opens ? '' : ',? ') + gaps[token]
    else source += word(token, opens)
    opens = token === '^' || gaps[token] !== undefined || (opens && token.endsWith(')?'))
  }
  return source
}

function word(token: string, opens: boolean): string {
  const before = opens ? '' : ',? '
  if (!token.startsWith('(')) return before + literal(token)
  const isOptional = token.endsWith('?')
  const choices = token
    .slice(1, isOptional ? -2 : -1)
    .split('/')
    .map((one) => one.trim().split(/\s+/).map(literal).join(',? '))
    .join('|')
  if (!isOptional) return `${before}(?:${choices})`
  return opens ? `(?:(?:${choices}),? )?` : `(?:,? (?:${choices}))?`
}
