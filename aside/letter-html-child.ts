import { type LetterHtml, readLetterHtml } from '../rules/letter-html.ts'
import { plainText } from '../rules/text.ts'
import { longestPage, wordsOf } from '../rules/words-of-html.ts'
import { serve } from './serve.ts'

// The process that reads the HTML of letters.

/** `text` says the same in words; empty if the page shows nothing. */
export type Read = LetterHtml & { text: string }

// Characters that only shape words are not seen.
const seen = /[^\s\p{Cf}]/u

serve({
  letterHtml(_: unknown, bytes): Read {
    const html = bytes.toString('utf8')
    const read = readLetterHtml(html)
    const words = plainText(wordsOf(html, longestPage)).trim()
    const text = seen.test(words) ? words : plainText(read.pictures.join('\n'))
    return { ...read, text }
  },
})
