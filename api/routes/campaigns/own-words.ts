import { compile } from 'html-to-text'
import sanitizeHtml from 'sanitize-html'
import { cut } from '../../../rules/text.ts'
import { ApiError, type Problem } from '../../http/errors.ts'

// The HTML of a letter that a caller writes: what would run or ask for something where it is read is refused, since mail
// programs and filters distrust letters that have it.

/** The most characters of a letter's text and of its HTML, as of what a template makes. */
export const longestWords = 65_536

const scripts = ['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet']
const forms = ['form', 'input', 'select', 'textarea', 'button', 'isindex']
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in an address.
const skipped = /[\u0000-\u0020]+/g
const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: longestWords, maxDepth: 100, maxChildNodes: 20_000 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'table', format: 'block' },
  ],
})

/** The text of HTML that may be sent. @throws ApiError naming what it must not have. */
export async function readOwnHtml(html: string): Promise<{ text: string }> {
  const found = new Map<string, string>()
  sanitizeHtml(html, {
    allowedTags: [],
    allowedAttributes: {},
    parseStyleAttributes: false,
    onOpenTag(tag, attributes) {
      if (scripts.includes(tag)) found.set('script', `<${tag}>`)
      if (forms.includes(tag)) found.set('form', `<${tag}>`)
      for (const [name, value] of Object.entries(attributes)) {
        if (/^on[a-z]/i.test(name))
          found.set('event_handler', `an event handler (${name.slice(0, 40)})`)
        if (/^(?:java|vb)script:/i.test(value.slice(0, 2000).replace(skipped, '')))
          found.set('javascript', `a javascript: address (${name.slice(0, 40)})`)
      }
    },
  })
  const errors = [...found].map(
    ([code, what]): Problem => ({ pointer: '/html', code, message: `must not have ${what}` }),
  )
  if (errors[0]) throw new ApiError('validation_failed', `/html: ${errors[0].message}.`, { errors })
  return { text: cut(toText(html), longestWords) }
}
