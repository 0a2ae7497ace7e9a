import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../dev/stack/services.ts'

// The statements of the service that tests have seen on this machine, one a file: `npm run bench -- size` reads their plans again, on
// many rows.

const folder = join(root, 'node_modules/.cache/postroom-tests/statements')

export function keepStatement(statement: string) {
  mkdirSync(folder, { recursive: true })
  const name = createHash('sha256').update(statement).digest('hex').slice(0, 32)
  writeFileSync(join(folder, `${name}.sql`), statement)
}

export function keptStatements(): string[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}
