import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

type Compilable<R> = { compile(): CompiledQuery<R> }

/**
 * A query that is built once for all calls, which costs more than carrying it out where it is asked for with every call.
 * `build` must use each of its parameters once, in their order, and decide nothing by them.
 */
export function compiledOnce<P extends readonly unknown[], R>(
  build: (db: Db, ...params: P) => Compilable<R>,
): (db: Db, ...params: P) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, ...params) => {
    if (!compiled) {
      const built = build(db, ...params).compile()
      const isInOrder = built.parameters.every((value, i) => value === params[i])
      if (!isInOrder || built.parameters.length !== params.length)
        throw new Error(`The parameters are not those of the query: ${built.sql}`)
      compiled = built
    }
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters: params })
    return rows
  }
}

type Values = Record<string, unknown>
/** `shape` says which text of a query is asked for; a query of one text takes none. */
type Built<V extends Values, Shape extends string[], R> = (db: Db, values: V, ...shape: Shape) => R

/**
 * The same for a query whose text may depend on a choice among a few: it is built once for each `shape`. `build` may use a value
 * any number of times and in any order, and decides nothing by them.
 */
export function compiledPerShape<V extends Values, Shape extends string[], R>(
  build: Built<V, Shape, CompiledQuery<R>>,
): Built<V, Shape, Promise<R[]>> {
  const statement = statementPerShape(build)
  return async (db, values, ...shape) => {
    const { rows } = await db.executeQuery<R>(statement(db, values, ...shape))
    return rows
  }
}

/** The same query before it is carried out. */
export function statementPerShape<V extends Values, Shape extends string[], R>(
  build: Built<V, Shape, CompiledQuery<R>>,
): Built<V, Shape, CompiledQuery<R>> {
  type Known = { compiled: CompiledQuery<R>; from: (string | undefined)[] }
  const known = new Map<string | undefined, Known>()
  return (db, values, ...shape) => {
    let query = known.get(shape[0])
    if (!query) {
      // Each value is built in as a mark, by which its places among the parameters are found.
      const names = new Map(Object.keys(values).map((name) => [Symbol(name) as unknown, name]))
      const marks = Object.fromEntries([...names].map(([mark, name]) => [name, mark])) as V
      const compiled = build(db, marks, ...shape)
      query = { compiled, from: compiled.parameters.map((parameter) => names.get(parameter)) }
      known.set(shape[0], query)
    }
    const { compiled, from } = query
    const parameters = from.map((name, i) =>
      name === undefined ? compiled.parameters[i] : values[name],
    )
    return { ...compiled, parameters }
  }
}
