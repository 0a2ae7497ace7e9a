import { equal, ok } from 'node:assert/strict'
import { eraserOf, saidBy, seenInHtml, withoutQuotes } from '../../../rules/people/erased-words.ts'

const her = eraserOf({
  names: ['Tilda Quist', 'Cher'],
  addresses: [
    { kind: 'email', value: 'tilda@quist.example', given: 'tilda@quist.example' },
    { kind: 'phone', value: '+4530112233', given: '+4530112233' },
    { kind: 'linkedin', value: 'linkedin.com/in/tilda', given: 'linkedin.com/in/tilda' },
  ],
})

describe('the words of somebody who is erased', () => {
  const rows: [given: string, left: string][] = [
    ['Ask Tilda Quist.', 'Ask […].'],
    ['Ask QUIST, Tilda or tilda  quist', 'Ask […] or […]'],
    ['offer-for-Tilda_Quist.pdf', 'offer-for-[…].pdf'],
    ['Tilda\u00a0Quist', '[…]'],
    ['Tilda Quistgaard and Matilda Quist', 'Tilda Quistgaard and Matilda Quist'],
    ['Cher is as cher as it gets', '[…] is as cher as it gets'],
    ['<Tilda@Quist.example>, mailto:tilda%40quist.example', '<[…]>, mailto:[…]'],
    ['Call +45 30 11 22 33 or 0045-30112233.', 'Call […] or […].'],
    ['https://www.linkedin.com/in/tilda?x=1', 'https://www.[…]?x=1'],
    ['matilda@quist.example', 'matilda@quist.example'],
  ]
  for (const [given, left] of rows)
    it(`leave of “${given}” “${left}”`, () => {
      equal(her.text(given), left)
      equal(her.has(given), given !== left)
    })

  it('are found in the tags and entities of a page', () => {
    ok(her.has(seenInHtml('<p>Ask <b>Tilda</b>&nbsp;<i>Quist</i></p>')))
    ok(her.has(seenInHtml('<p>&#84;ilda Quist</p>')))
  })

  const said = saidBy(['The narwhal freezers have to be white and quiet.\nTwelve of them.'])
  const without = (...lines: string[]) => withoutQuotes(lines.join('\n'), said, her.has)

  it('go with the whole block that quotes them', () => {
    equal(without('Yes.', '> The narwhal freezers have to be', '> white and quiet.'), 'Yes.\n> […]')
    equal(
      without('On Monday, Tilda Quist wrote:', '> Anything', '> > at all'),
      'On Monday, Tilda Quist wrote:\n> […]',
    )
  })

  it('go from within what somebody else is quoted with', () => {
    equal(
      without('> Bo wrote this', '> > The narwhal freezers have to be white and quiet.', '> Bo'),
      '> Bo wrote this\n>> […]\n> Bo',
    )
  })

  it('go from below a head and from paragraphs without a mark', () => {
    equal(without('Hm.', '', 'From: Tilda Quist', 'Sent: today', '', 'Some words.'), 'Hm.\n\n[…]')
    equal(
      without('The narwhal freezers have to be white and quiet.', '', 'I say no.'),
      '[…]\n\nI say no.',
    )
  })

  it('leave what others are quoted with', () => {
    const text = 'On Monday, Bo wrote:\n> Let us have black ones, and loud.\n\nNo.'
    equal(without(text), text)
  })

  it('are looked for in time that grows with the text alone', () => {
    for (const text of [
      '>'.repeat(200_000),
      '<'.repeat(200_000),
      '-'.repeat(200_000),
      '+45 '.repeat(50_000),
    ]) {
      const from = performance.now()
      her.text(without(text))
      her.has(seenInHtml(text))
      ok(performance.now() - from < 2_000, text.slice(0, 5))
    }
  })
})
