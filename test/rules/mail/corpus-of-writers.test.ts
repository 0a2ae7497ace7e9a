import { deepEqual, ok } from 'node:assert/strict'
import { asWritten } from '../../../rules/mail/as-written.ts'
import { readMail } from '../../../rules/mail/read.ts'
import { marksOf } from '../../../rules/mail/wishes/marks.ts'
import { ownOf } from '../../../rules/own-addresses.ts'
import { answered, programs } from '../../support/programs-of-mail.ts'
import { others, ways, whole, wishes } from '../../support/ways-of-mail.ts'
import { waysOfSending } from '../../support/ways-of-sending.ts'

// The mails of many programs as they come through groups, forms and lists, to several people, and from aliases. The writer is the
// right one in all, and a person; the text is read, a wish in it is seen, and one in what they quote or in a footer is not.

const at = new Date('2026-11-23T09:00:00Z')
const own = ownOf(['ana@halden.example', 'bo@halden.example'])
const encodings = Object.entries(ways)

describe('mails of many programs in every way of sending', function () {
  this.timeout(120_000)

  for (const [m, way] of waysOfSending.entries())
    it(`are their writers': ${way.name}`, async () => {
      const wrong: unknown[] = []
      for (const [n, program] of programs.entries())
        for (const isWish of [true, false]) {
          const said = (isWish ? wishes : others)[n % 4] as string
          const quoted = `${isWish ? 'We have a cold room for you.' : wishes[(n + 1) % 4]}\nAna`
          const text = answered(program, said, quoted)
          // What is put into a form is no answer of a program.
          const isForm = way.via !== undefined && way.writer !== 'sofia@azahar.example'
          const made = isForm ? (way.text ?? String)(said) : (way.text ?? String)(text)
          const [encoding, written] = encodings[(m + n) % encodings.length] as (typeof encodings)[0]
          const head = `${way.head.join('\r\n')}\r\nSubject: Re: Cold room\r\n`
          const raw = Buffer.concat([Buffer.from(head), whole(written(made))])
          const { mail, via } = asWritten(await readMail(raw, at), own)
          const intent = marksOf({ ...mail, via })?.intent
          const seen = {
            ...{ writer: mail.from.address, via, suspect: mail.suspect, automated: mail.automated },
            isRead: mail.text.replaceAll(/\s+/g, ' ').includes(said),
            isWish: intent === 'unsubscribe',
          }
          const expected = {
            ...{ writer: way.writer, via: way.via ?? null, suspect: false, automated: false },
            ...{ isRead: true, isWish },
          }
          if (JSON.stringify(seen) !== JSON.stringify(expected))
            wrong.push([program.name, encoding, said, seen, mail.text.slice(0, 200)])
        }
      deepEqual(wrong, [])
    })

  it('are more than two thousand', () => ok(waysOfSending.length * programs.length * 2 > 2_000))
})
