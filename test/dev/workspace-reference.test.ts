import { deepEqual, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { WorkspaceFile } from '../../api/workspace-file/shape.ts'

describe('the reference of the workspace file', () => {
  it('has every member that the file may have', () => {
    const text = readFileSync('docs/workspace-file.md', 'utf8')
    const told = new Set(text.match(/`[^`\n]+`/g)?.flatMap((code) => code.match(/\w+/g) ?? []))
    const heads = new Set(text.match(/^## .+$/gm)?.flatMap((head) => head.match(/\w+/g) ?? []))
    const names = membersOf(z.toJSONSchema(WorkspaceFile, { io: 'input', unrepresentable: 'any' }))
    ok(names.size > 80, `${names.size} members are known`)
    deepEqual(
      [...names].filter((name) => !told.has(name) && !heads.has(name)),
      [],
    )
  })
})

function membersOf(schema: unknown, names = new Set<string>()): Set<string> {
  if (schema === null || typeof schema !== 'object') return names
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(inner)) names.add(name)
    membersOf(inner, names)
  }
  return names
}
