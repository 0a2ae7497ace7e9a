import sanitizeHtml from 'sanitize-html'

// What the HTML of a letter must not have, because mail programs and filters distrust it: what would run, or ask for something,
// where it is read.

const scripts = new Set(['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet'])
const forms = new Set(['form', 'input', 'select', 'textarea', 'button'])

/** Each kind of it, once. */
export function unsafeIn(html: string): { code: string; message: string }[] {
  const found = new Map<string, string>()
  if (html === '') return []
  sanitizeHtml(html, {
    allowedTags: [],
    allowedAttributes: {},
    parseStyleAttributes: false,
    onOpenTag(tag, attributes) {
      if (scripts.has(tag)) found.set('script', `must not have <${tag}>`)
      if (forms.has(tag)) found.set('form', `must not have <${tag}>`)
      for (const [name, value] of Object.entries(attributes)) {
        if (/^on[a-z]/i.test(name))
          found.set('event_handler', `must not have an event handler (${name.slice(0, 40)})`)
        const address = [...value.slice(0, 2000)].filter((sign) => sign > ' ').join('')
        if (/^(?:javascript|vbscript|data:text\/html)/i.test(address))
          found.set('javascript', `must not have a javascript: address (${name.slice(0, 40)})`)
      }
    },
  })
  return [...found].map(([code, message]) => ({ code, message }))
}
