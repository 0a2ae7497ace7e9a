import { deepEqual } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { documents, fencesOf, root, textOf } from '../support/documents.ts'

// What documents name exists: npm scripts, links and their headings, files.

const scripts = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>,
)

/** Of `npm run -s token -- list` it is `token`; of `npm test` it is `test`. */
const scriptsIn = (text: string): string[] => [
  ...[...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
]

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** The anchor that a heading has on GitHub. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsOf = (document: string) =>
  [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

const floors = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|coverage$)/.test(entry.name))
  .map(({ name }) => name)

/** Paths of the project between backticks, of files and folders. A folder alone ends with a slash. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w-]+\/[\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => floors.includes(path.split('/')[0] as string))

const isThere = (path: string) => existsSync(join(root, path))

for (const document of documents())
  describe(document, () => {
    const text = textOf(document)

    it('names npm scripts that package.json has', () => {
      deepEqual(
        scriptsIn(text).filter((name) => !scripts.includes(name)),
        [],
      )
    })

    it('links to documents and headings that exist', () => {
      const broken = linksIn(text).filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? document : normalize(join(dirname(document), path))
        if (!isThere(target)) return true
        return anchor !== undefined && !anchorsOf(target).includes(anchor)
      })
      deepEqual(broken, [])
    })

    it('names contents of files that those files have', () => {
      const named = [...text.matchAll(/`(\w+)` in `([\w/-]+\.\w+)`/g)]
      const lost = named.filter(([, name = '', path = '']) => !textOf(path).includes(name))
      deepEqual(
        lost.map(([words]) => words),
        [],
      )
    })

    // The changelog describes what existed once.
    if (document !== 'CHANGELOG.md')
      it('names files and folders that exist', () => {
        deepEqual(
          pathsIn(text).filter((path) => !isThere(path)),
          [],
        )
      })
  })

/** The files and folders of the annotated tree: a line is their names, at least two spaces, and what they are. */
function treeIn(text: string): string[] {
  const tree = fencesOf(text).find(({ text }) => text.startsWith('api/'))?.text ?? ''
  // The first name of each depth.
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const depth = Math.max(0, line.search(/\S/) / 2)
    const [names = ''] = line.trim().split(/ {2,}/)
    const paths = names.split(' ').filter((name) => name !== '' && !name.includes('<'))
    above.splice(depth, above.length, paths[0] ?? '')
    return paths.map((name) => join(...above.slice(0, depth), name))
  })
}

describe('the tree of docs/architecture.md', () => {
  it('shows files and folders that exist, and every folder of the project', () => {
    const paths = treeIn(textOf('docs/architecture.md'))
    deepEqual(
      paths.filter((path) => !isThere(path)),
      [],
    )
    deepEqual(
      floors.filter((name) => !paths.includes(`${name}/`)),
      [],
    )
  })
})

describe('the documents', () => {
  it('name every npm script', () => {
    const named = new Set(documents().flatMap((document) => scriptsIn(textOf(document))))
    deepEqual(
      scripts.filter((name) => !named.has(name)),
      [],
    )
  })
})
