// Phrases of people, found in sentences whatever their accents, commas and broken lines. Linear in the text: between the words of
// a phrase stand a few words at most.

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
