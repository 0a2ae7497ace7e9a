import { deepEqual, ok } from 'node:assert/strict'
import type { Files } from '../support/imports/judge.ts'
import { sources } from '../support/sources.ts'

const statement = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\b/g

/** Where a statement is built outside the floor of the database; tests look into tables themselves. */
const straysIn = (files: Files) =>
  Object.entries(files)
    .filter(([path]) => !/^(?:db|test)\//.test(path))
    .flatMap(([path, text]) => [...text.matchAll(statement)].map(([word]) => `${path}: ${word}`))

describe('Statements', () => {
  it('are built in db alone', () => {
    const files = sources()
    ok(Object.keys(files).length > 500)
    deepEqual(straysIn(files), [])
  })

  for (const word of ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])
    it(`are found by ${word} anywhere else`, () => {
      const text = `const rows = await trx\n  .${word}('agents')\n  .execute()\n`
      const places = ['activities/campaigns/new.ts', 'api/new.ts', 'dev/operator/new.ts']
      const files = ['db/people/new.ts', 'test/api/new.ts', ...places].map((path) => [path, text])
      deepEqual(
        straysIn(Object.fromEntries(files)),
        places.map((path) => `${path}: .${word}`),
      )
    })
})
