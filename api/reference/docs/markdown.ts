// The part of Markdown that the reference uses: paragraphs, lists, code.

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** One line: code in backquotes becomes markup, everything else is text. */
export const inline = (text: string): string =>
  escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Whole paragraphs, lists of `- ` lines and fenced code. */
export const blocks = (text: string): string =>
  (text.match(/```[\s\S]*?```|[^\n](?:(?!\n\n)[\s\S])*/g) ?? [])
    .map((part) => block(part.trim()))
    .join('\n')

function block(text: string) {
  if (text.startsWith('```'))
    return `<pre class="sample" tabindex="0">${escaped(text.replace(/^```\n|\n```$/g, ''))}</pre>`
  if (!text.startsWith('- ')) return `<p>${inline(text)}</p>`
  return `<ul class="values">${text
    .split('\n')
    .map((line) => `<li>${inline(line.slice(2))}</li>`)
    .join('')}</ul>`
}

/** The description of a member: its sentence in the member's line, and the meaning of each value below. */
export function sentence(text: string): { line: string; below: string } {
  const [line = '', ...rest] = text.split('\n\n')
  return { line: inline(line), below: blocks(rest.join('\n\n')) }
}
