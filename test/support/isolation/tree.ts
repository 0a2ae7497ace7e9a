// The parser's tree (libpg-query, the grammar of Postgres itself), seen loosely: a node is an object of one member, its kind.

export interface Tree {
  [member: string]: Tree | undefined
}

export const listOf = (tree: Tree | undefined) => (tree ?? []) as unknown as Tree[]
export const textOf = (tree: Tree | undefined) => (tree as unknown as string | undefined) ?? ''
export const numberOf = (tree: Tree | undefined) => (tree as unknown as number | undefined) ?? 0

/** The last name of a qualified one: a function, an operator, a type. */
export const nameOf = (names: Tree | undefined) =>
  textOf(listOf(names).at(-1)?.['String']?.['sval'])

export const isBranch = (value: unknown): value is Tree => typeof value === 'object' && !!value

/** What hangs on a node directly, lists opened. */
export const below = (tree: Tree): Tree[] =>
  Object.values(tree)
    .flatMap((value) => (Array.isArray(value) ? (value as Tree[]) : [value]))
    .filter(isBranch)
