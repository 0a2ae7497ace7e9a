import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { autoReplies } from '../../support/corpus/auto-replies.ts'
import { clients } from '../../support/corpus/clients.ts'
import { complaints } from '../../support/corpus/complaints.ts'
import { replies } from '../../support/corpus/replies.ts'

const at = new Date('2026-11-23T09:30:00Z')

describe('who wrote a mail', function () {
  this.timeout(60_000)

  describe('a person', () => {
    const samples = replies()

    it('has at least 400 answers, from at least 40 clients', () => {
      ok(samples.length >= 400, `${samples.length} answers`)
      ok(clients.length >= 40, `${clients.length} clients`)
    })

    it('is never taken for a program or a server', async () => {
      const wrong: string[] = []
      for (const { name, raw, letter, answers } of samples) {
        const { report, automated, weak, references } = await readMail(raw, at)
        // Weak signs do not count in what answers one of our letters.
        const isOurs = references.includes(letter.id)
        equal(isOurs, answers, name)
        if (report || automated || (weak && !isOurs)) wrong.push(name)
      }
      deepEqual(wrong, [])
    })
  })

  describe('a program for a person', () => {
    const samples = autoReplies()
    for (const { name, raw, outOfOffice, until } of samples)
      it(`is recognized, with the day: ${name}`, async () => {
        const { automated, report, autoReply } = await readMail(raw, at)
        deepEqual([automated, report], [true, null])
        deepEqual(autoReply, { outOfOffice, until })
      })
  })

  describe('somebody who complains', () => {
    const samples = complaints()

    it('does so, with automatic replies, in at least 120 mails', () => {
      const all = samples.length + autoReplies().length
      ok(all >= 120, `${all} mails`)
    })

    for (const { name, raw, letter, kind } of samples)
      it(`is recognized with recipient and letter: ${name}`, async () => {
        const { report, automated } = await readMail(raw, at)
        deepEqual(
          [automated, report?.kind, report?.recipients.includes(letter.to), report?.refersTo],
          [true, kind, true, [letter.id]],
          raw.toString(),
        )
      })
  })
})
