import { issuesOf, type TemplateIssue } from '../../rules/templates/check.ts'
import {
  type Ask,
  type Asks,
  type LetterTemplate,
  type Made,
  type Member,
  makeExample,
  makeLetter,
  members,
} from '../../rules/templates/letters.ts'
import { serve } from './serve.ts'

// The process that makes letters from templates. The parts of its jobs are the members of the templates, one after the other.

export type Issue = TemplateIssue & { template: number }

type Reached = (part: number) => void
const partOf = (template: number, member: Member) =>
  template * members.length + members.indexOf(member)

serve({
  check({ templates }: { templates: LetterTemplate[] }, _bytes, reached: Reached): Issue[] {
    const all: Issue[] = []
    for (const [at, template] of templates.entries()) {
      const issues = issuesOf(template, (member) => reached(partOf(at, member)))
      all.push(...issues.map((issue) => ({ template: at, ...issue })))
      // One that takes its time is enough for a call.
      if (issues.some(({ code }) => code === 'template_too_much')) break
    }
    return all
  },
  letter: (ask: Ask, _bytes, reached: Reached): Made =>
    makeLetter(ask, (member) => reached(partOf(0, member))),
  example: ({ asks }: { asks: Asks }, _bytes, reached: Reached): Made =>
    makeExample(asks, (member) => reached(partOf(0, member))),
})
