import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { decodeBase64 } from '../../../api/http/base64.ts'
import { Base64 } from '../../../api/shapes/file.ts'
import { timeOf } from '../../support/growth.ts'

describe('the content of a file in base64', () => {
  const inLines = (text: string, end: string) => text.replace(/.{76}/g, `$&${end}`)
  const decoded = (content: string) => {
    const body = { content }
    decodeBase64(body, [['content']])
    return Base64.safeParse(body.content).data
  }

  it('is read with and without line breaks and blanks, of any length', () => {
    for (const size of [0, 1, 2, 3, 55, 56, 57, 58, 114, 1000]) {
      const bytes = randomBytes(size)
      const text = bytes.toString('base64')
      for (const form of [
        text,
        inLines(text, '\n'),
        inLines(text, '\r\n'),
        `${inLines(text, '\r\n')}\r\n\n`,
        inLines(text, '\r'),
        inLines(text, '\n \t'),
        text.replace(/=+$/, ''),
        [...text].join('\n'),
      ])
        deepEqual(decoded(form), bytes, JSON.stringify(form))
    }
  })

  it('is refused if it is anything else', () => {
    for (const text of [
      'A',
      'AA=A',
      'AAA*',
      'AA\n*\nAA',
      'AA-_',
      'AAAAA',
      'AAAA\u00a0',
      'é',
      '=',
      '==',
      'YQ=',
    ])
      equal(decoded(text), undefined, text)
  })

  it('takes little longer in lines than without, so that nobody else waits for it', () => {
    const text = randomBytes(8 * 1024 * 1024).toString('base64')
    const broken = inLines(text, '\r\n')
    // Compared within one round, so that a slow machine makes no difference.
    const costOf = (form: string) => timeOf(() => ok(decoded(form)))
    const ratios = Array.from({ length: 5 }, () => costOf(broken) / costOf(text))
    ok(Math.min(...ratios) < 10, `${ratios} times as much in lines`)
  })
})
