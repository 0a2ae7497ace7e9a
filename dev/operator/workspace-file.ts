import { readFileSync } from 'node:fs'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import type { z } from 'zod'
import { type Path, problemsAcross } from '../../api/workspace-file/across.ts'
import { WorkspaceFile } from '../../api/workspace-file/shape.ts'
import { plainIssue, unknownMembers } from '../../rules/plain-issues.ts'

// Reads the file and reports everything that is wrong with it at once, each problem with its line.

export type Problem = { line: number; message: string }

/** A problem as a line of the terminal, with its place in the form that editors and compilers use. */
export const inTerminal = ({ path, line, message }: Problem & { path: string }) =>
  `${path}${line ? `:${line}` : ''}: ${message}`

/** A file that can be applied; `lineOf` answers the line of a value in it. */
export type ReadFile = { file: WorkspaceFile; lineOf: (path: Path) => number; problems: Problem[] }
type Refused = { file?: undefined; problems: Problem[] }

/** `env` holds the values of `${NAME}` and `${NAME:-default}`. */
export function readWorkspaceFile(path: string, env: NodeJS.ProcessEnv): ReadFile | Refused {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { problems: [{ line: 0, message: (error as Error).message }] }
  }
  return parseWorkspaceFile(text, env)
}

export function parseWorkspaceFile(text: string, env: NodeJS.ProcessEnv): ReadFile | Refused {
  const lines = new LineCounter()
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problems: Problem[] = [...doc.errors, ...doc.warnings].map(({ pos, message }) => ({
    line: lines.linePos(pos[0]).line,
    message,
  }))
  if (problems.length > 0) return { problems }

  problems.push(...substitute(doc, env, (offset) => lines.linePos(offset).line))
  const lineOf = (path: Path) => lines.linePos(offsetOf(doc, path)).line
  const raw: unknown = doc.toJS() ?? {}
  const parsed = WorkspaceFile.safeParse(raw, { error: plainIssue })
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => problemsOf(issue, lineOf)))
  // References are checked on the text as written, so that they are reported together with everything else.
  problems.push(
    ...problemsAcross(raw).map(({ path, message }) => ({
      line: lineOf(path),
      message: say(path, message),
    })),
  )
  if (!parsed.success || problems.length > 0) return { problems: inOrder(problems) }
  return { file: parsed.data, lineOf, problems: [] }
}

const inOrder = (problems: Problem[]) => problems.sort((a, b) => a.line - b.line)

const say = (path: PropertyKey[], message: string) => {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return `${place.join('').replace(/^\./, '') || 'the file'} ${message}`
}

function problemsOf(issue: z.core.$ZodIssue, lineOf: (path: Path) => number): Problem[] {
  const path = issue.path as Path
  if (issue.code !== 'unrecognized_keys')
    return [{ line: lineOf(path), message: say(path, issue.message) }]
  const said = unknownMembers(issue)
  return issue.keys.map((key, i) => ({
    line: lineOf([...path, key]),
    // In this file a "member" is a person of the workspace, so the word must not stand for a property.
    message: say([...path, key], (said[i] as string).replace('not a known member', 'unknown here')),
  }))
}

/** The line of a path, or of the innermost part of it that exists. */
function offsetOf(doc: Document.Parsed, path: Path): number {
  let node: unknown = doc.contents
  let offset = doc.contents?.range?.[0] ?? 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(doc)
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => String(isScalar(key) ? key.value : key) === String(step),
      )
      if (!pair) break
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      const range = (node as { range?: [number, number, number] } | undefined)?.range
      if (!range) break
      offset = range[0]
    } else break
  }
  return offset
}

const variable = /\$?\$\{(?:([A-Za-z_]\w*)(:-([^}]*))?\}|[^}]*\}?)/g

/** Replaces variables in texts with values of `env`; `$${` is a plain `${`. An empty variable counts as not set. */
function substitute(doc: Document, env: NodeJS.ProcessEnv, lineAt: (offset: number) => number) {
  const problems: Problem[] = []
  visit(doc, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return
      const line = lineAt(node.range?.[0] ?? 0)
      node.value = node.value.replace(
        variable,
        (whole, name?: string, withDefault?: string, instead?: string) => {
          if (whole.startsWith('$$')) return whole.slice(1)
          const value = name && env[name] ? env[name] : withDefault && (instead ?? '')
          if (value !== undefined) return value
          const message = name
            ? `the environment variable ${name} is not set`
            : `${whole} is neither \${NAME} nor \${NAME:-default}`
          problems.push({ line, message })
          return ''
        },
      )
    },
  })
  return problems
}
