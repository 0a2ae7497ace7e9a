import { deepEqual, ok } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { markConversation } from '../../../rules/mail/wishes/marks.ts'
import { answered, programs } from '../../support/programs-of-mail.ts'
import { others, ways, whole, wishes } from '../../support/ways-of-mail.ts'

// Mails as the programs of people write them, each in several ways: under right and wrong labels, flowed, signed and sent on. The
// words of the writer are read in all, a wish in them is seen, and one in what they quote is not.

const at = new Date('2026-11-23T09:00:00Z')

describe('mails of many programs', function () {
  this.timeout(120_000)

  for (const [way, written] of Object.entries(ways))
    it(`are understood ${way}`, async () => {
      const wrong: string[] = []
      for (const [n, program] of programs.entries())
        for (const isWish of [true, false]) {
          const own = (isWish ? wishes : others)[n % 4] as string
          const quoted = `${isWish ? 'We have a cold room for you.' : wishes[(n + 1) % 4]}\nAna`
          const raw = whole(written(answered(program, own, quoted)))
          const mail = Buffer.concat([
            Buffer.from('From: Kim <kim@client.example>\r\nSubject: Re: Cold room\r\n'),
            raw,
          ])
          const { text } = await readMail(mail, at)
          const intent = markConversation(text, 'Re: Cold room').intent
          const isRead = text.replaceAll(/\s+/g, ' ').includes(own)
          if (!isRead || (intent === 'unsubscribe') !== isWish)
            wrong.push(
              `${program.name}: ${own} ${isRead ? intent : `not in ${JSON.stringify(text)}`}`,
            )
        }
      deepEqual(wrong, [])
    })

  it('are nine hundred and more', () => {
    ok(programs.length * Object.keys(ways).length >= 900)
  })
})
