import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { autoReplies } from '../../support/corpus/auto-replies.ts'
import { business } from '../../support/corpus/business.ts'
import { clients } from '../../support/corpus/clients.ts'
import { complaints } from '../../support/corpus/complaints.ts'
import { noticeSamples } from '../../support/corpus/notices.ts'
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

  it('is a person who writes about goods, filters, complaints or absences as programs do', async () => {
    const wrong: string[] = []
    for (const { name, raw } of business()) {
      const { report, automated, weak } = await readMail(raw, at)
      if (report || automated || weak) wrong.push(name)
    }
    deepEqual(wrong, [])
  })

  describe('a filter, a list, a service or an abuse desk under an ordinary address', () => {
    for (const { name, raw, letter, kind, isNamed } of noticeSamples())
      it(`is recognized: ${name}`, async () => {
        const { report, automated, weak, references } = await readMail(raw, at)
        deepEqual(references, [])
        deepEqual(
          [automated || weak, report?.kind, isNamed && report ? report.refersTo : []],
          [true, kind === 'auto' ? undefined : kind, isNamed && report ? [letter.id] : []],
        )
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

  describe('an absence', () => {
    const from = 'From: Kim <kim@client.example>'
    const read = async (...lines: string[]) =>
      (await readMail(Buffer.from([from, ...lines].join('\r\n')), at)).autoReply

    it('does not end on a day in the subject of our letter, or in what is quoted of it', async () => {
      const lines = ['Subject: Automatic reply: Your stand on 3 December', '', 'I am on leave.', '']
      const quoted = ['On Mon, 30 Nov 2026 at 10:12, Ana wrote:', '> Shall we meet on 4 December?']
      deepEqual(await read(...lines, ...quoted), { outOfOffice: true, until: null })
    })

    it('is not what a list says about holidays', async () => {
      const lines = ['Subject: Our news', 'List-Id: News <news.client.example>', '']
      const text = `${'We have opened a new shop. '.repeat(20)}Ten ideas for those who are on vacation until 5 December.`
      deepEqual(await read(...lines, text), { outOfOffice: false, until: null })
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
