import { deepEqual, equal } from 'node:assert/strict'
import { nothingKnown, resolveBatch, stopsOf } from '../../../db/people/import-resolve.ts'
import { readImport } from '../../../rules/people-file/read.ts'
import type { Batch } from '../../../rules/people-file/rows.ts'
import { withoutShared } from '../../../rules/people-file/shared.ts'
import { fileOfPeople, type Someone } from '../../support/people-corpus.ts'

const files = 300

/** The cards that a file makes, each with who was stopped, as the import makes them. */
async function cardsOf(content: Buffer) {
  const batches: Batch[] = []
  const read = await readImport(content, [], (batch) => void batches.push(batch))
  if ('unreadable' in read) return read.unreadable
  const known = nothingKnown()
  const stops: { reason: string; emails: string[] }[] = []
  for (const batch of batches.map((one) => withoutShared(one, new Set(read.shared)))) {
    let made = known.cards.size
    const effects = resolveBatch(batch, known, 'complete', () => `per_${++made}`)
    stops.push(...stopsOf(batch, effects))
  }
  const cards = [...known.cards].map(([id, { name, company, jobTitle }]) => {
    const emails = [...(known.emails.get(id) ?? [])]
    const addresses = known.orders.get(id) ?? []
    const phones = addresses.flatMap(({ kind, value }) => (kind === 'phone' ? [value] : []))
    const stop = stops.find((one) => one.emails.some((email) => emails.includes(email)))
    return { name, company, jobTitle, emails, phones, stop: stop?.reason }
  })
  return cards
}

const namesNothing = new Set(['Mailchimp', 'Brevo'])
const expected = (what: string, { first, last, emails, phone, company, title, stop }: Someone) => {
  const isBare = [...namesNothing].some((program) => what.includes(program))
  return {
    name: `${first} ${last}`,
    company: isBare ? '' : company,
    jobTitle: isBare ? '' : title,
    phones: what.includes('LinkedIn') ? [] : [phone.replaceAll(' ', '')],
    ...{ emails, stop },
  }
}

describe(`${files} files of people in the dialects of other programs`, () => {
  it('make one card of each person, with their own addresses, and stop whom they say', async () => {
    let people = 0
    let stopped = 0
    const wrong: unknown[] = []
    for (let n = 0; n < files; n++) {
      const made = fileOfPeople(n)
      people += made.people.length
      stopped += made.people.filter(({ stop }) => stop !== undefined).length
      const cards = await cardsOf(made.content)
      try {
        deepEqual(
          cards,
          made.people.map((one) => expected(made.what, one)),
        )
      } catch {
        wrong.push({ what: made.what, cards })
      }
    }
    deepEqual(wrong, [])
    equal(people > 1500 && stopped > 200, true, `${people} people, ${stopped} stopped`)
  }).timeout(120_000)
})
