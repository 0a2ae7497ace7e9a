import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { bounceFamilies, bounces } from '../../support/corpus/bounces.ts'

const at = new Date('2026-11-23T09:30:00Z')

describe('the bounces of mail servers', () => {
  const samples = bounces()

  it('are at least 400, of at least 40 families', () => {
    ok(samples.length >= 400, `${samples.length} bounces`)
    ok(bounceFamilies.length >= 40, `${bounceFamilies.length} families`)
    equal(new Set(bounceFamilies.map(({ name }) => name)).size, bounceFamilies.length)
  })

  for (const { name } of bounceFamilies)
    it(`are recognized with code, recipient and letter: ${name}`, async () => {
      for (const sample of samples.filter((one) => one.name.startsWith(`${name}, `))) {
        const { report, automated } = await readMail(sample.raw, at)
        deepEqual(
          {
            automated,
            kind: report?.kind,
            code: report?.code,
            permanent: report?.permanent,
            refersTo: report?.refersTo.slice(0, 1),
            named: report?.recipients.includes(sample.letter.to),
            unclear: report?.unclear,
          },
          {
            automated: true,
            kind: 'bounce',
            code: sample.code,
            permanent: sample.permanent,
            refersTo: sample.isNamed ? [sample.letter.id] : [],
            named: true,
            unclear: undefined,
          },
          `${sample.name}\n${sample.raw.toString()}`,
        )
      }
    })
})
