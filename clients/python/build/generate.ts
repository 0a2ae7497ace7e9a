import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, digestOf, type Operation, shapesOf } from '../../document.ts'

// node build/generate.ts DOCUMENT [FOLDER]    writes src/postroom/generated, or the folder, from an OpenAPI document.
//
// Every body, query and answer is a TypedDict, under the name that it has in the document, and every operation is a method of both
// clients, whose keywords are the members of the body or the query. One file, because the keywords have the types of the members.

type Schema = Record<string, unknown> & {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
}

const own = join(import.meta.dirname, '..', 'src', 'postroom', 'generated')
const [path, folder = own] = process.argv.slice(2)
if (!path) throw new Error('node build/generate.ts DOCUMENT')
const document: Document = JSON.parse(readFileSync(path, 'utf8'))
const digest = digestOf(document, (text) => createHash('sha256').update(text).digest('hex'))
const { operations, schemas: shapes } = shapesOf(document)
const { EventData: eventData = {}, ...schemas } = shapes as Record<string, Schema>

const classes = classesOf(schemas)
const head = `# Made from the OpenAPI document of Postroom ${document.info.version} by \`npm run clients\`: do not edit.\n`
const future = 'from __future__ import annotations\n'
const typing = `import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
`
write('__init__.py', head)
write(
  'schemas.py',
  `${head}# Of the document ${digest}.\n${future}\n${typing}\n${classes.join('\n\n')}`,
)
write('events.py', `${head}${future}\n${typing}\n${eventsFile(eventData.properties ?? {})}`)
write('operations.py', `${head}${future}\n${operationsFile(operations)}`)

function write(name: string, text: string) {
  writeFileSync(join(folder, name), text)
}

/** The classes of all schemas, with those of objects that have no name of their own before them. */
function classesOf(all: Record<string, Schema>): string[] {
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))
  // Another name for a union has to come behind what it unites.
  const isClass = ([, schema]: [string, Schema]) => schema.properties !== undefined
  return [...sorted.filter(isClass), ...sorted.filter((one) => !isClass(one))].flatMap(
    ([name, schema]) => classOf(name, schema),
  )
}

function classOf(name: string, schema: Schema): string[] {
  if (!schema.properties) {
    const before: string[] = []
    const type = typeOf(schema, name, before)
    return [...before, `${name} = ${type}\n`]
  }
  const before: string[] = []
  const required = new Set(schema.required)
  const members = Object.entries(schema.properties).map(([member, one]) => {
    const type = typeOf(one, name + capital(member), before)
    return { member, one, type: required.has(member) ? type : `NotRequired[${type}]` }
  })
  // A keyword of Python cannot be the name of a member of a class.
  if (members.some(({ member }) => !isName(member))) {
    const rows = members.map(({ member, type }) => `        "${member}": '${type}',`)
    return [
      ...before,
      `${name} = TypedDict(\n    "${name}",\n    {\n${rows.join('\n')}\n    },\n)\n`,
    ]
  }
  const rows = members.map(
    ({ member, one, type }) => `    ${member}: ${type}\n${comment(one.description, '    ')}`,
  )
  const body = comment(schema.description, '    ') + rows.join('')
  return [...before, `class ${name}(TypedDict):\n${body || '    pass\n'}`]
}

/** The type of a value; what has no name in the document gets one after its place. */
function typeOf(schema: Schema, name: string, before: string[]): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return union(parts.map((part) => typeOf(part, name, before)))
  if (schema.enum) return literal(schema.enum)
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, name, before)))
  switch (schema.type) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `list[${schema.items ? typeOf(schema.items, name, before) : 'Any'}]`
    case 'object': {
      if (schema.properties) {
        before.push(...classOf(name, schema))
        return name
      }
      const { additionalProperties: others } = schema
      return `dict[str, ${typeof others === 'object' ? typeOf(others, name, before) : 'Any'}]`
    }
    default:
      return 'Any'
  }
}

function literal(values: unknown[]): string {
  const known = values.filter((value) => value !== null)
  const type =
    known.length > 0 ? `Literal[${known.map((one) => JSON.stringify(one)).join(', ')}]` : ''
  return union([...(type ? [type] : []), ...(known.length < values.length ? ['None'] : [])])
}

