import { aliases, emptyLists, lists, prefixes, records, samples, things } from './samples.ts'
import { type Components, propertiesOf, resolved, type Schema } from './schemas.ts'

// Examples derived from schemas, by the format, the bounds and the name of a member, so that they are valid and read
// like a day at work. Where members exclude each other, the route gives its own example (`example` of the route).

/** Where a value is in a document: the name of its member, and the things around it. */
type Place = { name: string; of: string }

/** An example of a schema; `of` is the thing it shows, taken from the path: people, segments. */
export function exampleOf(schema: Schema, of: string, components: Components): unknown {
  return sampleOf(schema, { name: '', of }, components)
}

function sampleOf(given: Schema, place: Place, components: Components): unknown {
  const schema = resolved(given, components)
  if ('const' in schema) return schema['const']
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (variants)
    return sampleOf(variants.find(({ type }) => type !== 'null') ?? {}, place, components)
  const [type = 'any'] = [schema['type']].flat().filter((one) => one !== 'null')
  if (type === 'object') return objectOf(schema, place, components)
  if (type === 'array') return listOf(schema, place, components)
  const values = schema['enum'] as unknown[] | undefined
  const said = samples[`${place.of}.${place.name}`] ?? samples[place.name]
  if (values) return values.includes(said) ? said : values[0]
  if (type === 'boolean') return !(place.name in samples) || samples[place.name] === true
  if (type === 'integer' || type === 'number') return numberOf(schema, said)
  return type === 'string' ? textOf(schema, place, said) : null
}

const spokenOf = new Set(Object.keys(samples).map((name) => name.split('.')[0]))

function objectOf(schema: Schema, { name, of }: Place, components: Components) {
  // If a member is named after a thing, its value is an id of that thing.
  const about = things[name] ?? (name in prefixes || spokenOf.has(name) ? name : of)
  const members = Object.entries(propertiesOf(schema)).filter(
    ([member]) => !aliases.has(`${about}.${member}`),
  )
  if (members.length > 0)
    return Object.fromEntries(
      members.map(([member, inner]) => [
        member,
        sampleOf(inner, { name: member, of: about }, components),
      ]),
    )
  return records[name] ?? {}
}

function listOf(schema: Schema, { name, of }: Place, components: Components): unknown[] {
  const items = (schema['items'] ?? {}) as Schema
  if (name === 'write' || name === 'agree') return [1, 2]
  if (emptyLists.has(name)) return []
  const one = items['type'] === 'string' && !items['format'] ? elementOf(name, of) : name
  return [sampleOf(items, { name: one, of }, components)]
}

const elementOf = (name: string, of: string) =>
  lists[`${of}.${name}`] ?? lists[name] ?? name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')

function numberOf(schema: Schema, said: unknown): number {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as Record<string, number>
  const value = typeof said === 'number' ? said : 3
  return Math.min(Math.max(value, minimum), maximum)
}

const now = '2026-11-23T09:00:00.000Z'
const later = '2026-11-24T08:30:00.000Z'
/** What a caller gives: it has to lie ahead whenever the example is tried. */
const ahead = '2030-11-26T08:30:00.000Z'

function textOf(schema: Schema, { name, of }: Place, said: unknown): string {
  if (schema['format'] === 'date-time')
    return /snoozeUntil|sendAt|^due/.test(name)
      ? ahead
      : /Until$|nextAt|^until|endsAt/.test(name)
        ? later
        : now
  if (schema['format'] === 'date') return '2026-11-24'
  if (schema['format'] === 'uri') return 'https://example.test/'
  if (name === 'id') return `${prefixes[things[of] ?? of] ?? 'id'}_01m5q8y2k7cv3`
  if (typeof said === 'string') return said
  const thing = things[name] ?? name
  return prefixes[thing] ? `${prefixes[thing]}_01m5q8y2k7cv3` : name || 'text'
}
