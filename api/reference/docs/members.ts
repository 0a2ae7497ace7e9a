import type { Parameter } from '../components.ts'
import { propertiesOf, requiredOf, type Schema } from '../schemas.ts'
import { escaped, sentence } from './markdown.ts'

// Members and parameters as lists: name, type, whether they are required, their meaning, and the meaning of their
// values.

/** Whether the members belong to a request, where they may be optional, or to an answer, where they are always present. */
type Of = 'request' | 'answer'

export const parameterList = (parameters: Parameter[]): string =>
  list(
    parameters.map(({ name, in: place, required, description, schema }) =>
      item({
        name,
        said: description,
        of: 'request',
        required,
        type: `${typeOf(schema, isTold(description))} in ${place}`,
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
        type: typeOf(inner, isTold(said)),
        bounds: limits(inner),
        inside: insideOf(inner).some((one) => Object.keys(propertiesOf(one)).length > 0)
          ? members(inner, of)
          : '',
      })
    }),
  )

/** Whether each value is explained below the sentence, so that the type need not list them. */
const isTold = (said: string) => said.includes('\n\n- ')

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

/** A type in words, escaped: `string or null`, `object[]`, `"low" | "high"`. */
function typeOf(schema: Schema, told = false): string {
  const values = (schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)) as
    | unknown[]
    | undefined
  if (values && !told) return values.map((value) => escaped(JSON.stringify(value))).join(' | ')
  const variants = alternatives(schema)
  const typesOf = (some: Schema[]) => [...new Set(some.map((one) => typeOf(one, told)))]
  if (variants.length > 1) return typesOf(variants).join(' or ')
  const [only = schema] = variants
  if (only !== schema) return typeOf(only, told)
  if (schema['type'] === 'array') {
    const inner = typeOf(itemsOf(schema), told)
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

// Bounds that only mean "a number that a computer can hold" tell a reader nothing.
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
