import type { Parameter } from './components.ts'

// The same call in three languages, for people who copy it: by curl, and by the clients of `clients/`. The document has them as
// `x-codeSamples`, which reference pages of others read too.

export type Sample = { lang: 'Shell' | 'TypeScript' | 'Python'; label: string; source: string }

export type Sampled = {
  operationId: string
  method: string
  /** The address, with examples of its ids. */
  url: string
  /** The examples of its ids, in the order of the path. */
  ids: string[]
  /** The example of its body, or the parameters that it needs; undefined without either. */
  body: unknown
  isList: boolean
  /** Whether the clients have it: they do not administer. */
  hasClients: boolean
}

/** Its address with examples of its ids, and these by themselves. A search has to be for something. */
export function addressOf(
  url: string,
  parameters: Parameter[],
): Pick<Sampled, 'url' | 'ids' | 'body'> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const path = inPath.reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    url,
  )
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = Object.fromEntries(needed.map(({ name }) => [name, 'sensors']))
  return {
    url: `${path}${needed.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    ids: inPath.map(({ example }) => String(example)),
    body: needed.length > 0 ? query : undefined,
  }
}

export function samplesOf(call: Sampled): Sample[] {
  const curl: Sample = { lang: 'Shell', label: 'curl', source: curlOf(call) }
  if (!call.hasClients) return [curl]
  return [
    curl,
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptOf(call) },
    { lang: 'Python', label: 'Python', source: pythonOf(call) },
  ]
}

function curlOf({ method, url, body }: Sampled): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(method === 'GET' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(body === undefined || method === 'GET'
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`,
        ]),
  ].join(' \\\n  ')
}

function typeScriptOf({ operationId, ids, body, isList }: Sampled): string {
  const given = [
    ...ids.map((id) => literal(id, inTypeScript)),
    ...(body === undefined ? [] : [literal(body, inTypeScript)]),
  ]
  const called = `postroom.${operationId}(${given.join(', ')})`
  return [
    "import { createClient } from '@postroom/client'",
    '',
    'const postroom = createClient({ url: process.env.API, token: process.env.TOKEN })',
    '',
    isList ? `for await (const one of ${called}) console.log(one)` : `console.log(await ${called})`,
  ].join('\n')
}

function pythonOf({ operationId, ids, body, isList }: Sampled): string {
  const named = Object.entries((body ?? {}) as Record<string, unknown>)
  const given = [
    ...ids.map((id) => literal(id, inPython)),
    ...named.map(([member, value]) => `${keywordOf(member)}=${literal(value, inPython)}`),
  ]
  const name = inSnakeCase(operationId)
  const line = `postroom.${name}(${given.join(', ')})`
  const called =
    line.length + 7 <= widest && !line.includes('\n')
      ? line
      : `postroom.${name}(\n${given.map((one) => `    ${one.replaceAll('\n', '\n    ')},\n`).join('')})`
  return [
    'import os',
    'from postroom import Postroom',
    '',
    'postroom = Postroom(url=os.environ["API"], token=os.environ["TOKEN"])',
    '',
    isList ? `for one in ${called}:\n    print(one)` : `print(${called})`,
  ].join('\n')
}

const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Words of Python have a line behind them where they are names.
const reserved = new Set([
  'from',
  'class',
  'import',
  'is',
  'in',
  'for',
  'not',
  'with',
  'as',
  'pass',
])
const keywordOf = (member: string) => {
  const name = inSnakeCase(member)
  return reserved.has(name) ? `${name}_` : name
}

type Language = {
  indent: string
  none: string
  yes: string
  no: string
  key: (name: string) => string
}

const inTypeScript: Language = {
  indent: '  ',
  none: 'null',
  yes: 'true',
  no: 'false',
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
}
const inPython: Language = {
  indent: '    ',
  none: 'None',
  yes: 'True',
  no: 'False',
  key: (name) => JSON.stringify(name),
}

const widest = 72

/** A value as the language writes it: on one line where that is short. */
function literal(value: unknown, language: Language): string {
  if (value === null || value === undefined) return language.none
  if (value === true) return language.yes
  if (value === false) return language.no
  // JSON's texts and numbers are those of both languages.
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, language))
    : Object.entries(value).map(([name, one]) => `${language.key(name)}: ${literal(one, language)}`)
  if (parts.length === 0) return `${open}${close}`
  const space = open === '{' && language === inTypeScript ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= widest && !line.includes('\n')) return line
  const { indent } = language
  return `${open}\n${parts.map((part) => `${indent}${part.replaceAll('\n', `\n${indent}`)},\n`).join('')}${close}`
}
