import { equal } from 'node:assert/strict'
import { longestPage, wordsOf } from '../../../rules/mail/html/words.ts'

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

  it('are laid out as text whatever the number of its tags, if all of it is asked for', () => {
    const page = `<p>Gr&uuml;&szlig;e</p><!-- a > b -->${'<p>a</p>'.repeat(50_000)}<p>end</p>`
    equal(wordsOf(page, longestPage), ['Grüße', ...Array(50_000).fill('a'), 'end'].join('\n\n'))
  })

  it('are bare where many tags stand open, since that would take too long', () => {
    const page = `${'<b>'.repeat(50)}x${'</i>'.repeat(50)}`.repeat(2_500)
    equal(wordsOf(page, longestPage).replaceAll(/\s+/g, ''), 'x'.repeat(2_500))
  })
})
