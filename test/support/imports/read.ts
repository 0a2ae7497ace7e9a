import { posix } from 'node:path'

// What a file imports, read from its text. The formatter puts each import at the beginning of a line.

/** `target` is a path from the root of the repository, or a package. `types`: nothing of it is left when the code runs. */
export type Import = { from: string; target: string; types: boolean }

const statement = /^(?:import|export)(?:(\s+type)?\s+[\w\s{},*$]+?\sfrom)?\s*(['"])([^'"\n]+)\2/gm
// In a type, as `typeof import('./a.ts')` or `import('./a.ts').Name`, nothing is left of it either.
const call = /(typeof\s+)?\bimport\(\s*(['"`])([^'"`]+)\2\s*,?[^)]*\)(\.(?!then|catch|finally)\w)?/g
const comment = /^\s*(?:\/\/|\/?\*).*$/gm

export function importsIn(from: string, text: string): Import[] {
  const code = text.replace(comment, '')
  const statements = [...code.matchAll(statement)].map(([, type, , name = '']) => ({
    name,
    types: type !== undefined,
  }))
  const calls = [...code.matchAll(call)].map(([, type, , name = '', member]) => ({
    name,
    types: type !== undefined || member !== undefined,
  }))
  return [...statements, ...calls].map(({ name, types }) => ({
    from,
    target: name.startsWith('.') ? posix.join(posix.dirname(from), name) : name,
    types,
  }))
}
