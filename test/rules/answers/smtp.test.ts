import { deepEqual } from 'node:assert/strict'
import { meaningOfSmtp, type Stage } from '../../../rules/answers/smtp.ts'
import { rowsIn } from '../../support/tsv.ts'

describe('what the answer of a mail server means', () => {
  const table = new URL('smtp.tsv', import.meta.url)
  const rows = rowsIn(table, 'provider', 'stage', 'code', 'enhanced', 'words', 'concerns', 'cause')
  for (const { provider, stage, code, enhanced, words, concerns, cause } of rows)
    it(`is told whom it concerns: ${provider}, ${stage}, ${words.split('\n')[0]}`, () => {
      const answer = { stage: stage as Stage, code: Number(code), words }
      const found = meaningOfSmtp({ ...answer, ...(enhanced && { enhanced }) })
      deepEqual(
        [found.concerns, found.concerns === 'account' ? found.cause : ''],
        [concerns, cause],
      )
    })

  it('is the same without the enhanced code and for now instead of for good, where words say a quota', () => {
    for (const [code, enhanced] of [
      [452, undefined],
      [552, '5.2.2'],
      [421, '4.7.0'],
    ] as const) {
      const words = `${code} Daily sending limit of your account exceeded`
      const found = meaningOfSmtp({ stage: 'rcpt', code, enhanced, words })
      deepEqual(found, { concerns: 'account', cause: 'smtp_quota', until: 'day' })
    }
  })

  it('does not follow from the name of the server', () => {
    const words = '550 <kim@client.example> unknown at out.send-limit-exceeded.example'
    const host = 'out.send-limit-exceeded.example'
    deepEqual(meaningOfSmtp({ stage: 'rcpt', code: 550, words, host }).concerns, 'recipient')
  })
})
