import type { OpenApi } from './openapi.ts'
import type { Schema } from './schemas.ts'
import { webhookTag } from './webhooks.ts'

// The same document in OpenAPI 3.0.3, for generators that do not read 3.1: oapi-codegen and ogen for Go, progenitor for Rust. It is
// made from the document of 3.1, so that both say the same; 3.0 has no webhooks, whose schemas are left out with them.

export function asOpenApi30(document: OpenApi): Schema {
  const { webhooks: _, openapi: _version, info, components, tags, ...rest } = document
  const { summary, license, ...about } = info
  const { parameters: _headers, schemas, ...shared } = components
  const paths = older(rest, schemas) as Schema
  const { schemas: named, ...others } = older({ schemas, ...shared }, schemas) as {
    schemas: Schema
  }
  const used = reachable({ paths, others }, named)
  acceptNull(named, JSON.stringify({ paths, others, named }))
  return {
    openapi: '3.0.3',
    info: {
      ...about,
      // 3.1 names it by its SPDX identifier alone.
      license: { name: license.name, url: `https://spdx.org/licenses/${license.identifier}.html` },
      description: `${summary}\n\n${info.description}`,
    },
    tags: tags.filter(({ name }) => name !== webhookTag),
    ...paths,
    components: {
      ...others,
      schemas: Object.fromEntries(Object.entries(named).filter(([name]) => used.has(name))),
    },
  }
}

const isNull = (schema: Schema) => schema['type'] === 'null'

/** A part of the document in the words of 3.0; examples stay as they are. */
function older(value: unknown, schemas: Schema): unknown {
  if (Array.isArray(value)) return value.map((one) => older(one, schemas))
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'propertyNames')
      .map(([name, inner]) => [name, /^examples?$/.test(name) ? inner : older(inner, schemas)]),
  )
  if ('const' in schema && typeof schema['const'] === 'string') {
    Object.assign(schema, { type: 'string', enum: [schema['const']] })
    delete schema['const']
  }
  if (schema['contentEncoding'] === 'base64') schema['format'] = 'byte'
  delete schema['contentEncoding']
  exclusive(schema)
  nullable(schema, schemas)
  return besideReference(schema)
}

/** `exclusiveMinimum` is a number in 3.1, and says of `minimum` in 3.0 that it is left out. */
function exclusive(schema: Schema) {
  for (const [above, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof schema[above] === 'number') {
      schema[bound] = schema[above]
      schema[above] = true
    }
}

/** `nullable` adds null to the `type` that stands beside it, and means nothing without one. */
function nullable(schema: Schema, schemas: Schema) {
  const { type } = schema
  if (Array.isArray(type)) {
    schema['type'] = type.find((one) => one !== 'null')
    if (type.includes('null')) schema['nullable'] = true
  }
  for (const word of ['anyOf', 'oneOf']) {
    const variants = schema[word]
    if (!Array.isArray(variants) || !variants.some(isNull)) continue
    const others = variants.filter((one) => !isNull(one)) as Schema[]
    delete schema[word]
    const [only] = others
    if (others.length > 1) schema[word] = withNull(others)
    else if (only && '$ref' in only) {
      const { type } = schemas[String(only['$ref']).split('/').at(-1) ?? ''] as Schema
      Object.assign(schema, { nullable: true, type, allOf: [only] })
    } else Object.assign(schema, { nullable: true, ...only, ...schema })
  }
}

/** One of the variants is null as well: with `oneOf` it may be no more. @throws Error where none has a type of its own. */
function withNull(variants: Schema[]): Schema[] {
  const at = variants.findIndex(({ type }) => typeof type === 'string')
  if (at < 0) throw new Error('OpenAPI 3.0 has no null among references.')
  return variants.map((one, i) => (i === at ? { ...one, nullable: true } : one))
}

/** What stands beside a reference is ignored in 3.0: the reference becomes a part. */
function besideReference(schema: Schema): Schema {
  if (typeof schema['$ref'] !== 'string' || Object.keys(schema).length === 1) return schema
  const { $ref, ...beside } = schema
  return { allOf: [{ $ref }], ...beside }
}

/**
 * What stands beside a reference cannot add null to what it refers to. So a schema is nullable itself if it may be null wherever it is
 * referred to, as all of ours are that may be null at all.
 */
function acceptNull(schemas: Schema, all: string) {
  for (const [name, schema] of Object.entries(schemas)) {
    const reference = `{"$ref":"#/components/schemas/${name}"}`
    const times = (part: string) => all.split(part).length - 1
    const orNull = times(`"nullable":true,"type":"object","allOf":[${reference}]`)
    if (orNull > 0 && orNull === times(reference))
      Object.assign(schema as Schema, { nullable: true })
  }
}

/** The names of the schemas that something refers to, directly or through others. */
function reachable(from: unknown, schemas: Schema): Set<string> {
  const used = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!used.has(name)) {
        used.add(name)
        follow(schemas[name])
      }
  }
  follow(from)
  return used
}
