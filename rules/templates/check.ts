import { analyzeSync, type Template, type Variable } from 'liquidjs'
import { readLetterHtml } from '../letter-html.ts'
import { parsed, TemplateTrouble } from './engine.ts'
import { type LetterTemplate, makeLetter } from './letters.ts'
import type { Mode } from './outputs.ts'
import { isVariable, roots, variableNames } from './variables.ts'

// What a template must not have, found before it is kept.

export type TemplateIssue = { member: keyof LetterTemplate; code: string; message: string }

/** What is wrong with a template, each with its line; nothing if letters can be made of it. */
export function issuesOf(template: LetterTemplate): TemplateIssue[] {
  const issues = (['subject', 'text', 'html'] as const).flatMap((member) =>
    template[member] === null
      ? []
      : issuesIn(template[member], member === 'html' ? 'html' : 'plain').map((issue) => ({
          member,
          ...issue,
        })),
  )
  if (issues.length > 0) return issues
  const made = makeLetter(template, nobody, true)
  if (made.kind === 'failed') return [{ member: made.member, ...issueOf(made.trouble) }]
  return findingsIn(made.html).map((finding) => ({ member: 'html', ...finding }))
}

/** What the HTML of a letter must not have. Letters from templates are short, so that it is found in no time. */
export const findingsIn = (html: string | null) =>
  html === null ? [] : readLetterHtml(html).findings

function issuesIn(source: string, mode: Mode): { code: string; message: string }[] {
  try {
    return unknownIn(parsed(source, mode))
  } catch (error) {
    if (!(error instanceof TemplateTrouble)) throw error
    return [issueOf(error)]
  }
}

const issueOf = ({ code, message, line }: TemplateTrouble) => ({
  code: code === 'syntax' ? 'template_syntax' : 'template_too_much',
  message: `line ${line}: ${message}`,
})

const mostIssues = 20

function unknownIn(templates: Template[]) {
  const { globals, locals } = analyzeSync(templates, { partials: false })
  const unknown = Object.values(globals)
    .flat()
    .filter((variable) => !isVariable(variable.segments))
    .map(({ segments, location }) => ({
      code: 'unknown_variable',
      message: `line ${location.row}: ${pathOf(segments)} is no variable; there are ${variableNames.join(', ')}`,
    }))
  const taken = Object.values(locals)
    .flat()
    .filter(({ segments: [name] }) => Object.hasOwn(roots, String(name)))
    .map(({ segments, location }) => ({
      code: 'unknown_variable',
      message: `line ${location.row}: ${pathOf(segments)} is a variable of the letter and cannot be assigned`,
    }))
  return [...unknown, ...taken].slice(0, mostIssues)
}

const pathOf = (segments: Variable['segments']) =>
  segments.map((part) => (typeof part === 'object' ? `[${part}]` : part)).join('.')

const nobody = {
  ...{ person: null, agent: null, member: null, company: null, product: null, goal: '' },
  moment: { now: new Date(0), zone: 'UTC' },
}
