// What the clients take from the OpenAPI document. Plain functions without imports, so that the tests of the service can hold the
// committed files to the document of the same tree.

type Schema = Record<string, unknown> & {
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
}
type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  explode?: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
type Described = {
  operationId: string
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type Document = {
  info: { version: string }
  paths: Record<string, Record<string, Described>>
  webhooks?: Record<string, { post: Described }>
  components: { schemas: Record<string, Schema> }
}

/** A shape that has a name: of the document, or after the operation. `type` is what is no JSON. */
export type Shape = { name: string; required: boolean; type?: string }

export type Operation = {
  id: string
  method: string
  /** Behind the prefix of the version. */
  path: string
  params: string[]
  summary: string
  description: string
  body?: Shape
  query?: Shape
  answer: Shape
  /** The member that holds the entries, where the answer is a page. */
  items?: string
  /** Lists that are given with commas, and not several times. */
  commas: string[]
}

const prefix = '/api/v1'

export const typeNameOf = (shape: Shape | undefined) => (shape?.type ? undefined : shape?.name)

/** The operations, and the schemas of everything that they take and answer, each under a name. */
export function shapesOf(document: Document) {
  const schemas: Record<string, Schema> = { ...document.components.schemas }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const operation = operationOf(path, method, described, document, schemas)
      return operation ? [operation] : []
    }),
  )
  schemas['EventData'] = eventData(document)
  const used = new Set<string>()
  for (const { body, query, answer } of operations)
    for (const shape of [body, query, answer]) if (shape && !shape.type) use(shape.name)
  use('EventData')
  use('Problem')
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
  return { operations, schemas: plain(kept) as typeof schemas }

  /** The schema, and those that it refers to. */
  function use(name: string) {
    if (used.has(name)) return
    used.add(name)
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    ))
      use(other)
  }
}

/** Undefined for the stream of events, which has a method of its own. */
function operationOf(
  path: string,
  method: string,
  described: Described,
  document: Document,
  schemas: Record<string, Schema>,
): Operation | undefined {
  const { operationId: id, summary, description = '', parameters = [] } = described
  const content = described.responses['200']?.content ?? {}
  if ('text/event-stream' in content) return undefined
  const named = (kind: string, schema: Schema, required: boolean): Shape => {
    const known = schema.$ref?.split('/').at(-1)
    if (known) return { name: known, required }
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}${kind}`
    if (schemas[name] && schemas[name] !== schema) throw new Error(`Two schemas are called ${name}`)
    schemas[name] = schema
    return { name, required }
  }
  const asked = parameters.filter((one) => one.in === 'query')
  const body = described.requestBody?.content['application/json']
  const json = content['application/json']
  const answer = json
    ? named('Answer', json.schema, true)
    : { name: id, required: true, type: 'text/html' in content ? 'string' : 'Blob' }
  const items = json && itemsOf(path, json.schema, document)
  return {
    ...{ id, method: method.toUpperCase(), summary, description, answer },
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    // Some clients and proxies drop the body of a DELETE, which takes the same members in its query.
    ...(body && !(method === 'delete' && asked.length > 0)
      ? { body: named('Body', body.schema, isNeeded(body.schema, described, document)) }
      : asked.length > 0 && {
          query: named(
            'Query',
            queryOf(asked),
            asked.some(({ required }) => required),
          ),
        }),
    ...(items && { items }),
    commas: asked
      .filter(({ schema, explode }) => schema['type'] === 'array' && explode === false)
      .map(({ name }) => name),
  }
}

const isNeeded = (schema: Schema, { requestBody }: Described, document: Document) =>
  requestBody?.required === true || (resolved(schema, document).required ?? []).length > 0

const queryOf = (parameters: Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { description, ...schema }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
})

/** The member of a page that holds its entries: the list that is called as the path is, or else the last one beside `next`. */
function itemsOf(path: string, schema: Schema, document: Document): string | undefined {
  const { properties = {} } = resolved(schema, document)
  if (!properties['next']) return undefined
  const lists = Object.entries(properties)
    .filter(([, member]) => resolved(member, document)['type'] === 'array')
    .map(([name]) => name)
  return lists.find((name) => path.endsWith(`/${name}`)) ?? lists.at(-1)
}

const resolved = (schema: Schema, document: Document): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

// What every webhook adds to the data of its event.
const beside = ['id', 'workspace', 'resource']

/** The data of each kind of event, by the kind. */
function eventData(document: Document): Schema {
  const properties = Object.fromEntries(
    Object.entries(document.webhooks ?? {}).map(([kind, { post }]) => {
      const body = post.requestBody?.content['application/json']?.schema ?? {}
      const given = resolved(body, document).properties?.['data'] ?? {}
      const { properties = {}, required = [], ...data } = resolved(given, document)
      const own = Object.entries(properties).filter(([name]) => !beside.includes(name))
      return [
        kind,
        {
          ...data,
          properties: Object.fromEntries(own),
          required: required.filter((name) => !beside.includes(name)),
        },
      ]
    }),
  )
  return {
    type: 'object',
    description: 'The data of each kind of event.',
    properties,
    required: Object.keys(properties),
  }
}

/** Without examples and without what only a validator reads, in which no type differs. */
function plain(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !leftOut.has(name))
      .map(([name, member]) => [name, plain(member, !isNames && namesOf.has(name))]),
  )
}

const namesOf = new Set(['properties'])
const leftOut = new Set([
  ...['example', 'examples', 'pattern', 'format', 'default'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'minItems', 'maxItems'],
  ...['propertyNames', 'title'],
])

/** Identifies what the client takes from the document: whenever it differs, the files are to be made again. */
export const digestOf = (document: Document, sha256: (text: string) => string) =>
  sha256(JSON.stringify(shapesOf(document)))
