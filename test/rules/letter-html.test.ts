import { deepEqual } from 'node:assert/strict'
import { readLetterHtml } from '../../rules/letter-html.ts'

describe('the files that the HTML of a letter refers to', () => {
  const pages: [what: string, html: string, cids: string[]][] = [
    ['a picture', '<img src="cid:a.png">', ['a.png']],
    [
      'a picture of several sizes',
      '<img src="cid:a.png" srcset="cid:a.png 1x, cid:b.png 2x,https://x.example/c.png 3x">',
      ['a.png', 'b.png'],
    ],
    [
      'a picture of several sizes, of which the first is elsewhere',
      '<img src="https://x.example/c.png" srcset="https://x.example/c.png 1x, CID:b.png 2x">',
      ['b.png'],
    ],
    ['a source of a picture', '<source srcset=" cid:a.png">', ['a.png']],
    ['a picture without a name', '<img src="cid:">', ['']],
    ['a size without a name', '<img src="x.png" srcset="cid: 2x">', ['']],
    ['a style without a name', '<p style="background: url(cid:)">x</p>', ['']],
    ['a comment for Outlook', '<!--[if mso]><v:fill src="cid:a.png" /><![endif]-->', ['a.png']],
    ['a style', '<p style="background: url(cid:a.png)">x</p>', ['a.png']],
    ['words that look like one', '<p title="cid:a.png">cid:b.png</p>', []],
  ]
  for (const [what, html, cids] of pages)
    it(`are those of ${what}`, () => {
      const read = readLetterHtml(html)
      deepEqual([read.findings, read.cids], [[], cids])
    })
})
