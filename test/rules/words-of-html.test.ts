import { equal } from 'node:assert/strict'
import { wordsOf } from '../../rules/words-of-html.ts'

describe('the words of a page', () => {
  const pages: [string, string, string][] = [
    ['a heading keeps its letters', '<h1>Straße 5</h1><p>c</p>', 'Straße 5\n\nc'],
    [
      'cells of a row are words of their own, and a row is a line',
      '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Room</td><td>49 €</td></tr></table>',
      'Item Price\nRoom 49 €',
    ],
    [
      'a table that lays out paragraphs',
      '<table><tr><td><p>Hello</p><p>Bye</p></td></tr></table>',
      'Hello\n\nBye',
    ],
    [
      'what is not shown is left out',
      '<html><head><title>T</title><style>p{}</style></head><body><!-- c -->x</body></html>',
      'x',
    ],
    ['links', '<a href="https://x.example/?a=1&amp;b=2">go</a>', 'go [https://x.example/?a=1&b=2]'],
  ]
  for (const [what, html, text] of pages) it(what, () => equal(wordsOf(html), text))
})
