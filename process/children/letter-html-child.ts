import { readSendable, type Sendable } from '../../rules/mail/html/letter.ts'
import { longestPage, wordsOf } from '../../rules/mail/html/words.ts'
import { plainText } from '../../rules/text.ts'
import { serve } from './serve.ts'

// The process that reads the HTML of letters.

/** `html` is null if it may be sent as given; `text` says the same in words, and is empty if the page shows nothing. */
export type Read = Omit<Sendable, 'html'> & { html: string | null; text: string }

// Characters that only shape words are not seen.
const seen = /[^\s\p{Cf}]/u

serve({
  letterHtml(_: unknown, bytes): Read {
    const read = readSendable(bytes.toString('utf8'))
    const words = plainText(wordsOf(read.html, longestPage)).trim()
    const text = seen.test(words) ? words : plainText(read.pictures.join('\n'))
    return { ...read, html: read.leftOut.length > 0 ? read.html : null, text }
  },
})
