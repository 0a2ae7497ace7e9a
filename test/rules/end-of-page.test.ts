import { equal } from 'node:assert/strict'
import { endOfPage } from '../../rules/end-of-page.ts'
import { growsFaster } from '../support/growth.ts'

describe('the end of a page', () => {
  // The place is marked with a bar.
  const pages: [what: string, page: string][] = [
    ['where the body closes', '<html><body><p>x</p>|</BODY ></html>'],
    ['where the page closes, if the body does not', '<html><p>x</p>|</html>'],
    ['the end, if nothing closes', '<p>x</p>|'],
    ['not within a value', '<p title="</body>">x</p>|</body>'],
    ['not within a value in other quotes', "<p title='a > </body>'>x</p>|"],
    ['not within a value that is the only one', '<a href = "</body>">x</a>|'],
    ['behind a quote that begins no value', '<p title=a"b>x</p>|</body><i title=">">'],
    ['not within a comment', '<body>x<!-- </body> -->y|</body>'],
    ['not within a comment of Outlook', '<body>x<!--[if mso]></body><![endif]-->y|'],
    ['behind a comment that ends at once', '<body>x<!--></b>|</body><!---></html>'],
    ['before a comment that does not end', '<p>x</p>|<!-- </body> y'],
    ['before a tag that does not end', '<p>x</p>|<p title="</body>'],
    ['not within a style sheet', '<style>p::after{content:"</body>"}</style>x|'],
    ['not within a title', '<title></body></title><p>x</p>|</body>'],
    ['before a style sheet that does not end', '<p>x</p>|<style>p{} </body>'],
    ['behind a drawing with a title that closes itself', '<svg><title/></svg>|</body>'],
    ['behind a declaration', '<!doctype html><?xml version="1.0"?><p>x</p>|</body>'],
    ['behind signs that are no tags', '<p>1 < 2 </ x>|</body>'],
  ]
  for (const [what, page] of pages)
    it(`is ${what}`, () => equal(endOfPage(page.replace('|', '')), page.indexOf('|')))

  it('is found in a time that grows with the page', () => {
    for (const unit of [
      '<!--',
      '<!---->',
      '<p a="',
      '<p a="">',
      '<',
      '<style>',
      '<style></style ',
      '=',
      "<a b='",
    ])
      equal(
        growsFaster(
          [10_000, 100_000, 1_000_000],
          (size) => unit.repeat(size / unit.length),
          endOfPage,
        ),
        undefined,
        unit,
      )
  })
})
