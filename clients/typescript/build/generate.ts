import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { type Document, digestOf, type Operation, shapesOf, typeNameOf } from '../../document.ts'

// node build/generate.ts DOCUMENT [FOLDER]    writes src/generated, or the folder, from an OpenAPI document.
//
// openapi-typescript makes the types, from a document that holds shapes alone: every body, query and answer under a name of its
// own. What it does not make, the list of operations as methods, is written here from the same document.

const own = join(import.meta.dirname, '..', 'src', 'generated')
const [path, folder = own] = process.argv.slice(2)
if (!path) throw new Error('node build/generate.ts DOCUMENT')
const document: Document = JSON.parse(readFileSync(path, 'utf8'))
const digest = digestOf(document, (text) => createHash('sha256').update(text).digest('hex'))
const { operations, schemas } = shapesOf(document)

const nodes = await openapiTS(
  { openapi: '3.1.1', info: { title: '', version: '' }, components: { schemas } } as OpenAPI3,
  { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true, alphabetize: true },
)
const types = astToString(nodes)
  // What the document does not have, and names that only lead to other names.
  .replace(/^export type (?:paths|webhooks|\$defs|operations) = .*;\n/gm, '')
const head = `// Made from the OpenAPI document of Postroom ${document.info.version} by \`npm run clients\`: do not edit. One file, because it is one
// document.
`
write('schemas.ts', `${head}// Of the document ${digest}.\n\n${types}`)
write('operations.ts', `${head}\n${operationsFile(operations)}`)

function write(name: string, text: string) {
  writeFileSync(join(folder, name), text)
}

function operationsFile(all: Operation[]): string {
  const names = [
    ...new Set(all.flatMap((one) => [one.body, one.query, one.answer].map(typeNameOf))),
  ]
    .filter((name) => name !== undefined)
    .sort()
  const rows = all.map(({ id, method, path, body, query, answer, items, commas }) => {
    const takes = body ? 'body' : query && 'query'
    const answers = answer.type && { string: 'text', Blob: 'blob' }[answer.type]
    const row = { method, path, takes, items, answers, ...(commas.length > 0 && { commas }) }
    return `  ${id}: ${JSON.stringify(row)},`
  })
  return [
    `import type { Call, CallOptions, ChangeOptions, Described, List } from '../types.ts'`,
    `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from './schemas.ts'`,
    '',
    `export const operations: Record<keyof Operations, Described> = {\n${rows.join('\n')}\n}`,
    '',
    '/** The operations of the API, each a method. */',
    `export interface Operations {\n${all.map(methodOf).join('\n')}\n}`,
    '',
  ].join('\n')
}

function methodOf(one: Operation): string {
  const { id, summary, description, params, method, items } = one
  const given = one.body ?? one.query
  const args = [
    ...params.map((name) => `${name}: string`),
    ...(given
      ? [`${one.body ? 'body' : 'query'}${given.required ? '' : '?'}: ${typeNameOf(given)}`]
      : []),
    `options?: ${method === 'GET' ? 'CallOptions' : 'ChangeOptions'}`,
  ]
  const answer = one.answer.type ?? typeNameOf(one.answer)
  const result = items
    ? `List<${answer}, ${answer}[${JSON.stringify(items)}][number]>`
    : `Call<${answer}>`
  const comment = [summary, ...(description ? ['', description] : [])]
    .join('\n')
    .replaceAll('*/', '*\\/')
  const lines = comment.split('\n').map((line) => `   * ${line}`.trimEnd())
  return `  /**\n${lines.join('\n')}\n   */\n  ${id}(${args.join(', ')}): ${result}`
}
