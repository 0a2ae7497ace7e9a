import type { Context } from 'koa'
import { z } from 'zod'
import { ApiError } from './http/errors.ts'
import type { Route } from './route.ts'

/** The parameters as they are meant: each is given once, unless it is a list, and `field[NAME]` is `field.NAME`, as
 * is `field[field.NAME]`, which some generated clients make of it. */
export function queryIn(ctx: Context, route: Route): URLSearchParams {
  const written = new URLSearchParams(ctx.querystring)
  const query = hasFields(route)
    ? new URLSearchParams(
        [...written].map(([name, value]): [string, string] => [fieldNameIn(name), value]),
      )
    : written
  const lists = listsOf(route)
  const repeated = [...new Set(query.keys())].filter(
    (name) => query.getAll(name).length > 1 && !lists.includes(name),
  )
  if (repeated.length > 0)
    throw new ApiError('invalid_query', `${repeated[0]}: is given more than once`, {
      errors: repeated.map((parameter) => ({
        parameter,
        code: 'repeated',
        message: 'is given more than once',
      })),
    })
  return query
}

const hasFields = ({ query: shape }: Pick<Route, 'query'>) =>
  shape instanceof z.ZodObject && 'field' in shape.shape
const fieldNameIn = (name: string) => name.replace(/^field\[(?:field\.)?(.*)\]$/s, 'field.$1')

/** The parameters that may be given several times. */
export const listsOf = ({ query: shape }: Pick<Route, 'query'>): string[] =>
  shape instanceof z.ZodObject
    ? Object.entries(shape.shape)
        .filter(([, of]) => of instanceof z.ZodOptional && of.unwrap() instanceof z.ZodArray)
        .map(([name]) => name)
    : []

/** The parameters by name; those of a shape with `field`, such as `field.NAME`, together under it by their whole names. */
export function membersOf(route: Pick<Route, 'query'>, query: URLSearchParams) {
  const lists = listsOf(route).filter((name) => query.has(name))
  const listed = Object.fromEntries(lists.map((name) => [name, query.getAll(name)]))
  if (!hasFields(route)) return { ...Object.fromEntries(query), ...listed }
  const isField = ([name]: [string, string]) => name === 'field' || name.startsWith('field.')
  const fields = [...query].filter(isField)
  const others = [...query].filter((one) => !isField(one))
  return {
    ...Object.fromEntries(others),
    ...(fields.length > 0 && { field: Object.fromEntries(fields) }),
  }
}
