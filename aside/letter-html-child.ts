import { type LetterHtml, readLetterHtml } from '../rules/letter-html.ts'
import { plainText } from '../rules/text.ts'
import { longestPage, wordsOf } from '../rules/words-of-html.ts'
import { serve } from './serve.ts'

// The process that reads the HTML of letters.

/** `text` says the same in words. */
export type Read = LetterHtml & { text: string }

serve({
  letterHtml(_: unknown, bytes): Read {
    const html = bytes.toString('utf8')
    return { ...readLetterHtml(html), text: plainText(wordsOf(html, longestPage)).trim() }
  },
})
