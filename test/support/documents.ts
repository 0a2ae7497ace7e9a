import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The documents that people read, as text.

export const root = join(import.meta.dirname, '../..')

/** Paths from the folder of the project. */
export const documents = (): string[] => {
  const isDocument = (name: string) => name.endsWith('.md')
  const papers = readdirSync(root).filter(isDocument)
  const docs = readdirSync(join(root, 'docs')).filter(isDocument)
  return [...papers, ...docs.map((name) => `docs/${name}`)].sort()
}

export const textOf = (document: string): string => readFileSync(join(root, document), 'utf8')

export type Fence = { language: string; text: string; line: number }

/** The fenced blocks of a document, in its order; `line` is that of the first line within the fence. */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = []
  let open: Fence | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const language = /^```(.*)$/.exec(line)?.[1]
    if (open && language === '') {
      fences.push(open)
      open = undefined
    } else if (open) open.text += `${line}\n`
    else if (language !== undefined) open = { language, text: '', line: index + 2 }
  }
  return fences
}

/** The blocks of a language (by default TypeScript) of a document, as one program. */
export const programIn = (document: string, of = 'ts'): string =>
  fencesOf(textOf(document))
    .filter(({ language }) => language === of)
    .map(({ text }) => text)
    .join('\n')
