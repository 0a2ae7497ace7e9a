import type { Group } from './group.ts'
import { type Guide, guideFiles, guideNames } from './guide-files.ts'
import { blocks, inline } from './markdown.ts'

// The guides of docs/ as sections of the page. Links between them lead within the page.

export function* guideGroups(): Generator<void, Group[]> {
  const groups: Group[] = []
  for (const [whom, guides] of guideFiles()) {
    const parts = []
    for (const guide of guides) {
      parts.push(rendered(guide))
      yield
    }
    groups.push({
      id: anchor(whom),
      name: whom,
      links: guides.map(({ name, title }) => ({ href: `guide-${name}`, name: title })),
      content: parts.join('\n'),
    })
  }
  return groups
}

/** Its introduction, and each of its parts by itself, so that a search finds the part. */
function rendered({ name, title, text }: Guide) {
  const [introduction = '', ...parts] = split(text)
  const lead = (href: string) => leadWithin(href, name)
  const inner = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const id = `guide-${name}-${anchor(heading)}`
    return `<div class="guide part" id="${id}"><h4><a href="#${id}">${inline(heading)}</a></h4>\n${blocks(lines.join('\n'), lead)}</div>`
  })
  return `<div class="guide" id="guide-${name}"><h3><a href="#guide-${name}">${inline(title)}</a></h3>\n${blocks(introduction, lead)}</div>\n${inner.join('\n')}`
}

/** The text before the first heading, and that under each heading of the second or third order, which begins with it. */
function split(text: string): string[] {
  const parts = ['']
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^###? (.*)$/.exec(line)?.[1]
    if (heading === undefined) parts[parts.length - 1] += `${line}\n`
    else parts.push(`${heading}\n`)
  }
  return parts
}

/** As GitHub makes anchors of headings. */
export const anchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Where a link of a guide leads from the page; undefined for files of the repository, which are not there. */
function leadWithin(href: string, from: string): string | undefined {
  if (/^http:\/\/127\.0\.0\.1:8080\/docs/.test(href)) return '#top'
  if (/^https?:/.test(href)) return href
  const [file = '', part] = href.split('#')
  const name = file === '' ? from : /^(?:docs\/)?([\w-]+)\.md$/.exec(file)?.[1]
  if (name === undefined || !guideNames.includes(name)) return undefined
  return part ? `#guide-${name}-${part}` : `#guide-${name}`
}
