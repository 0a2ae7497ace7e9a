import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '../../../api/reference/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import { type Document, digestOf, shapesOf } from '../../../clients/document.ts'
import { operations } from '../../../clients/typescript/src/generated/operations.ts'
import { codes, createClient } from '../../../clients/typescript/src/index.ts'
import { errorCodes } from '../../../rules/problem.ts'
import { root } from '../../support/documents.ts'

const described = describeApi(routes, { variant: 'full', publicUrl: 'http://127.0.0.1:8080' })
const document = JSON.parse(JSON.stringify(described)) as Document
const generated = join(root, 'clients/typescript/src/generated/schemas.ts')

describe('what @postroom/client is made from', () => {
  it('is the document of this tree: npm run clients -- typescript --only generate', () => {
    const digest = digestOf(document, (text) => createHash('sha256').update(text).digest('hex'))
    const [, of] = /^\/\/ Of the document (\w+)\.$/m.exec(readFileSync(generated, 'utf8')) ?? []
    equal(of, digest)
  })

  it('names every operation, and none as the client names its own', () => {
    const client = createClient({ url: 'http://127.0.0.1:8080/api/v1', token: 'prm_1' })
    const names = shapesOf(document).operations.map(({ id }) => id)
    deepEqual(Object.keys(operations), names)
    const own = ['keys', 'wait', 'followEvents', 'streamEvents']
    deepEqual(Object.keys(client).sort(), [...names, ...own].sort())
    equal(names.length, routes.length - 1)
  })

  it('finds the entries of every list', () => {
    for (const { method, answer, query, items, id } of shapesOf(document).operations)
      if (method === 'GET' && query && 'cursor' in (shapes[query.name]?.properties ?? {}))
        ok(items && items in (shapes[answer.name]?.properties ?? {}), id)
  })
  const shapes = shapesOf(document).schemas

  it('knows every code of a refusal', () => {
    deepEqual([...codes].sort(), [...errorCodes].sort())
  })
})
