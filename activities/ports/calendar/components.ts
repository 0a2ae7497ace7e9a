import { foldLines } from 'ical-generator'
import { unfolded } from '../../../rules/calendar/zones.ts'

// An iCalendar text as components within components (RFC 5545, 3.6), so that one of them can be changed and everything else stays as
// another program wrote it.

export type Component = { name: string; lines: string[]; parts: Component[] }

// A calendar has events, and those have alarms.
const deepest = 5

/** The calendar in a text; undefined if there is none. */
export function calendarIn(text: string): Component | undefined {
  const root: Component = { name: '', lines: [], parts: [] }
  const open = [root]
  for (const line of unfolded(text)) {
    const inner = open.at(-1) as Component
    const [, mark = '', given = ''] = /^(BEGIN|END):\s{0,5}([\w-]{1,40})\s{0,5}$/i.exec(line) ?? []
    const name = given.toUpperCase()
    if (/^BEGIN$/i.test(mark) && open.length <= deepest) {
      const part = { name, lines: [], parts: [] }
      inner.parts.push(part)
      open.push(part)
    } else if (mark === '') {
      if (line.trim() !== '') inner.lines.push(line)
    } else if (open.length > 1 && inner.name === name) open.pop()
  }
  return root.parts.find(({ name }) => name === 'VCALENDAR')
}

export const textOf = (component: Component): string =>
  `${foldLines(linesOf(component).join('\r\n'))}\r\n`

const linesOf = ({ name, lines, parts }: Component): string[] => [
  ...[`BEGIN:${name}`, ...lines],
  ...[...parts.flatMap(linesOf), `END:${name}`],
]

/** The name of the property that a line gives. */
export const propertyOf = (line: string): string =>
  (/^[\w-]{1,60}/.exec(line)?.[0] ?? '').toUpperCase()

/** The first line that gives a property. */
export const lineOf = ({ lines }: Component, property: string): string | undefined =>
  lines.find((line) => propertyOf(line) === property)

/** What stands behind the parameters of a line; those in quotation marks may have colons. */
export const contentOf = (line: string): string =>
  /^[\w-]+(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line)?.[1]?.trim() ?? ''

export const partsNamed = ({ parts }: Component, name: string): Component[] =>
  parts.filter((part) => part.name === name)
