import { readdirSync, readFileSync } from 'node:fs'
import type { Files } from './imports/judge.ts'

const root = new URL('../../', import.meta.url)

/** Every TypeScript file of the repository. */
export function sources(): Files {
  const paths = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules$|\.(?!ci$))/.test(entry.name))
    .flatMap(({ name }) =>
      readdirSync(new URL(`${name}/`, root), { recursive: true }).map((path) => `${name}/${path}`),
    )
    .concat(readdirSync(root))
    .filter((path) => path.endsWith('.ts') && !/\/(?:node_modules|dist)\//.test(path))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}
