import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { findByExternalIds, findMerged } from '../../db/people/people.ts'
import { isKeepable } from '../../rules/text.ts'
import { ApiError, type Problem } from '../http/errors.ts'

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
type Place = { holder: Holder; name: string; text: string; pointer: string }
type Part = readonly [shape: z.ZodType | undefined, value: unknown]

/** Replaces each `ext:EXTERNALID` in the parts of a call; one that nobody has stays, and is no id of anybody. */
export async function replaceExternalIds(
  db: Db,
  workspace: string,
  parts: readonly Part[],
): Promise<void> {
  // What Postgres does not accept is nobody's id: it stays, and whatever checks that place refuses it.
  const places = placesIn(parts).filter(({ text }) => text.startsWith(prefix) && isKeepable(text))
  if (places.length === 0) return
  const some = places.slice(0, mostNamed)
  const externalIdOf = ({ text }: Place) => text.slice(prefix.length)
  const ids = await findByExternalIds(db, workspace, some.map(externalIdOf))
  for (const place of some) {
    const id = ids.get(externalIdOf(place))
    if (id !== undefined) place.holder[place.name] = id
  }
}

/**
 * A refusal of a change because it names somebody who is not there becomes a 409 if the card has become part of another one;
 * any other error stays as it is.
 */
export async function mergedOr(
  error: unknown,
  db: Db,
  workspace: string,
  params: Part,
  body: Part,
): Promise<unknown> {
  if (!(error instanceof ApiError)) return error
  const named =
    error.code === 'not_found'
      ? placesIn([params]).map((place) => ({ ...place, where: { parameter: place.name } }))
      : error.errors?.some(({ code }) => code === 'unknown_id')
        ? placesIn([body]).map((place) => ({ ...place, where: { pointer: place.pointer } }))
        : []
  const places = named.slice(0, mostNamed)
  const merged = await findMerged(
    db,
    workspace,
    places.map(({ text }) => text),
  )
  const errors = places.flatMap(({ text, where }): Problem[] => {
    const person = merged.get(text)
    if (person === undefined) return []
    return [{ ...where, ...mergedProblem(person) }]
  })
  const first = places.find(({ text }) => merged.has(text))?.text
  if (first === undefined) return error
  const mergedInto = merged.get(first)
  return new ApiError('merged', `The card ${first} has become part of ${mergedInto}.`, {
    errors,
    members: { mergedInto },
  })
}

/** What is wrong with the place of a card that has become part of another one. */
export const mergedProblem = (person: string) => ({
  code: 'merged',
  message: `has become part of ${person}`,
})

const placesIn = (parts: readonly Part[]): Place[] =>
  parts.flatMap(([shape, value]) =>
    shape ? pathsIn(shape).flatMap((path) => placesAt(value, path)) : [],
  )

/** The places of a value at a path, in which `*` stands for the entries of a list. */
function placesAt(value: unknown, [name = '', ...rest]: readonly string[], above = ''): Place[] {
  if (value === null || typeof value !== 'object') return []
  const holder = value as Holder
  const names = name === '*' ? (Array.isArray(value) ? Object.keys(value) : []) : [name]
  return names.flatMap((name) => {
    if (!Object.hasOwn(holder, name)) return []
    const inner = holder[name]
    const pointer = `${above}/${name}`
    if (rest.length > 0) return placesAt(inner, rest, pointer)
    return typeof inner === 'string' ? [{ holder, name, text: inner, pointer }] : []
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
  // What is asked before a value is read as its shape has no shape itself.
  if (shape instanceof z.ZodPipe)
    return pathsOf((shape.in instanceof z.ZodTransform ? shape.out : shape.in) as z.ZodType)
  if (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodCatch
  )
    return pathsOf(shape.unwrap() as z.ZodType)
  return []
}
