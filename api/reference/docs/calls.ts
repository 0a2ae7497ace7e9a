import { STATUS_CODES } from 'node:http'
import { prefix } from '../../http/prefix.ts'
import type { Response } from '../components.ts'
import type { Operation } from '../openapi.ts'
import type { Schema } from '../schemas.ts'
import { escaped, inline } from './markdown.ts'
import { members, parameterList } from './members.ts'

// One call of the reference: what it does, what it takes, its answers by status, and a sample.

export type Entry = { method: string; path: string; operation: Operation }

const order = ['post', 'get', 'patch', 'delete']

/** Create, list, read, edit and delete come first, then the other calls in their original order. */
export function inOrder(entries: Entry[]): Entry[] {
  const paths = [...new Set(entries.map(({ path }) => path))]
  const rank = ({ method, path }: Entry) => {
    const [, ...inner] = path.replace(`${prefix}/`, '').split('/')
    const main = inner.length === 0 || (inner.length === 1 && inner[0] === '{id}')
    if (!main) return 100 + paths.indexOf(path) * 10 + order.indexOf(method)
    return inner.length * 2 + order.indexOf(method)
  }
  return entries.toSorted((a, b) => rank(a) - rank(b))
}

export function article({ method, path, operation }: Entry, server: string): string {
  const body = operation.requestBody?.content['application/json']
  const parameters = operation.parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const done = operation.responses['200'] as Response
  const example = done.content?.['application/json']?.example
  return `<article id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${escaped(operation.summary)}</a></h3>
<p class="call">${badge(method)}<code>${escaped(path).replaceAll('/', '/<wbr>')}</code></p>
<p>${inline(operation.description)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4>${parameterList(parameters)}` : ''}
${body ? `<h4>Body</h4>${members(body.schema, 'request')}` : ''}
<div class="folds"><h4>Answers</h4>${answers(operation)}
<h4>Sample</h4><details><summary>Call with curl</summary>${sample(curlOf({ method, path, operation }, server))}</details>
${example === undefined ? '' : `<details><summary>Its answer</summary>${sample(JSON.stringify(example, null, 2))}</details>`}
<details class="try" data-method="${method}" data-path="${escaped(path)}" hidden><summary>Try it</summary></details></div>
</article>`
}

const sample = (text: string) => `<pre class="sample" tabindex="0">${escaped(text)}</pre>`

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

/** The call as a shell command, with the example of its body. */
function curlOf({ method, path, operation }: Entry, server: string) {
  const { parameters, requestBody } = operation
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    )
  const body = requestBody?.content['application/json']?.example
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${server}${filled}'`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(method === 'get' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`,
        ]),
  ].join(' \\\n  ')
}

export const badge = (method: string): string =>
  `<span class="method ${method}">${method.toUpperCase()}</span>`
