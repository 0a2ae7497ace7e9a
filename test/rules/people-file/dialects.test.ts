import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cardsOf } from '../../support/people-cards.ts'

// Each file of dialects.txt stands below its name, and above the cards that it makes:
// name|e-mail addresses|numbers|profile|company|city|job title|why they are suppressed.

const dialects = readFileSync(new URL('./dialects.txt', import.meta.url), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((dialect) => {
    const [head = '', cards = ''] = dialect.trim().split('\n--\n')
    const end = head.indexOf('\n')
    return { what: head.slice(0, end), text: head.slice(end + 1), cards: cards.split('\n') }
  })

const shownIn = async (content: Buffer) => {
  const read = await cardsOf(content)
  if (typeof read === 'string') throw new Error(read)
  return read.map(({ name, emails, phones, profiles, company, city, jobTitle, stop }) => {
    const addresses = [emails, phones, profiles].map((some) => some.join(' '))
    return [name, ...addresses, company, city, jobTitle, stop ?? ''].join('|')
  })
}

describe('a file of people as others write it', () => {
  for (const { what, text, cards } of dialects)
    it(`makes a card of each with all that is theirs: ${what}`, async () =>
      deepEqual(await shownIn(Buffer.from(text)), cards))

  const text = 'Vorname\tName\tE-Mail\tFirma\r\nJürgen\tvon Roth\tj@roth.example\tAcme\r\n'
  const encoded: [string, Buffer][] = [
    ['with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['without a mark', Buffer.from(text, 'utf16le')],
    ['in big-endian order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ]
  for (const [how, content] of encoded)
    it(`makes the same cards in UTF-16 ${how}`, async () =>
      deepEqual(await shownIn(content), ['Jürgen von Roth|j@roth.example|||Acme|||']))
})
