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
      compiled = build(db, ...params).compile()
      const isInOrder = compiled.parameters.every((value, i) => value === params[i])
      if (!isInOrder || compiled.parameters.length !== params.length)
        throw new Error(`The parameters are not those of the query: ${compiled.sql}`)
    }
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters: params })
    return rows
  }
}
