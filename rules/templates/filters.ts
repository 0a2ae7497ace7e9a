import type { Context, Liquid } from 'liquidjs'
import { madeSoFar } from './limits.ts'

// The filters that templates of letters have. liquidjs asks for the time between nodes alone, and most of its filters count what
// they are given, some nothing: here each of them asks for the time before it begins, and counts what it has made.

/** An output with more of them costs more than it could ever say. */
export const mostFilters = 20

// What these print is random, evades the escaping of HTML, or holds expressions that nothing has checked.
const foreignFilters = [
  ...['raw', 'sample', 'where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp'],
  'find_index_exp',
]

type This = { context: Context }
type Work = (this: This, ...given: unknown[]) => unknown

/** Leaves out the filters that letters must not have, and watches over the others. */
export function watchFilters(liquid: Liquid): void {
  for (const filter of foreignFilters) delete liquid.filters[filter]
  for (const [name, filter] of Object.entries(liquid.filters)) {
    const work = filter as Work
    liquid.registerFilter(name, function* (this: This, ...given: unknown[]): Generator<unknown> {
      const { context } = this
      context.renderLimit.check(0)
      const before = madeSoFar(context)
      const made = yield work.apply(this, given)
      context.memoryLimit.use(sizeOf(made) - (madeSoFar(context) - before))
      return made
    })
  }
}

// A list in which lists stand that hold it in turn has few items and a text without end.
const sizes = new WeakMap<unknown[], number>()

/** The characters and items of a value, those of the lists within it too. */
function sizeOf(made: unknown): number {
  if (typeof made === 'string') return made.length
  if (!Array.isArray(made)) return 1
  const known = sizes.get(made)
  if (known !== undefined) return known
  const size = made.reduce((sum: number, item) => sum + sizeOf(item), made.length)
  sizes.set(made, size)
  return size
}
