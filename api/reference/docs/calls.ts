import { STATUS_CODES } from 'node:http'
import type { Parameter, Response } from '../components.ts'
import type { Operation } from '../openapi.ts'
import { propertiesOf, requiredOf, type Schema } from '../schemas.ts'
import { escaped, highlighted, inline, sentence } from './markdown.ts'

// One call of the reference: what it does, what it takes, its answers by status, and a sample.

export type Entry = { method: string; path: string; operation: Operation }

const order = ['post', 'get', 'put', 'patch', 'delete']

/** Create, list, read, edit and delete come first, then the other calls in their original order. */
export function inOrder(entries: Entry[]): Entry[] {
  const paths = [...new Set(entries.map(({ path }) => path))]
  const rank = ({ method, path }: Entry) => {
    const [, ...inner] = path.replace(/^\/\w+\/v1\//, '').split('/')
    const main = inner.length === 0 || (inner.length === 1 && inner[0] === '{id}')
    if (!main) return 100 + paths.indexOf(path) * 10 + order.indexOf(method)
    return inner.length * 2 + order.indexOf(method)
  }
  return entries.toSorted((a, b) => rank(a) - rank(b))
}

export function article({ method, path, operation }: Entry): string {
  const body = operation.requestBody?.content['application/json']
  const parameters = operation.parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const done = operation.responses['200'] as Response
  const example = done.content?.['application/json']?.example
  const scopes = operation['x-scopes'].map((scope) => `<code class="scope">${scope}</code>`)
  return `<article id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${escaped(operation.summary)}</a></h3>
<p class="call">${badge(method)}<code>${escaped(path).replaceAll('/', '/<wbr>')}</code>${scopes.join('')}</p>
<div class="columns"><div class="told">
<p>${inline(withoutScopes(operation.description))}</p>
${parameters.length > 0 ? `<h4>Parameters</h4>${parameterList(parameters)}` : ''}
${body ? `<h4>Body</h4>${members(body.schema, 'request')}` : ''}
<div class="folds"><h4>Answers</h4>${answers(operation)}</div>
</div>
<div class="shown">${samplesOf(operation)}
${example === undefined ? '' : `<figure class="example"><figcaption>Its answer</figcaption>${sample(JSON.stringify(example, null, 2))}</figure>`}
<details class="try" data-method="${method}" data-path="${escaped(path)}" hidden><summary>Try it</summary></details></div></div>
</article>`
}

// They stand beside the path.
const withoutScopes = (description: string) =>
  description.replace(/ ?Needs (?:the scopes? .*|any valid token)\.$/, '')

const samplesOf = ({ 'x-codeSamples': samples }: Operation) =>
  `<figure class="samples"><figcaption>${samples.map(({ label }) => `<button type="button" data-language="${label}">${label}</button>`).join('')}</figcaption>
${samples.map(({ label, source }) => sample(source, label)).join('\n')}</figure>`

export const sample = (text: string, language?: string): string =>
  `<pre class="sample" tabindex="0"${language ? ` data-language="${language}"` : ''}>${highlighted(text)}</pre>`

/** Every possible status: the content of a successful answer, and the reasons of a refusal. */
function answers({ responses }: Operation) {
  const all = Object.entries(responses) as [string, Response][]
  const refusals = all.filter(([status]) => Number(status) >= 400)
  const statuses = refusals.map(([status]) => status).join(', ')
  return `${all
    .filter(([status]) => Number(status) < 400)
    .map(answer)
    .join('\n')}
<details><summary><b>${statuses}</b> Refusals</summary><ul class="members">${refusals.map(refusal).join('')}</ul></details>`
}

function answer([status, { description, content = {} }]: [string, Response]) {
  const schema = content['application/json']?.schema as Schema | undefined
  const inside = schema
    ? members(schema, 'answer')
    : `<p>${inline(description)}${'application/octet-stream' in content ? ' The bytes of the file.' : ''}</p>`
  return `<details><summary>${titled(status)}</summary>${inside}</details>`
}

const refusal = ([status, { description }]: [string, Response]) =>
  `<li>${titled(status)}<p>${description.replace(/`([a-z_]+)`/g, '<a href="#error-$1"><code>$1</code></a>')}</p></li>`

const titled = (status: string) => `<b>${status}</b> ${STATUS_CODES[status] ?? ''}`

export const badge = (method: string): string =>
  `<span class="method ${method}">${method.toUpperCase()}</span>`

// Members and parameters as lists: name, type, whether they are required, their meaning, and the meaning of their
// values.

/** Whether the members belong to a request, where they may be optional, or to an answer, where they are always present. */
type Of = 'request' | 'answer'

const parameterList = (parameters: Parameter[]): string =>
  list(
    parameters.map(({ name, in: place, required, description, schema }) =>
      item({
        name,
        said: description,
        of: 'request',
        required,
        type: `${typeOf(schema, listsValues(description))} in ${place}`,
        bounds: place === 'path' ? undefined : limits(schema),
      }),
    ),
  )

/** The members of an object, of each alternative, or of the elements of a list. */
export function members(schema: Schema, of: Of): string {
  const variants = insideOf(schema)
  const objects = variants.filter((variant) => Object.keys(propertiesOf(variant)).length > 0)
  if (objects.length === 0)
    return schema['type'] === 'object' || variants.length === 0 ? '' : `<p>${typeOf(schema)}</p>`
  return objects.map((object) => objectMembers(object, of)).join('<p class="or">or</p>')
}

const objectMembers = (schema: Schema, of: Of) =>
  list(
    Object.entries(propertiesOf(schema)).map(([name, inner]) => {
      const said = String(inner['description'] ?? '')
      return item({
        name,
        of,
        required: requiredOf(schema).includes(name),
        said,
        type: typeOf(inner, listsValues(said)),
        bounds: limits(inner),
        inside: insideOf(inner).some((one) => Object.keys(propertiesOf(one)).length > 0)
          ? members(inner, of)
          : '',
      })
    }),
  )

/** Whether each value is explained below the sentence, so that the type need not list them. */
const listsValues = (said: string) => said.includes('\n\n- ')

type Item = {
  name: string
  type: string
  of: Of
  required: boolean
  said: string
  bounds: string | undefined
  inside?: string
}

function item({ name, type, of, required, said, bounds, inside = '' }: Item) {
  const flag =
    of === 'request'
      ? required
        ? '<em>required</em>'
        : '<i>optional</i>'
      : required
        ? ''
        : '<i>not always present</i>'
  const { line, below } = sentence(said)
  const note = bounds ? ` <span class="note">${bounds}</span>` : ''
  return `<li><b>${escaped(name)}</b> <span class="type">${type}</span>${flag}${note}<p>${line}</p>${below}${inside}</li>`
}

const list = (items: string[]) => `<ul class="members">${items.join('')}</ul>`

const mostValues = 20

/** A type in words, escaped: `string or null`, `object[]`, `"low" | "high"`. */
function typeOf(schema: Schema, isListed = false): string {
  const values = (schema['enum'] ??
    schema['x-extensible-enum'] ??
    ('const' in schema ? [schema['const']] : undefined)) as unknown[] | undefined
  // The kinds of events are many, and have a section of their own.
  if (values && !isListed && values.length <= mostValues)
    return values.map((value) => escaped(JSON.stringify(value))).join(' | ')
  const variants = alternatives(schema)
  const typesOf = (some: Schema[]) => [...new Set(some.map((one) => typeOf(one, isListed)))]
  if (variants.length > 1) return typesOf(variants).join(' or ')
  const [only = schema] = variants
  if (only !== schema) return typeOf(only, isListed)
  if (schema['type'] === 'array') {
    const inner = typeOf(itemsOf(schema), isListed)
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
    ...say('default', (value) => `default ${value}`),
  ]
  return parts.length > 0 ? escaped(parts.join(', ')) : undefined
}

// Bounds that only mean "a number that a computer can hold" mean nothing to a reader.
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
/** The alternatives of a schema; for a list, those of its elements. */
const insideOf = (schema: Schema): Schema[] =>
  withoutNull(schema).flatMap((variant) =>
    variant['type'] === 'array' ? withoutNull(itemsOf(variant)) : [variant],
  )
