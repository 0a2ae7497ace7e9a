import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The guides of docs/, in the order in which they are read. `architecture.md` is for those who change the code, not for those who use it.

const folder = join(import.meta.dirname, '../../../docs')

const readers = {
  'Guides for callers': [
    ...[
      'tour',
      'guarantees',
      'people',
      'segments',
      'letters',
      'inbox',
      'messages',
      'search',
      'tasks',
      'calendar',
    ],
    ...['events', 'erasure', 'sandbox'],
  ],
  'Guides for integrators': [
    'administration',
    'workspace-file',
    'tools-for-agents',
    'command-line',
    'generated-clients',
    'oauth',
    'bridges',
    'finder',
    'model',
  ],
  'Guides for operators': ['deploying', 'operating'],
}

/** Their names, as those of their files. */
export const guideNames: string[] = Object.values(readers).flat()

export type Guide = { name: string; title: string; text: string }

/** Each guide as Markdown, with its title by itself, by those whom it is for. */
export const guideFiles = (): [readers: string, guides: Guide[]][] =>
  Object.entries(readers).map(([whom, names]) => [whom, names.map(readGuide)])

export const guideText = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8')

function readGuide(name: string): Guide {
  const [heading = '', ...lines] = guideText(name).split('\n')
  return { name, title: heading.replace(/^# /, ''), text: lines.join('\n').trim() }
}
