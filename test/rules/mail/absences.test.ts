import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { rowsIn } from '../../support/tsv.ts'

// What people let a program say of their absence, and the day until which letters wait.

const at = new Date('2026-11-23T09:30:00Z')

const read = (...lines: string[]) => readMail(Buffer.from(lines.join('\r\n')), at)

const byProgram = (sentence: string) =>
  read(
    'Return-Path: <>',
    'From: Kim <kim@client.example>',
    'Subject: Automatic reply: Hello',
    'Content-Type: text/plain; charset=utf-8',
    'Auto-Submitted: auto-replied',
    '',
    sentence,
  )

describe('an absence that a program tells of', () => {
  const sentences = rowsIn(
    new URL('absences.tsv', import.meta.url),
    'language',
    'away',
    'until',
    'sentence',
  )

  for (const { language, away, until, sentence } of sentences) {
    const title =
      away === 'yes'
        ? `lasts until ${until}, in ${language}: ${sentence.replaceAll('\n', ' ')}`
        : `is not what a program promises: ${sentence}`
    it(title, async () => {
      const wanted = { outOfOffice: away === 'yes', until: until === '-' ? null : until }
      deepEqual((await byProgram(sentence)).autoReply, wanted)
    })
  }

  const absences = sentences.filter(
    ({ away, sentence }) => away === 'yes' && !/office|vacation|leave/.test(sentence),
  )
  for (const [language, said] of Map.groupBy(absences, (row) => row.language))
    it(`makes no program of a person who writes of theirs in ${language}`, async () => {
      for (const { sentence } of said) {
        const head = ['Subject: Re: Hello', 'From: Kim <kim@client.example>', '']
        const { automated, autoReply } = await read(...head, sentence)
        deepEqual([automated, autoReply], [false, null], sentence)
      }
    })
})
