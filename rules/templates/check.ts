import { analyzeSync, type Template, type Variable } from 'liquidjs'
import { mustNot, readSendable } from '../mail/html/letter.ts'
import { parsed, TemplateTrouble, type Trouble } from './engine.ts'
import { type LetterTemplate, type Member, makeUnread, members, type Reached } from './letters.ts'
import type { Mode } from './outputs.ts'
import { isVariable, roots, variableNames } from './variables.ts'

// What a template must not have, found before it is kept.

export type TemplateIssue = { member: Member; code: string; message: string }

/** What is wrong with a template, each with its line; nothing if letters can be made of it. */
export function issuesOf(template: LetterTemplate, reached: Reached = () => {}): TemplateIssue[] {
  const issues = members.flatMap((member) => {
    const source = template[member]
    if (source === null) return []
    reached(member)
    const found = issuesIn(source, member === 'html' ? 'html' : 'plain')
    return found.map((issue) => ({ member, ...issue }))
  })
  if (issues.length > 0) return issues
  const made = makeUnread({ template, values: nobody, named: true }, reached)
  if (made.kind === 'failed') return [{ member: made.member, ...issueOf(made.trouble) }]
  if (made.html === null) return []
  reached('html')
  return readSendable(made.html).findings.map((finding) => {
    return { member: 'html', code: finding.code, message: mustNot(finding) }
  })
}

function issuesIn(source: string, mode: Mode): { code: string; message: string }[] {
  try {
    return unknownIn(parsed(source, mode))
  } catch (error) {
    if (!(error instanceof TemplateTrouble)) throw error
    return [issueOf(error)]
  }
}

const issueOf = ({ code, message, line }: Trouble) => ({
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
