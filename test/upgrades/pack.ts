import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

// Packs what runs a release: dev/run test/upgrades/pack.ts COMMIT VERSION
// The file is kept in the repository, because a clone may not have the commit. Only what api, worker and the operator's
// commands need is packed; node_modules is the one of today.

const [commit = '', version = ''] = process.argv.slice(2)
const parts = [
  'activities',
  'api',
  'db',
  'dev',
  'oauth',
  'package.json',
  'process',
  'rules',
  'temporal-dev.yml',
  'workflows',
]
const left = /^dev\/(demo|demo\.yml|prospects\.csv|up\.ts|run$)/

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 })
const paths = git('ls-tree', '-r', '--name-only', commit, '--', ...parts)
  .split('\n')
  .filter((path) => path && !left.test(path))
const files = Object.fromEntries(paths.map((path) => [path, git('show', `${commit}:${path}`)]))
const text = Buffer.from(JSON.stringify(files))
const packed = brotliCompressSync(text, {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
})
writeFileSync(join(import.meta.dirname, `${version}.json.br`), packed)
console.error(`${paths.length} files, ${packed.length} bytes`)
