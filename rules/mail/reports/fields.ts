import { folded } from './phrases.ts'

// Lines of a name and a value, as programs write them.

const opening = 4_000
const maxLines = 80
const longestLabel = 40
const longestValue = 200

type Field = { label: string; value: string }

/** Whether a label begins with one of the given; a short one has to be it. */
export const isOne = (label: string, all: string[]): boolean =>
  all.some(
    (one) => label === one || ((one.length > 3 || !/^[a-z]/.test(one)) && label.startsWith(one)),
  )

/** The lines of a text that have a name and a value, between them a colon or an equals sign. */
export function fieldsIn(text: string): Field[] {
  return text
    .slice(0, opening)
    .split('\n', maxLines)
    .flatMap((line) => {
      const at = line.search(/[:=：]/)
      if (at < 1 || at > longestLabel) return []
      const label = folded(line.slice(0, at))
        .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
        .trim()
      const value = folded(line.slice(at + 1, at + 1 + longestValue)).trim()
      return label === '' || value === '' ? [] : [{ label, value }]
    })
}