function union(types: string[]): string {
  const some = [
    ...new Set(types.flatMap((type) => (type.includes('[') ? [type] : type.split(' | ')))),
  ]
  if (some.includes('Any')) return 'Any'
  return some.sort((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ')
}

/** For each kind of event, its class and what a webhook sends of it. */
function eventsFile(kinds: Record<string, Schema>): string {
  const names = Object.keys(kinds).map((kind) => [kind, kind.split(/[._-]/).map(capital).join('')])
  const classes = names.flatMap(([kind = '', name = '']) => {
    const before: string[] = []
    const data = kinds[kind] ?? {}
    before.push(...classOf(`${name}Data`, { type: 'object', properties: {}, ...data }))
    return [
      ...before,
      `class ${name}Event(FeedMembers):\n    kind: Literal["${kind}"]\n    data: ${name}Data\n`,
      `class ${name}Sent(${name}Data, SentMembers):\n    pass\n`,
      `class ${name}Webhook(WebhookMembers):\n    type: Literal["${kind}"]\n    data: ${name}Sent\n`,
    ]
  })
  const all = (suffix: string) => names.map(([, name]) => `    ${name}${suffix},`).join('\n')
  const used = [
    ...new Set(JSON.stringify(kinds).match(/(?<=#\/components\/schemas\/)\w+/g) ?? []),
  ].sort()
  return `from typing import Union

from .schemas import ${used.join(', ')}


class FeedMembers(TypedDict):
    id: str
    at: str
    resource: str
    cursor: str
    """Where the event stands: begin after this cursor, and the next event is the first that comes."""


class SentMembers(TypedDict):
    id: str
    """The id of the event: ignore one that you have had."""
    workspace: str
    resource: str


class WebhookMembers(TypedDict):
    timestamp: str


EventKind = Literal[
${names.map(([kind]) => `    "${kind}",`).join('\n')}
]

${classes.join('\n\n')}

#: An event by its kind. More kinds are added over time: keep a default where you decide by it.
KeptEvent = Union[
${all('Event')}
]
#: What a webhook sends, by its type. More types are added over time: keep a default where you decide by it.
WebhookEvent = Union[
${all('Webhook')}
]
`
}

function operationsFile(all: Operation[]): string {
  const methods = all.map(methodOf)
  const code = methods.map(({ code }) => code('')).join('\n')
  const asynchronous = methods.map(({ code }) => code('async ')).join('\n')
  const constants = methods.map(({ constant }) => constant).join('')
  const text = code + constants
  const used = classes
    .flatMap((text) => /^(?:class )?(\w+)/.exec(text)?.[1] ?? [])
    .filter((name) => new RegExp(`\\b${name}\\b`).test(text.replace(/"""[\s\S]*?"""/g, '')))
    .sort()
  return `import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..methods import Described
from ..types import NOT_GIVEN, CallOptions, ChangeOptions, NotGiven
from ..pages import AsyncPages, AsyncRuns, Pages, Runs
from .schemas import (
${used.map((name) => `    ${name},`).join('\n')}
)

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

${constants}

class Operations(Runs):
    """The operations of the API, each a method."""

${code}

class AsyncOperations(AsyncRuns):
    """The operations of the API, each a method."""

${asynchronous}`
}

function methodOf(one: Operation) {
  const { id, summary, description, params, method, path, items, answer, commas } = one
  const given = one.body ?? one.query
  const constant = snake(id).toUpperCase()
  const ids = params.map((name) => (name === 'id' ? `${singular(path)}_id` : snake(name)))
  const members = given ? membersOf(given.name) : []
  const options = method === 'GET' ? 'CallOptions' : 'ChangeOptions'
  const taken = ['self', 'how', 'step', 'key', 'if_match', 'timeout_seconds', 'retry_for_seconds']
  const clash = members.find(({ keyword }) => taken.includes(keyword))
  if (clash)
    throw new Error(`${id} has a member ${clash.keyword}, which is an option of every call.`)
  const args = [
    'self',
    ...ids.map((name) => `${name}: str`),
    ...(members.length > 0 ? ['*'] : []),
    ...members
      .sort((a, b) => Number(b.needed) - Number(a.needed))
      .map(({ keyword, type, needed }) =>
        needed ? `${keyword}: ${type}` : `${keyword}: ${orLeftOut(type)} = NOT_GIVEN`,
      ),
    `**how: Unpack[${options}]`,
  ]
  const body = answer.type ? { string: 'str', Blob: 'bytes' }[answer.type] : answer.name
  const item = items ? itemOf(answer.name, items) : ''
  const row = [
    `"${method}"`,
    `"${path}"`,
    ...(given ? [`takes="${one.body ? 'body' : 'query'}"`] : []),
    ...(items ? [`items="${items}"`] : []),
    ...(answer.type ? [`answers="${body === 'str' ? 'text' : 'bytes'}"`] : []),
    ...(commas.length > 0
      ? [
          `commas=(${commas
            .map((name) => `"${name}", `)
            .join('')
            .trim()})`,
        ]
      : []),
  ]
  const values = members.map(({ member, keyword }) => `            "${member}": ${keyword},\n`)
  const passed = `(${ids
    .map((name) => `${name}, `)
    .join('')
    .trim()}), ${values.length > 0 ? `{\n${values.join('')}        }` : '{}'}, how`
  const says = [summary, ...(description ? ['', description] : []), ...said(members)].join('\n')
  return {
    constant: `${constant}: Described[${body}] = Described(${row.join(', ')})\n`,
    code(kind: '' | 'async ') {
      const pages = `${kind ? 'AsyncPages' : 'Pages'}[${body}, ${item}]`
      // A list is asked for when it is iterated, or when its page is.
      const [define, result, run] = items
        ? ['def', pages, `self._list(${constant}, `]
        : [`${kind}def`, body, `${kind ? 'await ' : ''}self._run(${constant}, `]
      const head = `    ${define} ${snake(id)}(\n${args.map((arg) => `        ${arg},`).join('\n')}\n    ) -> ${result}:\n`
      return `${head}${comment(says, '        ')}        return ${run}${passed})\n`
    },
  }
}

type Member = { member: string; keyword: string; type: string; needed: boolean; says: string }

function membersOf(name: string): Member[] {
  const { properties = {}, required = [] } = schemas[name] ?? {}
  return Object.entries(properties).map(([member, schema]) => ({
    member,
    keyword: keywordOf(member),
    // Whoever calls may give any sequence and any mapping.
    type: typeOf(schema, name + capital(member), [])
      .replace(/\blist\[/g, 'Sequence[')
      .replace(/\bdict\[/g, 'Mapping['),
    needed: required.includes(member),
    says: schema.description ?? '',
  }))
}

function orLeftOut(type: string): string {
  return type === 'Any' ? 'Any' : `${type} | NotGiven`
}

/** What each keyword is, as Python's own docstrings list it. */
function said(members: Member[]): string[] {
  if (!members.some(({ says }) => says)) return []
  return [
    '',
    ...members.map(({ keyword, says }) => `:param ${keyword}: ${says.replaceAll('\n', '\n    ')}`),
  ]
}

function itemOf(answer: string, items: string): string {
  const entries = schemas[answer]?.properties?.[items]?.items
  return entries ? typeOf(entries, answer + capital(items), []) : 'Any'
}

function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')
  const [first = '', ...others] = safe.split('\n').map((line) => line.trimEnd())
  if (others.length === 0) return `${indent}"""${first}"""\n`
  const lines = others.map((line) => (line ? indent + line : ''))
  return `${indent}"""${first}\n${lines.join('\n')}\n${indent}"""\n`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function snake(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function keywordOf(member: string): string {
  return isName(member) ? snake(member) : `${snake(member)}_`
}

function isName(text: string): boolean {
  return !['from', 'class', 'import', 'in', 'is', 'as', 'not', 'for', 'with', 'global'].includes(
    text,
  )
}

/** What the id in a path is of: `person` in `/people/{id}`. */
function singular(path: string): string {
  const [, plural = ''] = /([\w-]+)\/\{id\}/.exec(path) ?? []
  if (plural === 'people') return 'person'
  return plural.replace(/ies$/, 'y').replace(/s$/, '')
}
