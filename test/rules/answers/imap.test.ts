import { deepEqual } from 'node:assert/strict'
import { meaningOfImap } from '../../../rules/answers/imap.ts'
import { rowsIn } from '../../support/tsv.ts'

describe('what the answer of an IMAP server means', () => {
  const table = new URL('imap.tsv', import.meta.url)
  const rows = rowsIn(table, 'provider', 'verb', 'code', 'words', 'loggedIn', 'concerns', 'cause')
  for (const { provider, verb, code, words, loggedIn, concerns, cause } of rows)
    it(`is told whom it concerns: ${provider}, ${verb}, ${code} ${words}`, () => {
      const answer = { verb, words, loggedIn: loggedIn === 'yes' }
      const found = meaningOfImap({ ...answer, ...(code && { code }) })
      deepEqual(
        [found.concerns, found.concerns === 'account' ? found.cause : ''],
        [concerns, cause],
      )
    })
})
