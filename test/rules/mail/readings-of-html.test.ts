import { deepEqual, equal, ok } from 'node:assert/strict'
import { addressesInPage, addressesInStyle, readingsOf } from '../../../rules/mail/html/letter.ts'
import { growsFaster } from '../../support/growth.ts'

describe('the ways in which programs read a page', () => {
  it('are one for a page without what they differ in', () => {
    const page = '<p>x</p><!-- y --><noscripts></noscripts><svgs></svgs>'
    deepEqual(readingsOf(page), [page])
  })

  it('are several for a page with comments for Outlook, noscript or a drawing', () => {
    deepEqual(readingsOf('<!--[if mso]>a<![endif]-->').at(-1), ' a<![endif]-->')
    deepEqual(readingsOf('<noscript>a</NOSCRIPT>').at(-1), '<noembed>a</noembed>')
    deepEqual(readingsOf('<svg>a</svg><![CDATA[b]]>').at(-1), '<b>a</b><!b]]>')
  })

  it('are at most eight', () =>
    equal(readingsOf('<!--[if a]><noscript><svg></svg></noscript><![endif]-->').length, 8))

  it('are found in a time that grows with the page, and so are its styles', () => {
    for (const unit of [
      '<!--[if ',
      '<!--',
      '<style>',
      '<style></style>',
      '/*',
      '\\6a ',
      '@import ',
      'url(',
    ])
      for (const read of [readingsOf, addressesInPage, addressesInStyle])
        equal(
          growsFaster(
            [10_000, 100_000, 1_000_000],
            (size) => unit.repeat(size / unit.length),
            read,
          ),
          undefined,
          unit,
        )
  })

  it('do not differ in the words that a style shows', () => {
    ok(!addressesInPage('<p>@import "javascript:x"</p>').runs)
    ok(!addressesInStyle('/* javascript: */ color: red').runs)
  })
})
