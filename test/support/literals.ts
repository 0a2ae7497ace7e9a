import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The regular expressions in our sources, read from the sources, so that a new one is tested automatically.

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Literal = { file: string; source: string; flags: string }

/** Those in the files at or below some paths of the repository. */
export const literalsIn = (paths: string[]): Literal[] =>
  paths.flatMap(filesOf).flatMap((file) => literalsOf(file, readFileSync(join(root, file), 'utf8')))

const filesOf = (path: string): string[] =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path)).flatMap((name) => filesOf(join(path, name)))
    : path.endsWith('.ts')
      ? [path]
      : []

// A comment, a string (templates are taken for one: no expression of ours stands in one), or an expression. A slash begins one
// where a value may begin.
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=(?:[=(,:!&|?[{};]|=>|return|\n)\s*)\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g

const literalsOf = (file: string, text: string): Literal[] =>
  [...text.matchAll(token)].flatMap(([, source, flags = '']) =>
    source === undefined ? [] : [{ file, source, flags }],
  )
