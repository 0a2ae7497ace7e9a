import MarkdownIt from 'markdown-it'

// Markdown as HTML. What is not Markdown is text: markup within it is shown, and never becomes markup. Links lead to the web, or
// within the page; markdown-it refuses those of scripts.

const markdown = new MarkdownIt({ html: false })
markdown.renderer.rules.fence = (tokens, at) =>
  `<pre class="sample" tabindex="0">${highlighted(tokens[at]?.content.replace(/\n$/, '') ?? '')}</pre>\n`
// A wide table is moved by itself, not the page.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'
// The page allows no styles but its own, and a table needs none.
for (const cell of ['th_open', 'td_open'])
  markdown.renderer.rules[cell] = (tokens, at) => `<${tokens[at]?.tag}>`
// There are no pictures in guides, and nothing may be loaded from elsewhere.
markdown.disable('image')

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** One line. */
export const inline = (text: string): string => markdown.renderInline(text)

/** Whole paragraphs, lists, tables and fenced code. `lead` says where a link goes; undefined leaves its text alone. */
export function blocks(text: string, lead?: (href: string) => string | undefined): string {
  const tokens = markdown.parse(text, {})
  if (lead)
    for (const { children } of tokens) {
      let isLeft = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = lead(String(token.attrGet('href') ?? ''))
          isLeft = href === undefined
          if (href !== undefined) token.attrSet('href', href)
        }
        if (isLeft && /^link_/.test(token.type))
          Object.assign(token, { type: 'text', content: '', hidden: true })
      }
    }
  return markdown.renderer.render(tokens, markdown.options, {})
}

/** The description of a member: its sentence in the member's line, and the meaning of each value below. */
export function sentence(text: string): { line: string; below: string } {
  const [line = '', ...rest] = text.split('\n\n')
  return { line: inline(line), below: rest.length > 0 ? blocks(rest.join('\n\n')) : '' }
}

const words =
  /("(?:[^"\\\n]|\\.)*")(\s*:)?|\b(import|from|const|await|for|of|in|print|curl|true|false|null|True|False|None|(?<=[\s[(:=])\d+(?=[\s,)\]}]))\b/g

/** Code in which names, texts and words of the language are told apart: `b` is a name, `i` a text, `u` a word. */
export function highlighted(text: string): string {
  let html = ''
  let end = 0
  for (const found of text.matchAll(words)) {
    const [whole, quoted, colon, word] = found
    html += escaped(text.slice(end, found.index))
    if (word !== undefined) html += `<u>${word}</u>`
    else if (colon === undefined) html += `<i>${escaped(quoted ?? '')}</i>`
    else html += `<b>${escaped(quoted ?? '')}</b>${colon}`
    end = found.index + whole.length
  }
  return html + escaped(text.slice(end))
}
