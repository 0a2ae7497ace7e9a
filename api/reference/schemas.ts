import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { inPlainWords, type Schema } from './plain.ts'

// JSON Schema 2020-12 of zod shapes, as clients and client generators read it.

export type { Schema } from './plain.ts'
/** Shapes with an id from `.meta({ id })` are listed once under components/schemas, and referred to. */
export type Components = Record<string, Schema>

/** The schema of a shape; the named schemas inside it are added to `components`. */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      if (io === 'output') describeAnswer(jsonSchema, path)
      dropNoise(jsonSchema)
    },
  })
  const [own, definitions] = JSON.parse(
    JSON.stringify([schema, $defs]).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as [Schema, Components]
  for (const named of [own, ...Object.values(definitions)]) {
    inPlainWords(named, io === 'output')
    const { sentences } = named
    delete named['sentences']
    if (sentences) describeMembers(named, sentences as Sentences, definitions)
  }
  for (const [name, definition] of Object.entries(definitions)) {
    const before = components[name]
    if (before !== undefined && !isDeepStrictEqual(before, definition))
      throw new Error(`Two shapes are named ${name}: ${differences(before, definition)}`)
    components[name] = definition
  }
  return own
}

const differences = (before: Schema, after: Schema) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${key} ${JSON.stringify(before[key])}, ${JSON.stringify(after[key])}`)
    .join('; ')

/** What members mean, by their places: `members.name` is the name of each item of the list `members`. */
type Sentences = Readonly<Record<string, string>>

/** A shape whose parts are shared has its sentences beside it, as `.meta({ sentences })`. */
function describeMembers(
  schema: Schema,
  sentences: Sentences,
  definitions: Components,
  place = '',
) {
  for (const [name, member] of Object.entries(propertiesOf(schema))) {
    const inner = place === '' ? name : `${place}.${name}`
    const sentence = sentences[inner]
    if (sentence !== undefined) member['description'] ??= sentence
    describeMembers(resolved(member, definitions), sentences, definitions, inner)
  }
  for (const variant of [schema['items'], ...((schema['anyOf'] as unknown[] | undefined) ?? [])])
    if (variant)
      describeMembers(resolved(variant as Schema, definitions), sentences, definitions, place)
}

function describeAnswer(schema: Schema, path: (string | number)[]) {
  // Answers gain members over time, and a client that refuses unknown members would break.
  if (schema['additionalProperties'] === false) delete schema['additionalProperties']
  const name = String(path.at(-1))
  const types = [schema['type']].flat()
  if (types.includes('string') && isInstant(name)) schema['format'] = 'date-time'
  // Every count is a whole number; a number that is an alternative to text is a client's own value.
  if (types.includes('number') && path.at(-2) === 'properties' && !types.includes('string'))
    schema['type'] = Array.isArray(schema['type'])
      ? types.map((type) => (type === 'number' ? 'integer' : type))
      : 'integer'
}

const isInstant = (name: string) =>
  /^(?:at|until|due|failingSince|waitingSince)$|At$|Until$/.test(name)

// Parts of a schema that come only from how shapes are checked here: the bounds of a computer's numbers, the pattern
// that a format already implies, the names of a record's members.
function dropNoise(schema: Schema) {
  for (const bound of ['minimum', 'maximum'])
    if (Math.abs(Number(schema[bound])) === Number.MAX_SAFE_INTEGER) delete schema[bound]
  if (schema['format'] === 'date' || schema['format'] === 'date-time') delete schema['pattern']
  const names = schema['propertyNames'] as Schema | undefined
  if (!names?.['pattern']) delete schema['propertyNames']
  // 1, 2 or 3, listed one by one, are the numbers from 1 to 3.
  const ones = (schema['anyOf'] as Schema[] | undefined)?.map((variant) => Number(variant['const']))
  if (ones?.every((value, i) => value === Number(ones[0]) + i)) {
    delete schema['anyOf']
    Object.assign(schema, { type: 'integer', minimum: ones[0], maximum: ones.at(-1) })
  }
  if (schema['type'] === 'integer') delete schema['pattern']
  const values = schema['enum'] as unknown[] | undefined
  if (schema['type'] === 'number' && values?.every(Number.isInteger)) schema['type'] = 'integer'
}

export const propertiesOf = (schema: Schema) =>
  (schema['properties'] ?? {}) as Record<string, Schema>
export const requiredOf = (schema: Schema) => (schema['required'] ?? []) as string[]

/** What a schema refers to, following one reference. */
export const resolved = (schema: Schema, components: Components): Schema =>
  typeof schema['$ref'] === 'string'
    ? (components[schema['$ref'].split('/').at(-1) as string] ?? {})
    : schema
