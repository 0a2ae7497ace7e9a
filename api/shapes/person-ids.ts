import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { findByExternalIds } from '../../db/people/people.ts'

// Wherever a call takes the id of a person, it takes `ext:` and the id of the caller's own system too. Shapes mark these places with
// `personId`, and they are replaced in one place, serve.ts, before anything is checked: handlers and rules see ids alone.

const marked = z.registry<{ person: true }>()

/** Marks a shape of a text: it is, or may be, the id of a person. */
export const personId = (shape: z.ZodString): z.ZodString =>
  shape.register(marked, { person: true })

export const PersonId = personId(z.string().min(1).max(255))
/** The path of one person. */
export const PersonParams = z.object({ id: PersonId })

const prefix = 'ext:'
/** More than a call may name. */
const mostNamed = 5000

type Holder = Record<string, unknown>
type Place = { holder: Holder; name: string; externalId: string }

/** Replaces each `ext:EXTERNALID` in the parts of a call; one that nobody has stays, and is no id of anybody. */
export async function replaceExternalIds(
  db: Db,
  workspace: string,
  parts: readonly (readonly [shape: z.ZodType | undefined, value: unknown])[],
): Promise<void> {
  const places = parts.flatMap(([shape, value]) =>
    shape ? pathsIn(shape).flatMap((path) => placesAt(value, path)) : [],
  )
  if (places.length === 0) return
  const some = places.slice(0, mostNamed)
  const ids = await findByExternalIds(
    db,
    workspace,
    some.map(({ externalId }) => externalId),
  )
  for (const { holder, name, externalId } of some) {
    const id = ids.get(externalId)
    if (id !== undefined) holder[name] = id
  }
}

/** The places of a value at a path, in which `*` stands for the entries of a list. */
function placesAt(value: unknown, [name = '', ...rest]: readonly string[]): Place[] {
  if (value === null || typeof value !== 'object') return []
  const holder = value as Holder
  const names = name === '*' ? (Array.isArray(value) ? Object.keys(value) : []) : [name]
  return names.flatMap((name) => {
    if (!Object.hasOwn(holder, name)) return []
    const inner = holder[name]
    if (rest.length > 0) return placesAt(inner, rest)
    return typeof inner === 'string' && inner.startsWith(prefix)
      ? [{ holder, name, externalId: inner.slice(prefix.length) }]
      : []
  })
}

const known = new WeakMap<z.ZodType, string[][]>()

/** The paths of a shape at which ids of people stand. */
function pathsIn(shape: z.ZodType): string[][] {
  const paths = known.get(shape) ?? pathsOf(shape)
  known.set(shape, paths)
  return paths
}

function pathsOf(shape: z.ZodType): string[][] {
  if (marked.get(shape)) return [[]]
  if (shape instanceof z.ZodObject)
    return Object.entries<z.ZodType>(shape.shape).flatMap(([name, inner]) =>
      pathsOf(inner).map((path) => [name, ...path]),
    )
  if (shape instanceof z.ZodArray)
    return pathsOf(shape.element as z.ZodType).map((path) => ['*', ...path])
  if (shape instanceof z.ZodPipe) return pathsOf(shape.in as z.ZodType)
  if (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodCatch
  )
    return pathsOf(shape.unwrap() as z.ZodType)
  return []
}
