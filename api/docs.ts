import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { style } from './docs-style.ts'
import type { OpenApi, Operation, Parameter, Response } from './openapi.ts'
import type { Schema } from './openapi-schemas.ts'

// The reference as one page, rendered from the OpenAPI document. Its script (docs-page.js) adds a form to each call; without
// it the page reads the same. Nothing comes from another origin.

export const docsScript = readFileSync(join(import.meta.dirname, 'docs-page.js'), 'utf8')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the page may load: its own style and script, and answers of its own origin. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function renderDocs(described: OpenApi): string {
  const api = inlined(described, described) as OpenApi
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = api.tags.map(({ name }) => ({
    name,
    entries: operations.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const server = api.servers[0]?.url ?? ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(api.info.title)} reference</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Calls">
<a class="home" href="#top">${escaped(api.info.title)} <small>${escaped(api.info.version)}</small></a>
${groups.map(navGroup).join('\n')}
</nav>
<main id="top">
<h1>${escaped(api.info.title)}</h1>
<p class="lead">${escaped(api.info.summary)} <a href="/openapi.json">OpenAPI 3.1</a></p>
${introduction(api, server)}
${tokenForm}
${groups.map(section).join('\n')}
</main>
<script src="/docs.js" type="module"></script>
</body>
</html>
`
}

const tokenForm = `<form id="token" hidden>
<label for="token-field"><b>Try the calls from here</b></label>
<p>With an access token, each call below can be sent from this page and shows its answer. The token stays in this tab and
goes to this address alone.</p>
<div class="beside"><input id="token-field" type="password" autocomplete="off" placeholder="prm_…">
<button>Who am I?</button></div>
<output for="token-field" aria-live="polite"></output>
</form>`

/** The document with what it refers to in place. No schema holds itself. */
function inlined(value: unknown, api: OpenApi): unknown {
  if (Array.isArray(value)) return value.map((inner) => inlined(inner, api))
  if (typeof value !== 'object' || value === null) return value
  const ref = (value as Schema)['$ref']
  if (typeof ref === 'string') {
    const steps = ref.slice(2).split('/')
    return inlined(
      steps.reduce<unknown>((inside, step) => (inside as Schema)[step], api),
      api,
    )
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inlined(inner, api)]),
  )
}

type Entry = { method: string; path: string; operation: Operation }
type Group = { name: string; entries: Entry[] }

const navGroup = ({
  name,
  entries,
}: Group) => `<details><summary>${escaped(title(name))}</summary><ul>
${entries
  .map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}">${badge(method)}<span>${escaped(short(path))}</span></a></li>`,
  )
  .join('\n')}
</ul></details>`

function introduction(api: OpenApi, server: string) {
  const paragraphs = api.info.description.split(/(?<=\.) (?=[A-Z][a-z]+ )/)
  return `${paragraphs.map((text) => `<p>${inline(text)}</p>`).join('\n')}
<pre>curl ${escaped(server)}/api/v1/workspace -H "Authorization: Bearer $TOKEN"

curl -X PATCH ${escaped(server)}/api/v1/workspace \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{"tagging": true}'</pre>`
}

const section = ({ name, entries }: Group) => `<section id="${escaped(name)}">
<h2>${escaped(title(name))}</h2>
${entries.map(article).join('\n')}
</section>`

function article({ method, path, operation }: Entry) {
  const body = operation.requestBody?.content['application/json']
  const done = operation.responses['200'] as Response
  const [type, answer] = Object.entries(done.content ?? {})[0] ?? []
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  const parameters = operation.parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const examples = [body, answer].flatMap((media) => (media?.example ? [media.example] : []))
  return `<article id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${badge(method)}<code>${escaped(path).replaceAll('/', '/<wbr>')}</code></a></h3>
<p>${escaped(operation.summary)}. <span class="scopes">${inline(operation.description)}</span></p>
${parameters.length > 0 ? `<h4>Parameters</h4>${list(parameters.map(parameterItem))}` : ''}
${body ? `<h4>Body</h4>${members(body.schema)}` : ''}
<div class="folds"><details><summary>Answer</summary>${
    type === 'application/json' && answer ? members(answer.schema) : '<p>The bytes of the file.</p>'
  }</details>
${examples.length > 0 ? `<details><summary>Example</summary>${examples.map(exampleOf).join('')}</details>` : ''}
<details><summary>Refusals</summary>${list(refusals.map(refusalItem))}</details>
<details class="try" data-method="${method}" data-path="${escaped(path)}" hidden><summary>Try it</summary></details></div>
</article>`
}

