import { Context, Liquid, type Template, Value } from 'liquidjs'
import { setNewest } from '../newest.ts'
import { keepTime, type Moment, timed } from './dates.ts'
import { mostFilters, watchFilters } from './filters.ts'
import { letterMs, limited, type Time } from './limits.ts'
import { childrenOf, type Mode, patched, type Seen, watched } from './outputs.ts'
import { countLinesOnce } from './positions.ts'

// Liquid as templates of letters have it: without files, without anything random, and within limits of time and memory, which are
// checked at every node and every filter. So a loop over a billion numbers ends like any other template that is too long. What one
// filter does is bounded by what there is to work on; still, letters are made in a child process (process/children/letters.ts).

/** The most characters of a template, and the most bytes of the letter it makes. */
export const longestTemplate = 65_536
export const longestLetterBytes = 65_536
/** Outputs and tags of one template: parsing and nesting are bounded by it. */
const mostMarks = 2_000

// They read files, print what is no Liquid, keep state between letters, or print HTML.
const foreignTags = ['include', 'render', 'layout', 'block', 'raw', 'tablerow', 'cycle']

export const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: longestTemplate,
  timezoneOffset: 0,
  locale: 'en-US',
  // No name leads to a file.
  templates: {},
})
for (const tag of foreignTags) delete liquid.tags[tag]
countLinesOnce()
keepTime(liquid)
watchFilters(liquid)

/** Why a template cannot be used; the line is its own, from 1. `isSure`: it does not depend on how long something took. */
export type Trouble = {
  code: 'syntax' | 'too_much'
  message: string
  line: number
  isSure: boolean
}

export class TemplateTrouble extends Error implements Trouble {
  readonly code: 'syntax' | 'too_much'
  readonly line: number
  readonly isSure: boolean
  constructor(code: 'syntax' | 'too_much', message: string, line: number, isSure = true) {
    super(message)
    this.code = code
    this.line = line
    this.isSure = isSure
  }
}

const kept = new Map<string, Template[]>()
const mostKept = 100

/** A template that is ready to be rendered. @throws TemplateTrouble. */
export function parsed(source: string, mode: Mode): Template[] {
  const key = `${mode} ${source}`
  const known = kept.get(key)
  if (known) return known
  if (marksIn(source) > mostMarks)
    throw new TemplateTrouble('too_much', `has more than ${mostMarks} tags and outputs`, 1)
  const templates = troubled(() => patched(liquid.parse(source), mode))
  requireFewFilters(templates)
  setNewest(kept, key, templates, mostKept)
  return templates
}

/** Each line of a `liquid` tag may be a tag; where there is one, all lines count. */
function marksIn(source: string): number {
  const lines = /\{%-?\s*liquid\b/.test(source) ? source.split('\n').length : 0
  return (source.match(/\{[{%]/g)?.length ?? 0) + lines
}

function requireFewFilters(templates: Template[]) {
  for (const template of templates) {
    for (const value of template.arguments?.() ?? [])
      if (value instanceof Value && value.filters.length > mostFilters)
        throw new TemplateTrouble(
          'too_much',
          `has more than ${mostFilters} filters in a row`,
          template.token.getPosition()[0] ?? 1,
        )
    requireFewFilters(childrenOf(template))
  }
}

type Rendering = {
  scope: object
  seen: Seen
  moment: Moment
  /** The letter's time. */
  time: Time
}

/** Renders one template of a letter. @throws TemplateTrouble. */
export function rendered(templates: Template[], { scope, seen, moment, time }: Rendering): string {
  const options = { ...liquid.options, timezoneOffset: moment.zone }
  const context = new Context(scope, options, { sync: true }, { liquid })
  limited(timed(context, moment), time)
  return troubled(() =>
    String(liquid.renderSync(templates, watched(context, seen) as unknown as object) ?? ''),
  )
}

function troubled<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateTrouble || !(error instanceof Error)) throw error
    const [, said = error.message, line = '1'] =
      /^([\s\S]*?)(?:, file:.*)?, line:(\d+), col:\d+/.exec(error.message) ?? []
    if (/limit exceeded/.test(said))
      throw new TemplateTrouble(
        'too_much',
        `takes more than ${letterMs} ms or makes too much text`,
        Number(line),
        !said.startsWith('template render'),
      )
    if (/call stack/i.test(said))
      throw new TemplateTrouble('too_much', 'is nested too deeply', Number(line))
    throw new TemplateTrouble('syntax', said.slice(0, 300), Number(line))
  }
}
