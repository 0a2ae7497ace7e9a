import { Context, Liquid, type Template } from 'liquidjs'
import { setNewest } from '../newest.ts'
import { keepTime, type Moment, timed } from './dates.ts'
import { type Mode, patched, type Seen, watched } from './outputs.ts'

// Liquid as templates of letters have it: without files, without anything random, and within limits of time and memory. The
// limits of liquidjs are checked at every node and every filter, so a loop over a billion numbers ends like any other template
// that is too long.

/** The most characters of a template, and the most bytes of the letter it makes. */
export const longestTemplate = 65_536
export const longestLetterBytes = 65_536
export const letterMs = 100
/** Characters and list items that the filters and outputs of a letter may make in all. */
const mostMade = 200_000
/** Outputs and tags of one template: parsing and nesting are bounded by it. */
const mostMarks = 2_000

// They read files, print what is no Liquid, keep state between letters, or print HTML.
const foreignTags = ['include', 'render', 'layout', 'block', 'raw', 'tablerow', 'cycle']
// What these print is random, evades the escaping of HTML, or holds expressions that nothing has checked.
const foreignFilters = [
  ...['raw', 'sample', 'where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp'],
  'find_index_exp',
]

export const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: longestTemplate,
  memoryLimit: mostMade,
  renderLimit: letterMs,
  timezoneOffset: 0,
  locale: 'en-US',
  // No name leads to a file.
  templates: {},
})
for (const tag of foreignTags) delete liquid.tags[tag]
for (const filter of foreignFilters) delete liquid.filters[filter]
keepTime(liquid)

/** Why a template cannot be used; the line is its own, from 1. */
export class TemplateTrouble extends Error {
  readonly code: 'syntax' | 'too_much'
  readonly line: number
  /** It does not depend on how busy the machine is. */
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
  if ((source.match(/\{[{%]/g)?.length ?? 0) > mostMarks)
    throw new TemplateTrouble('too_much', `has more than ${mostMarks} tags and outputs`, 1)
  const templates = troubled(() => patched(liquid.parse(source), mode))
  setNewest(kept, key, templates, mostKept)
  return templates
}

type Rendering = {
  scope: object
  seen: Seen
  moment: Moment
  /** What is left of the letter's time. */
  ms: number
}

/** Renders one template of a letter. @throws TemplateTrouble. */
export function rendered(templates: Template[], { scope, seen, moment, ms }: Rendering): string {
  const options = { ...liquid.options, timezoneOffset: moment.zone }
  const limits = { sync: true, renderLimit: ms }
  const context = timed(new Context(scope, options, limits, { liquid }), moment)
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