const exampleOf = (value: unknown) =>
  `<pre tabindex="0">${escaped(JSON.stringify(value, null, 2))}</pre>`

const parameterItem = ({ name, in: place, required, description, schema }: Parameter) =>
  item(name, required, `${typeOf(schema)} in ${place}`, [
    place === 'path' ? undefined : limits(schema),
    description && inline(description),
  ])

const refusalItem = ([status, refusal]: [string, Response | { $ref: string }]) =>
  `<li><b>${status}</b> ${inline((refusal as Response).description)}</li>`

/** The members of an object, of each alternative, or of the elements of a list. */
function members(schema: Schema): string {
  const plain = withoutNull(schema)
  const variants = plain.flatMap((variant) =>
    variant['type'] === 'array' ? withoutNull(itemsOf(variant)) : [variant],
  )
  const objects = variants.filter((variant) => Object.keys(propertiesOf(variant)).length > 0)
  if (objects.length === 0)
    return schema['type'] === 'object' || variants.length === 0 ? '' : `<p>${typeOf(schema)}</p>`
  return objects.map(objectMembers).join('<p class="or">or</p>')
}

function objectMembers(schema: Schema) {
  const required = (schema['required'] ?? []) as string[]
  return list(
    Object.entries(propertiesOf(schema)).map(([name, inner]) =>
      item(name, required.includes(name), typeOf(inner), [limits(inner)], nested(inner)),
    ),
  )
}

function nested(schema: Schema) {
  const inside = withoutNull(schema).flatMap((variant) =>
    variant['type'] === 'array' ? withoutNull(itemsOf(variant)) : [variant],
  )
  return inside.some((variant) => Object.keys(propertiesOf(variant)).length > 0)
    ? members(schema)
    : ''
}

const item = (
  name: string,
  required: boolean,
  type: string,
  notes: (string | undefined)[],
  inside = '',
) =>
  `<li><b>${escaped(name)}</b>${required ? '' : '<i>optional</i>'} <span class="type">${type}</span> ${notes
    .filter(Boolean)
    .map((note) => `<span class="note">${note}</span>`)
    .join(' ')}${inside}</li>`

const list = (items: string[]) => `<ul class="members">${items.join('')}</ul>`

/** A type in words, escaped: `string or null`, `object[]`, `"low" | "high"`. */
function typeOf(schema: Schema): string {
  const values = (schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)) as
    | unknown[]
    | undefined
  if (values) return values.map((value) => escaped(JSON.stringify(value))).join(' | ')
  const variants = alternatives(schema)
  if (variants.length > 1) return [...new Set(variants.map(typeOf))].join(' or ')
  const [only = schema] = variants
  if (only !== schema) return typeOf(only)
  if (schema['type'] === 'array') {
    const inner = typeOf(itemsOf(schema))
    return / /.test(inner) ? `(${inner})[]` : `${inner}[]`
  }
  return escaped(String(schema['format'] ?? schema['type'] ?? 'any'))
}

function limits(schema: Schema): string | undefined {
  const [only, ...others] = withoutNull(schema)
  if (!only || others.length > 0) return undefined
  const say = (name: string, words: (value: string) => string) =>
    isTelling(only[name]) ? [words(readable(only[name]))] : []
  const parts = [
    ...say('minimum', (value) => `from ${value}`),
    ...say('maximum', (value) => `up to ${value}`),
    ...say('maxItems', (value) => `up to ${value}`),
    ...say('maxLength', (value) => `up to ${value} characters`),
    ...say('default', (value) => `${value} unless given`),
  ]
  return parts.length > 0 ? escaped(parts.join(', ')) : undefined
}

// Bounds that only say "a number a computer can hold" tell a reader nothing.
const isTelling = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined &&
  value !== null &&
  (typeof value !== 'number' || Math.abs(value) < Number.MAX_SAFE_INTEGER)

const readable = (value: NonNullable<unknown>) =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value)

function alternatives(schema: Schema): Schema[] {
  const { 'x-null': absent, ...said } = schema
  if (absent) return withoutNull(said)
  const { type, anyOf, oneOf } = schema
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }))
  return ((anyOf ?? oneOf) as Schema[] | undefined) ?? [schema]
}

const withoutNull = (schema: Schema) => alternatives(schema).filter(({ type }) => type !== 'null')
const itemsOf = (schema: Schema) => (schema['items'] ?? {}) as Schema
const propertiesOf = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>

const badge = (method: string) => `<span class="method ${method}">${method.toUpperCase()}</span>`
const short = (path: string) => path.replace('/api/v1', '') || '/'
const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const inline = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
