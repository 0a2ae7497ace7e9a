import { deepEqual } from 'node:assert/strict'
import { readLetterHtml } from '../../../rules/mail/html/letter.ts'

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

describe('the HTML of a letter is refused', () => {
  const style = (css: string) => `<style>${css}</style>`
  const pages: [what: string, html: string, code: string][] = [
    ['another base of its addresses', '<base href="//evil.example">', 'base'],
    [
      'a base in capitals, in a comment for Outlook',
      '<!--[if mso]><BASE HREF=x><![endif]-->',
      'base',
    ],
    ['a style sheet elsewhere', '<link rel=stylesheet href="//evil.example/x.css">', 'link'],
    ['an icon', '<LINK rel="icon" href="x">', 'link'],
    ['a page that goes elsewhere', '<meta http-equiv=" Refresh " content="0;url=//x">', 'refresh'],
    ['@import', style('@import url("//evil.example/x.css");'), 'style'],
    ['@import in escapes', style('@\\69mport "x.css";'), 'style'],
    ['a behaviour', '<p style="color:red;behavior:url(x.htc)">x</p>', 'style'],
    ['a behaviour with a prefix', style('p { -ms-behavior : url(x.htc) }'), 'style'],
    ['a behaviour with a comment within', style('p { beh/**/avior: url(x.htc) }'), 'style'],
    ['an expression', '<p style="width:expression(alert(1))">x</p>', 'style'],
    ['an expression with a comment within', '<p style="width:exp/* x */ression(1)">x</p>', 'style'],
    ['an expression in escapes', '<p style="width:\\65 xpression(1)">x</p>', 'style'],
    ['an expression in references', '<p style="width:&#101;xpression(1)">x</p>', 'style'],
    ['an expression in wide letters', '<p style="width:ｅｘｐｒｅｓｓｉｏｎ(1)">x</p>', 'style'],
    ['a binding', '<p style="-moz-binding:url(//evil.example/x.xml#y)">x</p>', 'style'],
    ['a link of a style', '<p style="-o-link:\'javascript:x\'">x</p>', 'style'],
    [
      'a script as an address of a style',
      '<p style="background:url(vbscript:x)">x</p>',
      'javascript',
    ],
  ]
  for (const [what, html, code] of pages)
    it(`that has ${what}`, () =>
      deepEqual(
        readLetterHtml(html).findings.map((finding) => finding.code),
        [code],
      ))

  const fine: [what: string, html: string][] = [
    ['scrolls smoothly', style('html { scroll-behavior: smooth; overscroll-behavior: none }')],
    ['has a comment about it', style('/* @import, behavior: and expression() are gone */ p {}')],
    ['speaks of it', '<p title="expression(1)">@import, behavior: x, &lt;base&gt;</p>'],
    ['says its charset', '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'],
    ['shows pictures', '<p style="background:url(https://x.example/a.png)">x</p>'],
  ]
  for (const [what, html] of fine)
    it(`not if it ${what}`, () => deepEqual(readLetterHtml(html).findings, []))
})
