import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorCodes } from '../../../rules/problem.ts'
import { ApiError } from '../../http/errors.ts'
import { advice } from '../components.ts'
import type { OpenApi } from '../openapi.ts'
import type { Schema } from '../schemas.ts'
import { atOnce } from '../turns.ts'
import { article, badge, type Entry, inOrder } from './calls.ts'
import { eventGroup } from './events.ts'
import type { Group } from './group.ts'
import { guideGroups } from './guide-pages.ts'
import { blocks, escaped, inline } from './markdown.ts'
import { style } from './style.ts'

// The reference as one page, rendered from the OpenAPI document. Its scripts add a search, and a form for each call;
// without them the page reads the same. Nothing is loaded from another origin.

const folder = join(import.meta.dirname, 'script')
const read = (path: string) => readFileSync(path, 'utf8')

/** The scripts of the page, by the path at which they are served; the search is a package's. */
export const docsScripts: Record<string, string> = {
  ...Object.fromEntries(readdirSync(folder).map((name) => [`/${name}`, read(join(folder, name))])),
  '/docs-minisearch.js': read(fileURLToPath(import.meta.resolve('minisearch'))).replace(
    /^\/\/# sourceMappingURL.*$/m,
    '',
  ),
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the page may load: its own style and scripts, and answers of its own origin. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page of the API and, where it is served, of the administration: with that, also the guides of docs/, which tell of the whole. */
export const renderDocs = (described: OpenApi, administration?: OpenApi): string =>
  atOnce(rendering(described, administration))

/** The same, group by group. */
export function* rendering(described: OpenApi, administration?: OpenApi): Generator<void, string> {
  const api = yield* inlinedApi(described)
  const [forCallers = [], ...forOthers] = administration
    ? (yield* guideGroups()).map((one) => [one])
    : []
  const groups = [
    start(api),
    ...forCallers,
    ...(yield* calls(api)),
    ...(yield* eventGroup(api)),
    ...(yield* administered(administration)),
    errors(),
    ...forOthers.flat(),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(api.info.title)} reference</title>
<style>${style}</style>
</head>
<body data-language="curl">
<a class="skip" href="#top">Skip to the content</a>
<nav aria-label="Reference">
<a class="home" href="#top">${escaped(api.info.title)} <small>${escaped(api.info.version)}</small></a>
${search}
<div class="groups" id="groups">
${groups.map(navGroup).join('\n')}
</div>
</nav>
<main id="top">
<h1>${escaped(api.info.title)}</h1>
<p class="lead">${escaped(api.info.summary)} As a document: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/openapi.yaml">YAML</a>,
<a href="/openapi-3.0.json">OpenAPI 3.0</a>; for language models: <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">all of it</a>.</p>
${tokenForm}
${groups.map(({ id, name, content }) => `<section id="${id}">\n<h2>${escaped(name)}</h2>\n${content}\n</section>`).join('\n')}
</main>
<script src="/docs.js" type="module"></script>
</body>
</html>
`
}

const search = `<div class="find" hidden><input id="find" type="search" aria-label="Find in guides, calls, events and codes" placeholder="Find ( / )" autocomplete="off" spellcheck="false">
<button type="button" class="menu" aria-expanded="false" aria-controls="groups">Menu</button>
<p role="status"></p><ol id="found" hidden></ol></div>`

const tokenForm = `<form id="token" hidden>
<label for="token-field"><b>Try the calls from here</b></label>
<p>With an access token, you can send each call below from this page and see its answer. The token stays in this tab and
is sent to this address only.</p>
<div class="beside"><input id="token-field" type="password" autocomplete="off" placeholder="prm_…">
<button>Who am I?</button></div>
<output for="token-field" aria-live="polite"></output>
</form>`

const navGroup = ({ name, links }: Group) => `<details open><summary>${escaped(name)}</summary><ul>
${links.map((link) => `<li><a href="#${link.href}"><span>${escaped(link.name)}</span>${link.badge ?? ''}</a></li>`).join('\n')}
</ul></details>`

/** The description of the document: one guide under each of its headings. */
function start(api: OpenApi): Group {
  const parts = api.info.description.split(/^## /m).filter(Boolean)
  const made = parts.map((part) => {
    const [name = '', ...text] = part.split('\n\n')
    return { name, href: `start-${slug(name)}`, html: blocks(text.join('\n\n').trim()) }
  })
  const content = made
    .map(
      ({ name, href, html }) =>
        `<div class="guide" id="${href}"><h3>${escaped(name)}</h3>\n${html}</div>`,
    )
    .join('\n')
  return { id: 'guides', name: 'First steps', links: made, content }
}

const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')

function* calls(api: OpenApi): Generator<void, Group[]> {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const groups: Group[] = []
  for (const { name, description } of api.tags) {
    const entries = inOrder(all.filter(({ operation }) => operation.tags.includes(name)))
    // Webhooks have a group of their own; what they are sent stands under the events (events.ts).
    if (entries.length === 0) continue
    const articles = []
    for (const entry of entries) {
      articles.push(article(entry))
      yield
    }
    groups.push({
      id: name,
      name: name.charAt(0).toUpperCase() + name.slice(1),
      links: entries.map(({ method, operation }) => ({
        href: operation.operationId,
        name: operation.summary,
        badge: badge(method),
      })),
      content: `<p class="about">${inline(description)}</p>\n${articles.join('\n')}`,
    })
  }
  return groups
}

/** The administration as one group: what it is, and its calls. */
function* administered(described: OpenApi | undefined): Generator<void, Group[]> {
  if (!described) return []
  const api = yield* inlinedApi(described)
  const all = yield* calls(api)
  const [, ...text] = api.info.description.split('\n\n')
  return [
    {
      id: 'administration',
      name: 'Administration',
      links: all.flatMap(({ links }) => links),
      content: `<div class="guide">${blocks(text.join('\n\n'))}<p><a href="/admin/openapi.json">OpenAPI 3.1</a></p></div>
${all.map(({ content }) => content).join('\n')}`,
    },
  ]
}

/** Every error code, by its status. */
function errors(): Group {
  const byStatus = errorCodes
    .map((code) => ({ code, status: new ApiError(code, '').status }))
    .sort((a, b) => a.status - b.status)
  return {
    id: 'errors',
    name: 'Error codes',
    links: byStatus.map(({ code }) => ({ href: `error-${code}`, name: code })),
    content: `<dl>${byStatus.map(errorItem).join('\n')}</dl>`,
  }
}

const errorItem = ({ code, status }: { code: ErrorCode; status: number }) =>
  `<div id="error-${code}"><dt><a href="#error-${code}"><code>${code}</code></a> <span class="note">${status}</span></dt><dd>${inline(advice[code])}</dd></div>`

/** The document with its references resolved, path by path. */
function* inlinedApi(described: OpenApi): Generator<void, OpenApi> {
  const paths: OpenApi['paths'] = {}
  for (const [path, methods] of Object.entries(described.paths)) {
    paths[path] = inlined(methods, described) as OpenApi['paths'][string]
    yield
  }
  const webhooks: Record<string, unknown> = {}
  for (const [kind, webhook] of Object.entries(described.webhooks ?? {})) {
    webhooks[kind] = inlined(webhook, described)
    yield
  }
  return { ...described, paths, webhooks } as OpenApi
}

/** A part of the document with its references resolved; text beside a reference is kept. No schema contains itself. */
function inlined(value: unknown, api: OpenApi): unknown {
  if (Array.isArray(value)) return value.map((inner) => inlined(inner, api))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref, ...beside } = value as Schema
  const own = Object.fromEntries(
    Object.entries(beside).map(([name, inner]) => [name, inlined(inner, api)]),
  )
  if (typeof ref !== 'string') return own
  const steps = ref.slice(2).split('/')
  const target = steps.reduce<unknown>((inside, step) => (inside as Schema)[step], api)
  return { ...(inlined(target, api) as Schema), ...own }
}
